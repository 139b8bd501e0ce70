import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

/** Builds a small program that has `io` and the modules of src/io at hand, and returns its path; removed after the test. */
export async function testScript(body: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-io-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const source = join(folder, 'source.ts');
  await writeFile(source, `${HEAD}\n${body}\n`);
  await build({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: join(folder, 'out'),
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return join(folder, 'out', 'source.mjs');
}

const IO = join(import.meta.dirname, '../../src/terminal');

const HEAD = `
import { createIo } from ${JSON.stringify(join(IO, 'io.ts'))};
import { jsonStream } from ${JSON.stringify(join(IO, 'json-stream.ts'))};
const { stdin, stdout, stderr, env, platform } = process;
const io = createIo({ stdin, stdout, stderr, env, platform });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const fail = (error: unknown) => {
  const known = error as { name: string; message: string; exitCode?: number };
  if (known.name !== 'OutputClosed') stderr.write(known.message + '\\n');
  process.exitCode = known.name === 'OutputClosed' ? 0 : (known.exitCode ?? 99);
};
`;

/** The environment of a modern terminal, and nothing of this machine. */
export const TERMINAL_ENV: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
};

/** A program on a terminal of its own. */
export interface TerminalRun {
  /** The process of the shell that has started it. */
  readonly pid: number;
  /** Everything that was shown so far. */
  output(): string;
  /** Resolves when the shown text has `wanted` in it. */
  shows(wanted: string): Promise<void>;
  type(keys: string): void;
  signal(name: NodeJS.Signals): void;
  /** Closes the terminal, as the window of one is closed. */
  hangUp(): void;
  /** Resolves with the exit code when it has ended. */
  ended(): Promise<number>;
}

/**
 * A terminal drops what was not read yet when its last program ends, so a shell stays and says how the program ended.
 * Its traps let signals pass to the program, and do nothing else.
 */
const stay = (before: string, redirection: string) =>
  `${before}; trap : INT TERM USR2; "$0" "$@" ${redirection}; printf '<ended %s>' $?; exec sleep 60`;
const ENDED = /<ended (\d+)>/;

/** How a program runs on a terminal. */
export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** The command line after the program. */
  readonly args?: readonly string[];
  /** A shell command that runs on the terminal before the program. */
  readonly before?: string;
  /** The file that its standard output goes to, in place of the terminal. */
  readonly stdout?: string;
  /** Takes what ends it with the test; tests that run side by side give that of their context. */
  readonly atEnd?: (end: () => void) => void;
}

/** Runs a program on a real terminal until it ends, or the test does. */
export function onTerminal(
  script: string,
  { env = TERMINAL_ENV, columns = 80, args = [], before = ':', stdout, atEnd = onTestFinished }: TerminalOptions = {},
): TerminalRun {
  const redirection = stdout === undefined ? '' : `> ${stdout}`;
  const shell = ['-c', stay(before, redirection), process.execPath, script, ...args];
  const terminal = spawn('sh', shell, { cols: columns, rows: 30, env: { ...env } });
  let text = '';
  const watchers = new Set<() => void>();
  terminal.onData((data) => {
    text += data;
    for (const watcher of watchers) watcher();
  });
  atEnd(() => {
    try {
      process.kill(-terminal.pid, 'SIGKILL');
    } catch {
      // Everything on the terminal has ended by itself.
    }
  });
  const codeOf = () => ENDED.exec(text)?.[1];
  const until = <T>(look: () => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const watcher = () => {
        const seen = look();
        if (seen !== undefined) resolve(seen);
        else if (codeOf() !== undefined) reject(new Error(`it ended after showing ${JSON.stringify(text)}`));
        else return;
        watchers.delete(watcher);
      };
      watchers.add(watcher);
      watcher();
    });
  return {
    pid: terminal.pid,
    output: () => text.replace(ENDED, ''),
    shows: async (wanted) => void (await until(() => text.includes(wanted) || undefined)),
    type: (keys) => terminal.write(keys),
    signal: (name) => void process.kill(-terminal.pid, name),
    // Missing in the types: it closes our end, and the system tells the other.
    hangUp: () => (terminal as typeof terminal & { destroy(): void }).destroy(),
    ended: async () => Number(await until(codeOf)),
  };
}
