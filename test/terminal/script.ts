import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { build } from 'esbuild';
import { inject, onTestFinished } from 'vitest';
import { once } from '../../src/once.ts';
import type { scope } from './script-scope.ts';

export type Scope = typeof scope;

/**
 * Writes a script that runs the program in a process of its own, and returns its path; removed
 * after the test. The program is written as text, so it knows nothing but its arguments; `given` is
 * what the test tells it, as JSON.
 */
export async function testScript<T = undefined>(
  program: (scope: Scope, given: T) => unknown,
  given?: T,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-io-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = join(folder, 'script.mjs');
  const scope = JSON.stringify(pathToFileURL(await buildScope()));
  await writeFile(
    script,
    `import { scope } from ${scope};\nawait (${program})(scope, ${JSON.stringify(given)});\n`,
  );
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
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return join(folder, 'script-scope.mjs');
});

/** A modern terminal, without this machine's environment. */
export const TERMINAL_ENV: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
};

export type TerminalRun = ReturnType<typeof onTerminal>;

/**
 * A terminal drops unread output when its last program ends, so a shell stays and prints the exit
 * code. Its traps leave signals to the program.
 */
function shellLine({ before = ':', after = ':', jobs, stdout }: TerminalOptions): string {
  if (jobs) return jobs === 'background' ? IN_BACKGROUND : WITH_JOBS;
  const redirection = stdout === undefined ? '' : `> ${stdout}`;
  return `${before}; trap : INT TERM USR2; "$0" "$@" ${redirection}; printf '<ended %s>' $?; ${after}; exec sleep 60`;
}

/** Stops show as `<stopped>`, and Return continues the program with `fg`. */
const WITH_JOBS = `set -m; "$0" "$@"; printf '<stopped>'; read -r line; fg > /dev/null; printf '<ended %s>' $?; exec sleep 60`;
/**
 * Waits until bash has seen that the program is stopped: it does not continue one that it takes for
 * running.
 */
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

/**
 * Runs a script, or a command such as that of a `Program`, on a real terminal until it ends, or the
 * test does.
 */
export function onTerminal(program: string | readonly string[], options: TerminalOptions = {}) {
  const { env = TERMINAL_ENV, columns = 80, args = [], jobs, atEnd = onTestFinished } = options;
  const command = typeof program === 'string' ? [process.execPath, program] : program;
  const words = ['-c', shellLine(options), ...command, ...args];
  const terminal = spawn(jobs ? 'bash' : 'sh', words, { cols: columns, rows: 30, env: { ...env } });
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
  const getErrorCode = () => ENDED.exec(text)?.[1];
  const until = <T>(look: () => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const watcher = () => {
        const seen = look();
        if (seen !== undefined) resolve(seen);
        else if (getErrorCode() !== undefined)
          reject(new Error(`it ended after showing ${JSON.stringify(text)}`));
        else return;
        watchers.delete(watcher);
      };
      watchers.add(watcher);
      watcher();
    });
  /** Resolves when the output contains the text from this character on. */
  const shows = async (wanted: string, from = 0) =>
    void (await until(() => text.includes(wanted, from) || undefined));
  return {
    /** The shell that started the program. */
    pid: terminal.pid,
    output: () => text.replace(ENDED, ''),
    shows,
    resize: (columns: number, rows: number) => terminal.resize(columns, rows),
    /** Sets a size of 0, as some serial lines and test runners have, and tells the program. */
    loseSize: () => {
      const terminalFile = openSync((terminal as typeof terminal & { _pty: string })._pty, 'r+');
      execFileSync('stty', ['cols', '0', 'rows', '0'], {
        stdio: [terminalFile, 'ignore', 'ignore'],
      });
      closeSync(terminalFile);
    },
    type: (keys: string) => terminal.write(keys),
    /**
     * Types a text key by key, each once the one before is shown, and then Enter: pasted text
     * confirms nothing.
     */
    async answer(words: string) {
      const from = text.length;
      for (const [index, key] of [...words].entries()) {
        terminal.write(key);
        await shows(words.slice(0, index + 1), from);
      }
      terminal.write('\r');
    },
    signal: (name: NodeJS.Signals) => void process.kill(-terminal.pid, name),
    /** Closes the terminal like its window, in a way that the types do not know. */
    hangUp: () => (terminal as typeof terminal & { destroy(): void }).destroy(),
    /** Resolves with the exit code. */
    ended: async () => Number(await until(getErrorCode)),
  };
}
