import type { spawn as spawnChild } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { build } from 'esbuild';
import { inject, onTestFinished } from 'vitest';
import { once } from '../../src/once.ts';
import type { createIo } from '../../src/terminal/io.ts';
import type { jobOf } from '../../src/terminal/job.ts';
import type { ShellJob } from '../../src/terminal/terminal.ts';

/** What a program of {@link testScript} has. */
export interface Scope {
  readonly io: ReturnType<typeof createIo>;
  /** An `io` with the streams of the process, and more. */
  newIo(more: Partial<Parameters<typeof createIo>[0]>): ReturnType<typeof createIo>;
  readonly job: ShellJob;
  readonly jobOf: typeof jobOf;
  readonly spawn: typeof spawnChild;
  /** Lets time pass in which something must not happen. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Waits for the SIGUSR2 that the test sends when it has seen enough. */
  readonly seen: () => Promise<void>;
  /** Ends the process as svc does with the error. */
  readonly fail: (error: unknown) => void;
}

/**
 * Writes a script that runs the program in a process of its own, and returns its path; removed after the test. The
 * program is written as text, so it knows nothing but its arguments; `given` is what the test tells it, as JSON.
 */
export async function testScript<T = undefined>(
  program: (scope: Scope, given: T) => unknown,
  given?: T,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-io-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = join(folder, 'script.mjs');
  const scope = JSON.stringify(pathToFileURL(await buildScope()));
  await writeFile(script, `import { scope } from ${scope};\nawait (${program})(scope, ${JSON.stringify(given)});\n`);
  return script;
}

/** Builds once for each process of the tests, and returns the path. */
const buildScope = once(async () => {
  const folder = await mkdtemp(join(inject('scratch'), 'scope-'));
  await build({
    entryPoints: [join(import.meta.dirname, 'script-scope.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return join(folder, 'script-scope.mjs');
});

/** A modern terminal, without this machine's environment. */
export const TERMINAL_ENV: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
};

export interface TerminalRun {
  /** The shell that started the program. */
  readonly pid: number;
  output(): string;
  /** Resolves when the output contains `wanted` from this character on. */
  shows(wanted: string, from?: number): Promise<void>;
  resize(columns: number, rows: number): void;
  type(keys: string): void;
  /** Types a text key by key, each once the one before is shown, and then Enter: pasted text confirms nothing. */
  answer(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Closes the terminal like its window. */
  hangUp(): void;
  /** Resolves with the exit code. */
  ended(): Promise<number>;
}

/**
 * A terminal drops unread output when its last program ends, so a shell stays and prints the exit code. Its traps leave
 * signals to the program.
 */
const stay = (before: string, redirection: string, after: string) =>
  `${before}; trap : INT TERM USR2; "$0" "$@" ${redirection}; printf '<ended %s>' $?; ${after}; exec sleep 60`;
/** Stops show as `<stopped>`, and Return continues the program with `fg`. */
const WITH_JOBS = `set -m; "$0" "$@"; printf '<stopped>'; read -r line; fg > /dev/null; printf '<ended %s>' $?; exec sleep 60`;
/** Waits until bash has seen that the program is stopped: it does not continue one that it takes for running. */
const FG = 'until [ -n "$(jobs -s)" ]; do sleep 0.02; done; fg';
/** Return shows the exit code, and `fg` brings the program to the foreground. */
const IN_BACKGROUND = `set -m; "$0" "$@" & read -r line; case $line in fg) ${FG};; *) wait $!;; esac > /dev/null; printf '<ended %s>' $?; exec sleep 60`;
const ENDED = /<ended (\d+)>/;

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** The command line after the program. */
  readonly args?: readonly string[];
  /** A shell command that runs on the terminal before the program. */
  readonly before?: string;
  /** A shell command that runs on the terminal after the program. */
  readonly after?: string;
  /** The shell has job control: Ctrl-Z and `fg`. */
  readonly jobs?: boolean | 'background';
  /** A file for standard output instead of the terminal. */
  readonly stdout?: string;
  /** Registers the cleanup; concurrent tests pass the one of their context. */
  readonly atEnd?: (end: () => void) => void;
}

/** Runs a script, or a command such as that of a `Program`, on a real terminal until it ends, or the test does. */
export function onTerminal(
  program: string | readonly string[],
  {
    env = TERMINAL_ENV,
    columns = 80,
    args = [],
    before = ':',
    after = ':',
    jobs = false,
    stdout,
    atEnd = onTestFinished,
  }: TerminalOptions = {},
): TerminalRun {
  const command = typeof program === 'string' ? [process.execPath, program] : program;
  const redirection = stdout === undefined ? '' : `> ${stdout}`;
  const job = jobs === 'background' ? IN_BACKGROUND : WITH_JOBS;
  const shell = ['-c', jobs ? job : stay(before, redirection, after), ...command, ...args];
  const terminal = spawn(jobs ? 'bash' : 'sh', shell, { cols: columns, rows: 30, env: { ...env } });
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
      // Already ended.
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
  const shows = async (wanted: string, from = 0) => void (await until(() => text.includes(wanted, from) || undefined));
  return {
    pid: terminal.pid,
    output: () => text.replace(ENDED, ''),
    shows,
    resize: (columns, rows) => terminal.resize(columns, rows),
    type: (keys) => terminal.write(keys),
    async answer(words) {
      const from = text.length;
      for (const [index, key] of [...words].entries()) {
        terminal.write(key);
        await shows(words.slice(0, index + 1), from);
      }
      terminal.write('\r');
    },
    signal: (name) => void process.kill(-terminal.pid, name),
    // Missing in the types; closes our end of the terminal.
    hangUp: () => (terminal as typeof terminal & { destroy(): void }).destroy(),
    ended: async () => Number(await until(codeOf)),
  };
}
