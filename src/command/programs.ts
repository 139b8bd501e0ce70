import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { CliError } from '../errors.ts';

/** Where programs are looked for. */
export interface ProgramPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/**
 * The absolute path of the first of these programs on `PATH`. Entries that are empty or relative are left out, so that
 * nothing in the current folder is ever run in place of a program.
 */
export function findProgram(names: readonly string[], { env, platform }: ProgramPlaces): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const endings = platform === 'win32' ? ['.exe', '.com'] : [''];
  return names
    .flatMap((name) => folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** How a child process runs. */
interface ChildOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted when svc is told to stop; the child is then told as well, and waited for. */
  readonly signal: AbortSignal;
  /** Whether svc and the child share a terminal, which sends Ctrl-C to both. */
  readonly sharesTerminal: boolean;
}

/** Exit codes of a command that could not be started, as shells have them. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/**
 * Runs a program with the streams of this process; no shell is involved.
 * Resolves with its exit code, or 128 and the signal's number. Throws where it cannot be started.
 */
export function runChild(command: readonly string[], options: ChildOptions): Promise<number> {
  const [file = '', ...args] = command;
  const { env, cwd, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: { ...env }, stdio: 'inherit' });
    const pass = () => passSignal(child, signal, options.sharesTerminal);
    signal.addEventListener('abort', pass, { once: true });
    child.on('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', pass);
      reject(cannotStart(file, error));
    });
    child.on('exit', (code, killedBy) => {
      signal.removeEventListener('abort', pass);
      resolve(code ?? 128 + osConstants.signals[killedBy ?? 'SIGKILL']);
    });
  });
}

function passSignal(child: ChildProcess, signal: AbortSignal, sharesTerminal: boolean): void {
  const name = { 129: 'SIGHUP', 143: 'SIGTERM' }[(signal.reason as CliError).exitCode] as NodeJS.Signals | undefined;
  if (name !== undefined) child.kill(name);
  else if (!sharesTerminal) child.kill('SIGINT');
}

function cannotStart(file: string, error: NodeJS.ErrnoException): CliError {
  const missing = error.code === 'ENOENT';
  return new CliError('usage', missing ? `There is no command "${file}".` : `"${file}" could not be started.`, {
    exitCode: missing ? NOT_FOUND : NOT_EXECUTABLE,
    cause: error,
  });
}
