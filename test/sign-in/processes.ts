import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/** A process of `writer.ts`. */
export interface Writer {
  /** The lines that it has said so far. */
  readonly lines: string[];
  /** Resolves with the next line; `undefined` at the end. */
  next(): Promise<string | undefined>;
  kill(): void;
  /** Resolves when it is gone. */
  readonly ended: Promise<number | null>;
}

/** How a writer is started. */
export interface WriterOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A command that starts the process, such as `prlimit`. */
  readonly through?: readonly string[];
}

/** Bundles a writer once for a test file; the function that is returned starts it. */
export function writers(
  entry = join(import.meta.dirname, 'writer.ts'),
): (args: readonly string[], options?: WriterOptions) => Writer {
  const running = new Set<Writer>();
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-writer-'));
    await build({
      entryPoints: [entry],
      outfile: join(folder, 'writer.cjs'),
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20.19',
      // Of the packages only conf is reached, without its own way of writing and checking; the others are slow to load.
      plugins: [{ name: 'stubs', setup: stubUnreached }],
      logLevel: 'warning',
    });
  });
  afterAll(async () => {
    for (const writer of running) writer.kill();
    await Promise.all([...running].map(({ ended }) => ended));
    rmSync(folder, { recursive: true, force: true });
  });
  return (args, options = {}) => {
    const [command = '', ...rest] = [...(options.through ?? []), process.execPath, join(folder, 'writer.cjs'), ...args];
    const child = spawn(command, rest, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...options.env },
      cwd: folder,
    });
    const writer = follow(child);
    running.add(writer);
    writer.ended.finally(() => running.delete(writer)).catch(() => {});
    return writer;
  };
}

type Build = Parameters<NonNullable<NonNullable<Parameters<typeof build>[0]['plugins']>[0]>['setup']>[0];

function stubUnreached({ onResolve, onLoad }: Build): void {
  onResolve({ filter: /^\w/ }, ({ path, kind }) =>
    kind === 'dynamic-import' && path !== 'conf' ? { external: true } : undefined,
  );
  onResolve({ filter: /^(atomically|ajv|ajv-formats)(\/|$)/ }, ({ path }) => ({ path, namespace: 'stub' }));
  onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
    contents: 'export const writeFileSync = undefined; export const Ajv2020 = undefined; export default undefined;',
  }));
}

function follow(child: ChildProcessByStdio<null, Readable, null>): Writer {
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  let isOver = false;
  const closed = once(reader, 'close').then(() => {
    isOver = true;
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  let read = 0;
  return {
    lines,
    async next() {
      while (read === lines.length && !isOver) await Promise.race([once(reader, 'line'), closed]);
      read += 1;
      return lines[read - 1];
    },
    kill: () => void child.kill('SIGKILL'),
    ended: Promise.all([exited, closed]).then(([code]) => code),
  };
}
