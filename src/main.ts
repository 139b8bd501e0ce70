import { createRedactor } from './api/redact.ts';
import type { Started } from './cli/define/context.ts';
import { readLine } from './cli/read/read-line.ts';
import { createContext } from './cli/run/create-context.ts';
import { beginRun, runCommand } from './cli/run/run.ts';
import { TREE } from './commands/tree.ts';
import { isSwitchedOn } from './environment.ts';
import { CliError, EXIT_CODES, SIGNAL_EXITS } from './errors.ts';
import { splitAtDoubleDash } from './shell-line.ts';
import { drawScreen } from './terminal/draw.ts';
import { createIo, OutputClosed } from './terminal/io.ts';
import type { StopSignal, World } from './world.ts';

/** Reports every error, and returns the exit code. */
export async function main(world: World, redactor = createRedactor()): Promise<number> {
  const { stop, ...signals } = listenToSignals(world, () => run);
  const { stdout, stderr, env, clock, machine, job, host } = world;
  const io = createIo({
    get stdin() {
      return world.stdin;
    },
    stdout,
    stderr,
    env,
    clock,
    platform: machine.platform,
    job,
    host,
    conceal: redactor.conceal,
    ...signals,
  });
  const run = beginRun({ ...signals, world, io, redactor, main });
  try {
    const exitCode = await runLine(run);
    await io.said();
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof OutputClosed) return 0;
    const { asCliError, reportError } = await import('./cli/define/report.ts');
    const { signal } = signals;
    const caught = asCliError(signal.aborted ? toInterruption(thrown, signal) : thrown);
    const { proposeMeantLine } = await import('./cli/read/meant-line.ts');
    const error = await proposeMeantLine(caught, world.argv, TREE, io.interactive);
    // A filter alone says nothing of how a person who types it wants to read an error.
    const json =
      hasOption(world.argv, '--json') || (hasOption(world.argv, '--jq') && !io.err.isTty);
    const debug = hasOption(world.argv, '--debug') || isSwitchedOn(env['SVC_DEBUG']);
    await reportError(io, error, { json, debug, redact: redactor.redact }).catch(() => undefined);
    return error.exitCode;
  } finally {
    stop();
    io.restoreTerminal();
    await Promise.allSettled(run.closers.map((close) => close()));
  }
}

async function runLine(run: Started): Promise<number> {
  const { world, io } = run;
  const read = await readLine(world.argv, TREE);
  if ('line' in read) {
    return runCommand(
      read.line,
      (globals) => createContext(run, globals),
      // Few lines have items, so the batch is loaded late.
      async (line, context) => (await import('./batch/run.ts')).runBatch(line, context),
    );
  }
  await io.err.write(await drawScreen(read.help, io.view(io.err)));
  return EXIT_CODES.usage.exit;
}

/** Works for lines that cannot be read, too. */
function hasOption(argv: readonly string[], option: string): boolean {
  return splitAtDoubleDash(argv)[0].some(
    (word) => word === option || word.startsWith(`${option}=`),
  );
}

/** Returns the error that the command ended an interrupt with, or else a plain "Interrupted." */
function toInterruption(thrown: unknown, { reason }: AbortSignal): unknown {
  const isOwn = thrown instanceof CliError && thrown.code === 'interrupted';
  return isOwn ? thrown.with({ exitCode: (reason as CliError).exitCode }) : reason;
}

/** Time that a command has after the second signal, to say what may be left behind. */
const GRACE_MS = 100;

function listenToSignals(world: World, run: () => Started) {
  const interruption = new AbortController();
  const forceQuit = new AbortController();
  const receive = (signal: StopSignal) => {
    if (signal === 'SIGINT' && run().isTerminalLent) return;
    const exitCode = SIGNAL_EXITS[signal];
    if (!interruption.signal.aborted) {
      interruption.abort(new CliError('interrupted', 'Interrupted.', { exitCode }));
      return;
    }
    forceQuit.abort();
    setTimeout(() => {
      run().io.restoreTerminal();
      world.exit(exitCode);
    }, GRACE_MS).unref();
  };
  let stop = world.onSignal(receive);
  return {
    /** Aborted by the first signal; its reason is the error that ends the command. */
    signal: interruption.signal,
    forceQuitSignal: forceQuit.signal,
    interrupt: () => receive('SIGINT'),
    /**
     * Does synchronous work that blocks the event loop; until it returns, a signal ends the process
     * at once.
     */
    withDefaultSignals<T>(work: () => T): T {
      stop();
      try {
        return work();
      } finally {
        stop = world.onSignal(receive);
      }
    },
    stop: () => stop(),
  };
}
