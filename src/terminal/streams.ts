import type { Clock } from '../clock.ts';
import { collectBytes } from '../collect.ts';
import { type Env, findAgent, isOn } from '../environment.ts';
import { usageError } from '../errors.ts';
import type { FullScreen } from './full-screen.ts';
import { KeyReader, type KeyReaderOptions } from './keys.ts';
import { createGuard, createOutput, type Output } from './output.ts';
import type { ColorLevel, Host, OutputStream, View } from './terminal.ts';

/** The streams of a process, and what belongs to them. */
export interface IoOptions extends KeyReaderOptions {
  readonly stdout: OutputStream;
  readonly platform: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Runs blocking work so that a signal ends the process at once. */
  readonly withDefaultSignals: <T>(work: () => T) => T;
  readonly host?: Host | undefined;
  readonly conceal: (text: string) => string;
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
    this.withDefaultSignals = options.withDefaultSignals;
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
    const isHeard = this.hasReader && env['TERM'] !== 'dumb' && !signal.aborted;
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
    const screen = openFullScreen(this, content, onKey);
    this.screens.add(screen);
    return screen;
  }

  view(output: Output): View {
    const { env, clock, conceal } = this.options;
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
    addAbortSignal(signal, stdin);
    const bytes = await collectBytes(stdin, maxBytes);
    if (bytes === undefined) throw usageError(`Standard input has more than ${maxBytes} bytes.`);
    return bytes;
  }
}

/**
 * Returns the colours of an output: `NO_COLOR` decides, then `FORCE_COLOR`, `CLICOLOR_FORCE` and
 * `CLICOLOR`, and last the terminal.
 */
export function getColorLevel(env: Env, isTty: boolean, platform: string): ColorLevel {
  if (env['NO_COLOR']) return 0;
  const forced = env['FORCE_COLOR'] ?? (isOn(env['CLICOLOR_FORCE']) ? 'true' : undefined);
  if (forced === undefined) {
    const isWanted = isTty && env['TERM'] !== 'dumb' && env['CLICOLOR'] !== '0';
    return isWanted ? getTerminalLevel(env, platform) : 0;
  }
  if (forced === '0' || forced === 'false') return 0;
  if (/^[123]$/.test(forced)) return Number(forced) as ColorLevel;
  return Math.max(1, getTerminalLevel(env, platform)) as ColorLevel;
}

/** The terminals of one colour: the VT52 to VT420 of DEC, and what calls itself so. */
const ONE_COLOR = /^vt\d{2,3}(?:-(?!color)\w{1,20})?$|-m(?:ono)?$/;

function getTerminalLevel(env: Env, platform: string): ColorLevel {
  const { TERM = '', COLORTERM = '', WT_SESSION } = env;
  if (ONE_COLOR.test(TERM)) return 0;
  if (/^(?:truecolor|24bit)$/.test(COLORTERM) || WT_SESSION) return 3;
  if (/-direct$|kitty|ghostty|wezterm/.test(TERM)) return 3;
  if (/-256(color)?$/.test(TERM)) return 2;
  return platform === 'win32' || TERM || COLORTERM ? 1 : 0;
}

/** Whether the locale is UTF-8, and the terminal has more than a console font. */
export function hasUnicode(env: Env, platform: string): boolean {
  const { TERM, WT_SESSION, TERM_PROGRAM, LC_ALL, LC_CTYPE, LANG } = env;
  if (TERM === 'dumb' || TERM === 'linux') return false;
  if (platform === 'win32') return Boolean(WT_SESSION || TERM_PROGRAM || TERM);
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

const LINKING_PROGRAMS = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby']);
const LINKING_TERM = /^(?:xterm-kitty|foot|alacritty)/;

/** Whether the terminal is known to support OSC 8 links; others may print noise. */
export function hasLinks(env: Env, isTty: boolean): boolean {
  const { TERM = '', TERM_PROGRAM = '' } = env;
  // The variables of the terminal outside are visible inside tmux.
  if (!isTty || TERM === 'dumb' || isOn(env['CI']) || env['TMUX']) return false;
  if (env['WT_SESSION'] || env['KONSOLE_VERSION'] || LINKING_TERM.test(TERM)) return true;
  return LINKING_PROGRAMS.has(TERM_PROGRAM) || Number(env['VTE_VERSION'] ?? 0) >= 5000;
}
