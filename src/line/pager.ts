import { isAbsolute } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { SIGN_IN_VARIABLES } from '../environment.ts';
import type { Io } from '../terminal/io.ts';
import type { World } from '../world.ts';

/**
 * `LESS` unless it is set: ends at once if all fits (F), colours (R), no clearing (X), ends on Ctrl-C (K), and a prompt
 * that names the way out (P). `LESSSECURE` keeps keys that were meant for the shell from writing files or running programs.
 */
const LESS = { LESS: '-FRXK -Psq to quit, Space for more$', LESSSECURE: '1' };

/** Exit codes of a program that did not start or does not know its options. */
const FAILED = new Set([1, 126, 127]);

const SIGNAL_MS = 100;

interface Pager {
  readonly world: World;
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Leaves Ctrl-C to the pager. */
  lend<T>(work: () => Promise<T>): Promise<T>;
}

/** Prints a text for people: on a terminal, and if it is taller than that, with `$PAGER` or `less`. */
export async function printPaged(text: string, { world, io, signal, lend }: Pager): Promise<void> {
  const command = io.interactive && isTaller(text, io) ? await pagerOf(world, io) : undefined;
  if (command === undefined) return io.out.write(text);
  const { runChild } = await import('../kit/programs.ts');
  const env = { ...LESS, ...world.env, ...Object.fromEntries(SIGN_IN_VARIABLES.map((name) => [name, undefined])) };
  const options = { env, cwd: world.cwd ?? '/', signal, sharesTerminal: true, input: withoutLinks(text) };
  const page = async () => {
    const exitCode = await runChild(command, options);
    // A signal for both may end the pager before svc hears of it.
    if (exitCode !== 0) await world.clock.sleep(SIGNAL_MS, signal);
    return exitCode;
  };
  const exitCode = await lend(page).catch(() => 127);
  signal.throwIfAborted();
  if (FAILED.has(exitCode)) await io.out.write(text);
}

function isTaller(text: string, { out }: Io): boolean {
  const { columns, rows } = out;
  const lines = stripVTControlCharacters(text).trimEnd().split('\n');
  // The shell's prompt takes a line as well.
  return rows > 0 && lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 1) > rows;
}

/** Returns undefined if no pager is wanted or found. Runs no shell, and no program of the current folder. */
async function pagerOf({ env, machine }: World, { out, accessible }: Io): Promise<readonly string[] | undefined> {
  if (!out.isTty || accessible || env['TERM'] === 'dumb') return undefined;
  const [name = '', ...args] = (env['PAGER'] ?? 'less').trim().split(/\s+/);
  if (name === '' || name === 'cat') return undefined;
  if (/[\\/]/.test(name)) return isAbsolute(name) ? [name, ...args] : undefined;
  const { findProgram } = await import('../kit/programs.ts');
  const program = findProgram([name], { env, platform: machine.platform });
  return program === undefined ? undefined : [program, ...args];
}

/** Older versions of `less` print links as noise, and every version what moves the cursor. */
function withoutLinks(text: string): string {
  return text.replace(/\u001b(?:\]8;;[^\u001b]*\u001b\\|\[\d+G)/g, '');
}
