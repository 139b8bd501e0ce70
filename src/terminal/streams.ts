import { type Clock, systemClock } from '../clock.ts';
import { collectBytes } from '../collect.ts';
import { findAgent, isOn } from '../environment.ts';
import { usageError } from '../errors.ts';
import { getColorLevel, hasLinks, hasUnicode } from './capabilities.ts';
import { KeyReader, type KeyReaderOptions } from './keys.ts';
import { createGuard, createOutput } from './output.ts';
import type {
  FullScreen,
  Host,
  Notes,
  Output,
  OutputStream,
  Progresses,
  Prompts,
  View,
} from './terminal.ts';

/** The streams of a command, with prompts, notes and progress. */
export type Io = Omit<Terminal, 'options' | 'flags' | 'keys' | 'screens' | 'configure'> &
  Prompts &
  Notes &
  Progresses;

/** The streams of a process, and what belongs to them. */
export interface IoOptions extends KeyReaderOptions {
  readonly stdout: OutputStream;
  readonly platform: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
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

/**
 * The streams of a process, and what they can do. Commands see it through other objects, so its
 * fields are neither private nor set anew.
 */
export class Terminal {
  readonly out: Output;
  readonly err: Output;
  readonly unicode: boolean;
  readonly accessible: boolean;
  readonly agent: string | undefined;
  /** The program that runs the command inside svc, if another one does. */
  readonly host: Host | undefined;
  /** Whether it draws anew what it has drawn. */
  readonly canMove: boolean;
  /** Runs work that blocks the event loop and may never end, so that Ctrl-C still works. */
  readonly withDefaultSignals: <T>(work: () => T) => T;
  readonly keys: KeyReader;
  readonly options: IoOptions;
  readonly flags: Partial<IoFlags> = {};
  readonly screens = new Set<FullScreen>();

  constructor(options: IoOptions) {
    const { env, stdout, stderr, platform } = options;
    const getColors = (stream: OutputStream) => () => {
      const isPlain = this.flags.noColor || this.flags.json;
      return isPlain ? 0 : getColorLevel(env, stream.isTTY === true, platform);
    };
    const guard = createGuard(env);
    this.options = options;
    this.out = createOutput(stdout, 'standard output', getColors(stdout), guard);
    this.err = createOutput(stderr, 'standard error', getColors(stderr), guard);
    this.unicode = hasUnicode(env, platform);
    this.accessible = isOn(env['ACCESSIBLE']);
    this.agent = findAgent(env);
    this.host = options.host;
    this.canMove = env['TERM'] !== 'dumb' && !this.accessible && this.agent === undefined;
    this.withDefaultSignals = options.withDefaultSignals ?? ((work) => work());
    this.keys = new KeyReader(options);
  }

  configure(flags: IoFlags): void {
    Object.assign(this.flags, flags);
  }

  get json(): boolean {
    return this.flags.json === true;
  }

  get quiet(): boolean {
    return this.flags.quiet === true;
  }

  get stdinIsTty(): boolean {
    return this.options.stdin.isTTY === true;
  }

  /** Whether a person can be asked: one is there, and `--yes` does not answer for them. */
  get interactive(): boolean {
    return this.isAttended && !this.flags.yes;
  }

  /** Whether a person reads the terminal and can press keys. */
  get isAttended(): boolean {
    const isForbidden = this.flags.noInput || isOn(this.options.env['SVC_NO_INPUT']);
    return this.stdinIsTty && this.hasReader && !isForbidden;
  }

  /** Whether a person seems to read stderr. */
  get hasReader(): boolean {
    return this.err.isTty && this.agent === undefined && !isOn(this.options.env['CI']);
  }

  get spinner(): boolean {
    const isWanted = !isOn(this.options.env['CI']) && !this.json && !this.quiet;
    return this.canMove && this.err.realColumns > 0 && isWanted;
  }

  /** Whether a long wait may end with a bell. */
  get bell(): boolean {
    const { env, signal } = this.options;
    const isHeard = this.hasReader && env['TERM'] !== 'dumb' && signal?.aborted !== true;
    return isHeard && !this.json && !this.quiet && this.flags.bell?.() !== false;
  }

  /** Whether a full screen can be drawn here and driven by keys. */
  get hasFullScreen(): boolean {
    return this.canMove && this.keys.isAvailable && this.isAttended;
  }

  /**
   * Takes the whole terminal, until `restoreTerminal` at the latest. `content` returns what to
   * draw, and is told whether there are keys.
   */
  async fullScreen(
    content: (hasKeys: boolean) => Promise<string>,
    onKey: (key: string) => void,
  ): Promise<FullScreen> {
    const { openFullScreen } = await import('./full-screen.ts');
    const { keys, canMove, out: output } = this;
    const { stdout } = this.options;
    const screen = openFullScreen(content, { keys, stdout, output, canMove, onKey });
    this.screens.add(screen);
    return screen;
  }

  view(output: Output): View {
    const { env, clock = systemClock, conceal = (text) => text } = this.options;
    return {
      columns: output.columns,
      rows: output.rows,
      colorLevel: output.colorLevel,
      unicode: this.unicode,
      accessible: this.accessible,
      tty: output.isTty,
      links: output.colorLevel > 0 && hasLinks(env, output.isTty),
      home: env['HOME'] || env['USERPROFILE'],
      now: clock.now(),
      conceal,
    };
  }

  /**
   * Calls `act` with each key that is pressed, until the function it resolves with is called:
   * undefined in the background, and if nobody is there.
   */
  async onKey(act: (key: string) => void): Promise<(() => void) | undefined> {
    if (!this.isAttended) return undefined;
    const listener = { onKey: act };
    const stop = () => this.keys.removeListener(listener);
    if (await this.keys.addListener(listener)) return stop;
    stop();
    return undefined;
  }

  /** Reads all of stdin. Throws CliError `usage` above `maxBytes`. */
  async readInput(maxBytes: number): Promise<Buffer> {
    const { stdin, signal } = this.options;
    const { addAbortSignal } = await import('node:stream');
    if (signal !== undefined) addAbortSignal(signal, stdin);
    const bytes = await collectBytes(stdin, maxBytes);
    if (bytes === undefined) throw usageError(`Standard input has more than ${maxBytes} bytes.`);
    return bytes;
  }
}
