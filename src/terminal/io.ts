import type { Readable } from 'node:stream';
import { type Clock, systemClock } from '../clock.ts';
import { agentIn, type Env, isOn } from '../environment.ts';
import { usageError } from '../errors.ts';
import { colorLevelOf, hasLinks, hasUnicode } from './capabilities.ts';
import type { Content, FullScreen } from './full-screen.ts';
import type { ShellJob } from './job.ts';
import { createKeys, type KeyListener, type TerminalInput } from './keys.ts';
import { createNotes, type Notes } from './notes.ts';
import { createProgresses, type OutputMode, type Progresses } from './progress.ts';
import type { Choice, PromptOptions, Prompts } from './prompts/prompts.ts';
import { safeLine } from './safe-text.ts';
import { createSink, guardOf, type OutputStream, type Sink } from './sink.ts';

export type { Progress } from './progress.ts';
export type { ConfirmOptions } from './prompts/prompts.ts';
export { OutputClosed, type Sink } from './sink.ts';

interface IoOptions {
  readonly stdin: TerminalInput;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Env;
  readonly platform: string;
  readonly clock?: Clock;
  /** Cancels prompts and reading from stdin. */
  readonly signal?: AbortSignal;
  /** Absent on Windows. */
  readonly job?: ShellJob | undefined;
  /** Interrupts the command, for a Ctrl-C that arrives as a key. */
  readonly interrupt?: () => void;
  /** Runs blocking work with the system's signal handling, so that a signal ends the process at once. */
  readonly unguarded?: <T>(work: () => T) => T;
  readonly host?: Host | undefined;
  /** Redacts all text laid out for people. */
  readonly conceal?: (text: string) => string;
}

/** Flags about the streams; known only after the command line is parsed. */
export interface IoFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noInput: boolean;
  readonly noColor: boolean;
  /** Whether the user wants a bell; asked when one is due. Default: yes. */
  readonly bell?: () => boolean;
}

/** A program that runs command lines inside svc, and stands between svc and the person. */
export interface Host {
  /**
   * Asks the person, with the details in front of the question. Undefined if nobody can be asked.
   * @throws to end the command and ask later
   */
  readonly confirm: ((question: string, details: string) => Promise<boolean>) | undefined;
  /** Is told what is in progress. */
  progress(text: string): void;
}

/** The streams of a command, with prompts, notes and progress. */
export interface Io extends Prompts, Notes, Progresses, OutputMode {
  readonly out: Sink;
  readonly err: Sink;
  readonly stdinIsTty: boolean;
  /** Prompts are possible: a person is at a terminal, and neither `CI` nor `--no-input` is set. */
  readonly interactive: boolean;
  /** Static lines in words, no drawings; set by `ACCESSIBLE`. */
  readonly accessible: boolean;
  /** The variable that says that an agent typed the command. */
  readonly agent: string | undefined;
  /** Set if another program runs the command inside svc. */
  readonly host: Host | undefined;
  /** Whether a full screen can be drawn here and driven by keys. */
  readonly hasFullScreen: boolean;
  /** Takes the whole terminal for a drawing; `press` takes its keys. `restoreTerminal` gives it back as well. */
  fullScreen(content: Content, press: NonNullable<KeyListener['press']>): Promise<FullScreen>;
  /** Runs work that blocks the event loop and may never end, so that Ctrl-C still works. */
  unguarded<T>(work: () => T): T;
  /**
   * Calls `act` with each key that is pressed, until the function it resolves with is called. Resolves with undefined if
   * prompts are not possible, and in the background.
   */
  onKey(act: (key: string) => void): Promise<(() => void) | undefined>;
  /**
   * Reads all of stdin.
   * @throws CliError `usage` above `maxBytes`.
   */
  readInput(maxBytes: number): Promise<Buffer>;
}

