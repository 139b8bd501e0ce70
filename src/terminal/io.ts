import type { Readable } from 'node:stream';
import { type Clock, systemClock } from '../clock.ts';
import { collectBytes } from '../collect.ts';
import { agentIn, type Env, isOn } from '../environment.ts';
import { usageError } from '../errors.ts';
import { getColorLevel, hasLinks, hasUnicode } from './capabilities.ts';
import { createKeys, type KeyListener } from './keys.ts';
import { createNotes } from './notes.ts';
import { createGuard, createOutput } from './output.ts';
import { createProgresses } from './progress.ts';
import type {
  FullScreen,
  Host,
  Io,
  OutputStream,
  Prompts,
  ShellJob,
  TerminalInput,
} from './terminal.ts';

export { OutputClosed } from './output.ts';

interface IoOptions {
  readonly stdin: TerminalInput;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Env;
  readonly platform: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Absent on Windows. */
  readonly job?: ShellJob | undefined;
  /** For a Ctrl-C that arrives as a key. */
  readonly interrupt?: () => void;
  /** Runs blocking work so that a signal ends the process at once. */
  readonly withDefaultSignals?: <T>(work: () => T) => T;
  readonly host?: Host | undefined;
  readonly conceal?: (text: string) => string;
}

/** Flags about the streams, known once the command line is parsed. */
export interface IoFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noInput: boolean;
  /** Whether what svc would ask is answered on the line, by `--yes`. */
  readonly yes: boolean;
  readonly noColor: boolean;
  /** Whether the user wants a bell, asked when one is due. */
  readonly bell?: () => boolean;
}

/** Wraps the streams of a process. No flag is set until `configure` is called. */
export function createIo(options: IoOptions): Io & { configure(flags: IoFlags): void } {
  const { env, platform, clock = systemClock } = options;
  let flags: IoFlags = { json: false, quiet: false, noInput: false, yes: false, noColor: false };
  const colorsOf = (stream: OutputStream) => () =>
    flags.noColor || flags.json ? 0 : getColorLevel(env, stream.isTTY === true, platform);
  const guard = createGuard(env);
  const out = createOutput(options.stdout, 'standard output', colorsOf(options.stdout), guard);
  const err = createOutput(options.stderr, 'standard error', colorsOf(options.stderr), guard);
  const unicode = hasUnicode(env, platform);
  const accessible = isOn(env['ACCESSIBLE']);
  const ci = isOn(env['CI']);
  const agent = agentIn(env);
  const keys = createKeys(options);
  const progresses = createProgresses(options, () => io, clock);
  let screen: FullScreen | undefined;
  const canMove = env['TERM'] !== 'dumb' && !accessible && agent === undefined;

  /** Asks while nothing else draws or reads keys. */
  const asked = <T>(ask: (prompts: Prompts) => Promise<T>) =>
    progresses.whileHidden(async () => {
      if (!io.interactive)
        throw usageError('This needs an answer, but svc cannot ask questions here.');
      options.signal?.throwIfAborted();
      const { createPrompts } = await import('./prompts/prompts.ts');
      const moves = unicode && canMove && err.realColumns > 0;
      const { stderr, signal } = options;
      return ask(createPrompts(moves, { keys, stderr, signal, hasColors: err.colorLevel > 0 }));
    });

  const io: Io & { configure(flags: IoFlags): void } = {
    ...createNotes(err, () => io, env),
    ...progresses,
    confirm: (question, given) => asked((prompts) => prompts.confirm(question, given)),
    select: (question, choices, given) =>
      asked((prompts) => prompts.select(question, choices, given)),
    ask: (question, given) => asked((prompts) => prompts.ask(question, given)),
    askSecret: (question, given) => asked((prompts) => prompts.askSecret(question, given)),
    restoreTerminal() {
      screen?.close();
      progresses.restoreTerminal();
      keys.close();
    },
    get hasFullScreen() {
      return canMove && keys.available && io.isAttended;
    },
    async fullScreen(content, press) {
      const { openFullScreen } = await import('./full-screen.ts');
      screen = openFullScreen(content, {
        keys,
        stdout: options.stdout,
        sink: out,
        moves: canMove,
        press,
      });
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
      return io.isAttended && !flags.yes;
    },
    get isAttended() {
      return (
        io.stdinIsTty &&
        err.isTty &&
        agent === undefined &&
        !ci &&
        !flags.noInput &&
        !isOn(env['SVC_NO_INPUT'])
      );
    },
    get spinner() {
      return canMove && err.realColumns > 0 && !ci && !flags.json && !flags.quiet;
    },
    get bell() {
      const isHeard =
        err.isTty &&
        env['TERM'] !== 'dumb' &&
        agent === undefined &&
        !ci &&
        options.signal?.aborted !== true;
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
    withDefaultSignals: options.withDefaultSignals ?? ((work) => work()),
    async onKey(press) {
      const listener: KeyListener = { press };
      if (!io.isAttended) return undefined;
      const stop = () => keys.remove(listener);
      if (await keys.add(listener)) return stop;
      stop();
      return undefined;
    },
    readInput: (maxBytes) => readAll(options.stdin, maxBytes, options.signal),
  };
  return io;
}

async function readAll(
  stdin: Readable,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const { addAbortSignal } = await import('node:stream');
  if (signal !== undefined) addAbortSignal(signal, stdin);
  const bytes = await collectBytes(stdin, maxBytes);
  if (bytes === undefined) throw usageError(`Standard input has more than ${maxBytes} bytes.`);
  return bytes;
}
