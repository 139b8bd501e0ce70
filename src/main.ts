import { asksFor, asksForJson } from './command/asks-for.ts';
import { createPerform, type Perform } from './command/perform.ts';
import { readPlainLine } from './command/plain-line.ts';
import { TREE } from './commands/tree.ts';
import { isOn } from './environment.ts';
import { CliError } from './errors.ts';
import { createRedactor } from './http/redact.ts';
import { createIo, type Io, OutputClosed } from './io/io.ts';
import { createContextMaker } from './wiring.ts';
import type { StopSignal, World } from './world.ts';

/** Exit codes of the signals that end svc. */
const SIGNAL_EXIT_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Milliseconds between a second signal and the end. */
const LAST_WORDS_MS = 100;

/**
 * Runs one command line: one result on stdout, or one error on stderr, and one exit code.
 * Every error of the program ends up here.
 */
export async function main(world: World): Promise<number> {
  const redactor = createRedactor();
  const interruption = new AbortController();
  const io = createIo({
    get stdin() {
      return world.stdin;
    },
    stdout: world.stdout,
    stderr: world.stderr,
    env: world.env,
    platform: world.machine.platform,
    clock: world.clock,
    signal: interruption.signal,
    conceal: redactor.conceal,
    unguarded: (work) => {
      stopListening();
      try {
        return work();
      } finally {
        stopListening = listen();
      }
    },
  });
  const hurry = new AbortController();
  const maker = createContextMaker(world, io, redactor, interruption.signal, hurry.signal);
  const listen = () =>
    world.onSignal((signal) => {
      if (signal === 'SIGINT' && maker.terminalIsLent()) return;
      const exitCode = SIGNAL_EXIT_CODES[signal];
      if (!interruption.signal.aborted) interruption.abort(new CliError('interrupted', 'Interrupted.', { exitCode }));
      else leaveNow(hurry, () => endAtOnce(world, io, exitCode));
    });
  let stopListening = listen();
  let exitCode = 0;
  const perform = createPerform(maker.make, (code) => {
    exitCode = code;
  });
  try {
    await carryOut(world, io, perform);
    await maker.remind();
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof OutputClosed) return exitCode;
    const { asCliError, reportError } = await import('./command/report.ts');
    const error = asCliError(interruption.signal.aborted ? interruptionOf(thrown, interruption.signal) : thrown);
    const debug = asksFor(world.argv, '--debug') || isOn(world.env['SVC_DEBUG']);
    await reportError(io, error, { json: asksForJson(world.argv), debug, redactor }).catch(() => undefined);
    return error.exitCode;
  } finally {
    stopListening();
    io.restoreCursor();
    await maker.close();
  }
}

/** Runs the command of a command line. A plain one needs no parser; commander is for all others. */
async function carryOut({ argv, version }: World, io: Io, perform: Perform): Promise<void> {
  const line = await readPlainLine(argv, TREE);
  if (line !== undefined) return perform(line.spec, line.flags, line.options);
  const { runProgram } = await import('./program.ts');
  const color = io.out.colorLevel > 0 && !asksFor(argv, '--no-color');
  const text = await runProgram(argv, { perform, version, columns: io.out.columns, color });
  if (text !== '') await io.out.write(text);
}

/** A second signal: what still waits has a moment to say what may be left behind, then the process ends. */
function leaveNow(hurry: AbortController, end: () => void): void {
  hurry.abort();
  setTimeout(end, LAST_WORDS_MS).unref();
}

function endAtOnce(world: World, io: ReturnType<typeof createIo>, exitCode: number): void {
  io.restoreCursor();
  world.exit(exitCode);
}

/** What ends an interrupted command: its own account of the interruption, else the plain one. */
function interruptionOf(thrown: unknown, signal: AbortSignal): unknown {
  const told = thrown instanceof CliError && thrown.code === 'interrupted';
  const { exitCode } = signal.reason as CliError;
  return told ? thrown.with({ exitCode }) : signal.reason;
}