/** Wraps the streams of a process. No flag is set until `configure` is called. */
export function createIo(options: IoOptions): Io & { configure(flags: IoFlags): void } {
  const { env, platform, clock = systemClock } = options;
  let flags: IoFlags = { json: false, quiet: false, noInput: false, noColor: false };
  const colorsOf = (stream: OutputStream) => () =>
    flags.noColor || flags.json ? 0 : colorLevelOf(env, stream.isTTY === true, platform);
  const guard = guardOf(env);
  const out = createSink(options.stdout, 'standard output', colorsOf(options.stdout), guard);
  const err = createSink(options.stderr, 'standard error', colorsOf(options.stderr), guard);
  const unicode = hasUnicode(env, platform);
  const accessible = isOn(env['ACCESSIBLE']);
  const ci = isOn(env['CI']);
  const agent = agentIn(env);
  const keys = createKeys({
    get stdin() {
      return options.stdin;
    },
    job: options.job,
    interrupt: () => options.interrupt?.(),
    markPastes(on) {
      if (env['TERM'] !== 'dumb') options.stderr.write(`\u001b[?2004${on ? 'h' : 'l'}`);
    },
  });
  const progresses = createProgresses(options.stderr, err, () => io, clock, options.job, options.host?.progress);
  let screen: FullScreen | undefined;
  const canMove = env['TERM'] !== 'dumb' && !accessible && agent === undefined;

  const io: Io & { configure(flags: IoFlags): void } = {
    ...createPrompts({
      keys,
      stderr: options.stderr,
      allowed: () => io.interactive,
      moves: () => unicode && canMove && err.realColumns > 0,
      colors: () => err.colorLevel > 0,
      signal: options.signal,
      aside: progresses.aside,
    }),
    ...createNotes(err, () => io, env),
    ...progresses,
    restoreTerminal() {
      screen?.close();
      progresses.restoreTerminal();
      keys.close();
    },
    get hasFullScreen() {
      return canMove && keys.available && io.interactive;
    },
    async fullScreen(content, press) {
      const { openFullScreen } = await import('./full-screen.ts');
      screen = openFullScreen(content, { keys, stdout: options.stdout, sink: out, moves: canMove, press });
      return screen;
    },
    out,
    err,
    unicode,
    accessible,
    agent,
    host: options.host,
    configure: (given) => {
      flags = given;
    },
    get stdinIsTty() {
      return options.stdin.isTTY === true;
    },
    get interactive() {
      return io.stdinIsTty && err.isTty && agent === undefined && !ci && !flags.noInput && !isOn(env['SVC_NO_INPUT']);
    },
    get spinner() {
      return canMove && err.realColumns > 0 && !ci && !flags.json && !flags.quiet;
    },
    get bell() {
      const isHeard =
        err.isTty && env['TERM'] !== 'dumb' && agent === undefined && !ci && options.signal?.aborted !== true;
      return isHeard && !flags.json && !flags.quiet && flags.bell?.() !== false;
    },
    get json() {
      return flags.json;
    },
    get quiet() {
      return flags.quiet;
    },
    view: (sink) => ({
      columns: sink.columns,
      rows: sink.rows,
      colorLevel: sink.colorLevel,
      unicode,
      accessible,
      tty: sink.isTty,
      links: sink.colorLevel > 0 && hasLinks(env, sink.isTty),
      home: env['HOME'] || env['USERPROFILE'],
      now: clock.now(),
      conceal: options.conceal,
    }),
    unguarded: options.unguarded ?? ((work) => work()),
    async onKey(press) {
      const listener: KeyListener = { press };
      if (!io.interactive) return undefined;
      const stop = () => keys.remove(listener);
      if (await keys.add(listener)) return stop;
      stop();
      return undefined;
    },
    readInput: (maxBytes) => readAll(options.stdin, maxBytes, options.signal),
  };
  return io;
}

async function readAll(stdin: Readable, maxBytes: number, signal: AbortSignal | undefined): Promise<Buffer> {
  const { addAbortSignal } = await import('node:stream');
  if (signal !== undefined) addAbortSignal(signal, stdin);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw usageError(`Standard input has more than ${maxBytes} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Prompts on stderr, with answers from stdin. The code is loaded with the first prompt. */
function createPrompts(options: PromptOptions): Prompts {
  const ready = async (): Promise<Prompts> => {
    if (!options.allowed()) throw usageError('This needs an answer, but svc cannot ask questions here.');
    options.signal?.throwIfAborted();
    return options.moves()
      ? (await import('./prompts/clack.ts')).createClackPrompts(options)
      : (await import('./prompts/line.ts')).createLinePrompts(options);
  };
  const { aside } = options;
  return {
    confirm: (question, given) => aside(async () => (await ready()).confirm(safeLine(question), given)),
    select: (question, choices, given) =>
      aside(async () => (await ready()).select(safeLine(question), choices.map(safeChoice), given)),
    ask: (question, given = {}) =>
      aside(async () => (await ready()).ask(safeLine(question), { ...given, seen: given.seen?.map(safeLine) })),
    askSecret: (question, given) => aside(async () => (await ready()).askSecret(safeLine(question), given)),
  };
}

function safeChoice<T extends string>({ value, label = value, hint }: Choice<T>): Choice<T> {
  const safe = { value, label: safeLine(label) };
  return hint === undefined ? safe : { ...safe, hint: safeLine(hint) };
}
