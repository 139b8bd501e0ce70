import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Needs, ProgramFacts } from '../../cli/define/context.ts';
import { CliError, getErrorCode } from '../../errors.ts';

/**
 * The path of the first of these programs. Relative entries of `PATH` would run what is in the
 * current folder.
 */
export function findProgram(
  names: readonly string[],
  { env, program }: Needs<'env'> & { readonly program: Pick<ProgramFacts, 'platform'> },
): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const endings = program.platform === 'win32' ? ['.exe', '.com'] : [''];
  return names
    .flatMap((name) =>
      folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))),
    )
    .find(isProgram);
}

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

interface ChildOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that it runs in; default: that of svc. */
  readonly cwd?: string;
  /** Windows only: the arguments are quoted already. */
  readonly isVerbatim?: boolean;
  /** An interactive shell, which ignores SIGTERM. Any end of svc hangs it up. */
  readonly isShell?: boolean;
}

/** The signals by the exit code of an interruption. */
const SIGNALS = new Map<number, NodeJS.Signals>([
  [129, 'SIGHUP'],
  [143, 'SIGTERM'],
]);

/** Bash misses a signal that arrives right before it waits for a key. */
const HANG_UP_AGAIN_MS = 500;

/**
 * Runs a program on the streams of this process. If svc is stopped, the child gets the signal as
 * well, and is waited for. Resolves with its exit code, or with 128 plus the
 * number of the signal that ended it. Throws CliError with exit code 127 or 126, as shells do, if
 * it cannot be started.
 */
export async function runChild(
  [file = '', ...args]: readonly string[],
  { env, cwd, isVerbatim = false, isShell = false }: ChildOptions,
  { io, program, time: { signal } }: Needs<'io' | 'program' | 'time'>,
): Promise<number> {
  const child = spawn(file, args, {
    cwd: cwd ?? program.cwd(),
    env: { ...env },
    windowsVerbatimArguments: isVerbatim,
    stdio: 'inherit',
  });
  let again: NodeJS.Timeout | undefined;
  const pass = () => {
    if (isShell) {
      child.kill('SIGHUP');
      again = setInterval(() => child.kill('SIGHUP'), HANG_UP_AGAIN_MS);
      return;
    }
    const { exitCode } = signal.reason as CliError;
    const name = SIGNALS.get(exitCode) ?? 'SIGINT';
    // A terminal that they share sends Ctrl-C to both.
    if (name !== 'SIGINT' || !io.stdinIsTty) child.kill(name);
  };
  signal.addEventListener('abort', pass, { once: true });

  try {
    const [code, killedBy] = await once(child, 'exit');
    return code ?? 128 + osConstants.signals[killedBy as NodeJS.Signals];
  } catch (error) {
    throw cannotStart(file, error);
  } finally {
    signal.removeEventListener('abort', pass);
    clearInterval(again);
  }
}

function cannotStart(file: string, error: unknown) {
  const missing = getErrorCode(error) === 'ENOENT';
  return new CliError(
    'usage',
    missing ? `There is no command "${file}".` : `"${file}" could not be started.`,
    {
      exitCode: missing ? 127 : 126,
      cause: error,
    },
  );
}
