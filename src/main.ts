import { homedir, hostname, userInfo } from 'node:os';
import { dirname, parse as parsePath } from 'node:path';
import { CommanderError } from 'commander';
import { systemClock } from './clock.ts';
import { createAttach } from './command/attach.ts';
import { checkCommandLine, helpLast } from './command/command-line.ts';
import { HELP_COLUMNS } from './command/help-layout.ts';
import { asCliError, reportError } from './command/report.ts';
import { usageErrorFrom } from './command/usage-errors.ts';
import { CliError } from './errors.ts';
import { createRedactor } from './http/redact.ts';
import { createIo, OutputClosed } from './io/io.ts';
import { isOn } from './io/terminal.ts';
import { buildProgram, helpAsData } from './program.ts';
import { machineOf } from './store/machine.ts';
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
  const wantsJson = asksFor(world.argv, '--json') || asksFor(world.argv, '--jq');
  const wantsHelp = asksFor(world.argv, '--help') || asksFor(world.argv, '-h');
  const argv = wantsHelp && wantsJson ? helpAsData(world.argv) : world.argv;
  try {
    const attach = createAttach(maker.make, (code) => {
      exitCode = code;
    });
    const printed: string[] = [];
    const program = await buildProgram(argv, {
      attach,
      version: world.version,
      print: (text) => void printed.push(text),
      columns: Math.min(io.out.columns, HELP_COLUMNS),
      color: io.out.colorLevel > 0 && !asksFor(world.argv, '--no-color'),
    });
    await parse(program, argv);
    if (printed.length > 0) await io.out.write(printed.join(''));
    await maker.remind();
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof OutputClosed) return exitCode;
    const error = asCliError(interruption.signal.aborted ? interruptionOf(thrown, interruption.signal) : thrown);
    const debug = asksFor(world.argv, '--debug') || isOn(world.env['SVC_DEBUG']);
    await reportError(io, error, { json: wantsJson, debug, redactor }).catch(() => undefined);
    return error.exitCode;
  } finally {
    stopListening();
    io.restoreCursor();
    await maker.close();
  }
}

/** Parses the command line and runs its command; what commander refuses becomes a usage error. */
async function parse(program: Awaited<ReturnType<typeof buildProgram>>, argv: readonly string[]): Promise<void> {
  checkCommandLine(program, argv);
  try {
    await program.parseAsync([...helpLast(argv)], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) throw usageErrorFrom(thrown, program, argv);
  }
}

/** Whether the command line has an option, for errors that come before it is parsed. */
function asksFor(argv: readonly string[], option: string): boolean {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return own.some((word) => word === option || word.startsWith(`${option}=`));
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

/** Runs the real process; the built program's entry calls it. */
export async function start(version: string, script: string): Promise<void> {
  // NO_COLOR wins; with both set, Node itself would warn on stderr.
  if (process.env['NO_COLOR']) delete process.env['FORCE_COLOR'];
  const exitCode = await main(systemWorld(version, script));
  process.exitCode = exitCode;
  // Everything is written by now. A name lookup that hangs cannot be cancelled, and would keep the process for long.
  if (exitCode !== 0) process.exit(exitCode);
}

function systemWorld(version: string, script: string): World {
  const { env, stdout, stderr } = process;
  return {
    argv: process.argv.slice(2),
    env,
    cwd: currentFolder(),
    machine: machineOf(process, hostname()),
    home: homeFolder(),
    nodeVersion: process.versions.node,
    version,
    // As a single executable, svc is its own runtime.
    self: script === process.execPath ? [script] : [process.execPath, script],
    packageFolder: dirname(dirname(script)),
    // Opening stdin costs a start-up milliseconds, and most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    clock: systemClock,
    random: Math.random,
    onSignal(listener) {
      const signals: StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    exit: (code) => process.exit(code),
  };
}

/** The current folder; the root where it was removed, as relative paths mean nothing then. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return parsePath(process.execPath).root;
  }
}

function homeFolder(): string {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return '';
  }
}
