import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { build, type PluginBuild } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/** Bundles a writer once for a test file; the function that is returned starts it. */
export function writers(entry = join(import.meta.dirname, 'writer.ts')) {
  const running = new Set<ReturnType<typeof follow>>();
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-writer-'));
    const outfile = join(folder, 'writer.cjs');
    // Of the packages only conf is reached, without its own way of writing and checking; the others
    // are slow to load.
    const plugins = [{ name: 'stubs', setup: stubUnreached }];
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      plugins,
      logLevel: 'warning',
    });
  });
  afterAll(async () => {
    for (const writer of running) writer.kill();
    await Promise.all([...running].map(({ ended }) => ended));
    rmSync(folder, { recursive: true, force: true });
  });
  /** `through` is a command that starts the process, such as `prlimit`. */
  return (args: readonly string[], through: readonly string[] = []) => {
    const [command = '', ...rest] = [
      ...through,
      process.execPath,
      join(folder, 'writer.cjs'),
      ...args,
    ];
    const writer = follow(
      spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'], env: {}, cwd: folder }),
    );
    running.add(writer);
    writer.ended.finally(() => running.delete(writer)).catch(() => {});
    return writer;
  };
}

function stubUnreached({ onResolve, onLoad }: PluginBuild): void {
  onResolve({ filter: /^\w/ }, ({ path, kind }) =>
    kind === 'dynamic-import' && path !== 'conf' ? { external: true } : undefined,
  );
  onResolve({ filter: /^(atomically|ajv|ajv-formats)(\/|$)/ }, ({ path }) => ({
    path,
    namespace: 'stub',
  }));
  onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
    contents:
      'export const writeFileSync = undefined; export const Ajv2020 = undefined; export default undefined;',
  }));
}

function follow(child: ChildProcessByStdio<null, Readable, null>) {
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  let isOver = false;
  const closed = once(reader, 'close').then(() => {
    isOver = true;
  });
  const exited = once(child, 'exit') as Promise<[code: number | null]>;
  let read = 0;
  return {
    /** The lines that it has said so far. */
    lines,
    /** Resolves with the next line; `undefined` at the end. */
    async next(): Promise<string | undefined> {
      while (read === lines.length && !isOver) await Promise.race([once(reader, 'line'), closed]);
      read += 1;
      return lines[read - 1];
    },
    kill: () => void child.kill('SIGKILL'),
    /** Its exit code, when it is gone. */
    ended: Promise.all([exited, closed]).then(([[code]]) => code),
  };
}
