import { type Env, isOn } from '../environment.ts';

/** Colours an output may use: none, 16, 256 or 16 million. */
export type ColorLevel = 0 | 1 | 2 | 3;

/** How an output is laid out. */
export interface View {
  readonly columns: number;
  /** Absent or 0 if unknown. */
  readonly rows?: number;
  readonly colorLevel: ColorLevel;
  readonly unicode: boolean;
  /** Static lines in words, no drawings. */
  readonly accessible: boolean;
  readonly tty: boolean;
  /** Write links as OSC 8. */
  readonly links: boolean;
  /** Returns the page of an id in the dashboard, if the whole text is one. */
  readonly pageOf?: ((text: string) => string | undefined) | undefined;
  /** Paths below it are shown with `~`. */
  readonly home?: string | undefined;
  /** Milliseconds since the epoch; dates are shown relative to it. */
  readonly now: number;
  /** IANA name; the system's zone by default. */
  readonly timeZone?: string;
  /** Shows dates without the distance from now. */
  readonly areDatesBrief?: boolean;
  /** The instant that names each offset of the zone on this screen. */
  readonly zones?: Map<string, object>;
  /** Redacts text before it is shown. */
  readonly conceal?: ((text: string) => string) | undefined;
}

/** Columns to break text at: none off a terminal, so that `grep` finds whole records. Drawings have the columns of the view. */
export function textColumns({ tty, columns }: Pick<View, 'tty' | 'columns'>): number {
  return tty ? columns : Number.POSITIVE_INFINITY;
}

/** Returns the colours for an output: `NO_COLOR` first, then `FORCE_COLOR`, then the terminal's own. */
export function colorLevelOf(env: Env, isTty: boolean, platform: string): ColorLevel {
  if (env['NO_COLOR']) return 0;
  const forced = env['FORCE_COLOR'];
  if (forced === undefined) return isTty && env['TERM'] !== 'dumb' ? terminalLevel(env, platform) : 0;
  if (forced === '0' || forced === 'false') return 0;
  if (forced === '1' || forced === '2' || forced === '3') return Number(forced) as ColorLevel;
  return Math.max(1, terminalLevel(env, platform)) as ColorLevel;
}

function terminalLevel(env: Env, platform: string): ColorLevel {
  const colorTerm = env['COLORTERM'];
  if (colorTerm === 'truecolor' || colorTerm === '24bit' || env['WT_SESSION']) return 3;
  const term = env['TERM'] ?? '';
  if (/-direct$|kitty|ghostty|wezterm/.test(term)) return 3;
  if (/-256(color)?$/.test(term)) return 2;
  return platform === 'win32' || term !== '' || colorTerm ? 1 : 0;
}

/** Returns true for a UTF-8 locale on a terminal with more than a console font. */
export function hasUnicode(env: Env, platform: string): boolean {
  const term = env['TERM'];
  if (term === 'dumb' || term === 'linux') return false;
  if (platform === 'win32') return Boolean(env['WT_SESSION'] || env['TERM_PROGRAM'] || term);
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}

const LINKING_PROGRAMS = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby']);

const LINKING_TERM = /^(?:xterm-kitty|foot|alacritty)/;

/** Returns true only for terminals known to support OSC 8 links; others may print them as noise. */
export function hasLinks(env: Env, isTty: boolean): boolean {
  const { TERM = '', TERM_PROGRAM = '' } = env;
  if (!isTty || TERM === 'dumb' || isOn(env['CI'])) return false;
  // The variables of the terminal outside are visible inside tmux.
  if (env['TMUX']) return TERM_PROGRAM === 'tmux' && isTmuxWithLinks(env['TERM_PROGRAM_VERSION'] ?? '');
  if (env['WT_SESSION'] || env['KONSOLE_VERSION'] || LINKING_TERM.test(TERM)) return true;
  return LINKING_PROGRAMS.has(TERM_PROGRAM) || Number(env['VTE_VERSION'] ?? 0) >= 5000;
}

/** Since 3.4; versions look like `3.3a` and `next-3.5`. */
function isTmuxWithLinks(version: string): boolean {
  const [, major = 0, minor = 0] = /^(?:next-)?(\d{1,4})\.(\d{1,4})/.exec(version)?.map(Number) ?? [];
  return major > 3 || (major === 3 && minor >= 4);
}
