import { asksFor, asksForJson } from './command/asks-for.ts';
import { createPerform, type Perform } from './command/perform.ts';
import { readPlainLine } from './command/plain-line.ts';
import { TREE } from './commands/tree.ts';
import { isOn } from './environment.ts';
import { CliError } from './errors.ts';
import { createRedactor } from './http/redact.ts';
import { createIo, type Io, OutputClosed } from './io/io.ts';
import { listenToSignals } from './signals.ts';
import { createContextMaker } from './wiring.ts';
import type { World } from './world.ts';

/**
 * Runs one command line: one result on stdout, or one error on stderr, and one exit code.
 * Every error of the program ends up here.
 */
export async function main(world: World): Promise<number> {
  const redactor = createRedactor();
  const signals = listenToSignals(world, {
    isLent: () => maker.terminalIsLent(),
    beforeEnd: () => io.restoreCursor(),
  });
  const io = createIo({
    get stdin() {
      return world.stdin;
    },
    stdout: world.stdout,
    stderr: world.stderr,
    env: world.env,
    platform: world.machine.platform,
    clock: world.clock,
    signal: signals.interrupted,
    conceal: redactor.conceal,
    unguarded: signals.unguarded,
  });
  const maker = createContextMaker(world, io, redactor, signals.interrupted, signals.hurry);
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
    const error = asCliError(signals.interrupted.aborted ? interruptionOf(thrown, signals.interrupted) : thrown);
    const debug = asksFor(world.argv, '--debug') || isOn(world.env['SVC_DEBUG']);
    await reportError(io, error, { json: asksForJson(world.argv), debug, redactor }).catch(() => undefined);
    return error.exitCode;
  } finally {
    signals.stop();
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

/** What ends an interrupted command: its own account of the interruption, else the plain one. */
function interruptionOf(thrown: unknown, signal: AbortSignal): unknown {
  const told = thrown instanceof CliError && thrown.code === 'interrupted';
  const { exitCode } = signal.reason as CliError;
  return told ? thrown.with({ exitCode }) : signal.reason;
}
