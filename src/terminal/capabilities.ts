import { type Env, isOn } from '../environment.ts';

/** How many colours may be used: none, 16, 256, or 16 million. */
type ColorLevel = 0 | 1 | 2 | 3;

/** The colours for an output. `NO_COLOR` wins over `FORCE_COLOR`, which wins over what the terminal seems to be. */
export function colorLevelOf(env: Env, isTty: boolean, platform: string): ColorLevel {
  if (env['NO_COLOR']) return 0;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forcedLevel(forced, env, platform);
  if (!isTty || env['TERM'] === 'dumb') return 0;
  return terminalLevel(env, platform);
}

function forcedLevel(forced: string, env: Env, platform: string): ColorLevel {
  if (forced === '0' || forced === 'false') return 0;
  if (forced === '1' || forced === '2' || forced === '3') return Number(forced) as 1 | 2 | 3;
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

/** Whether glyphs outside ASCII will be seen as such: a UTF-8 locale, and a terminal with more than a console font. */
export function hasUnicode(env: Env, platform: string): boolean {
  const term = env['TERM'];
  if (term === 'dumb' || term === 'linux') return false;
  if (platform === 'win32') return Boolean(env['WT_SESSION'] || env['TERM_PROGRAM'] || term);
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}

/** Terminals that make a link of OSC 8; others may print it as noise. */
const LINKING = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby']);

/** Whether the terminal is known to follow OSC 8 links. */
export function hasLinks(env: Env, isTty: boolean): boolean {
  if (!isTty || env['TERM'] === 'dumb' || isOn(env['CI']) || env['TMUX']) return false;
  if (env['WT_SESSION'] || env['KONSOLE_VERSION'] || env['TERM'] === 'xterm-kitty') return true;
  return LINKING.has(env['TERM_PROGRAM'] ?? '') || Number(env['VTE_VERSION'] ?? 0) >= 5000;
}

/** How an output wants its text. */
export interface View {
  /** Columns to lay out in. */
  readonly columns: number;
  readonly colorLevel: ColorLevel;
  /** Whether glyphs outside ASCII are drawn. */
  readonly unicode: boolean;
  /** Static lines in words, no drawings. */
  readonly accessible: boolean;
  readonly tty: boolean;
  /** Whether links are written as OSC 8. */
  readonly links: boolean;
  /** Wall time, in milliseconds since the epoch; dates are shown relative to it. */
  readonly now: number;
  /** An IANA name; the machine's own zone where absent. */
  readonly timeZone?: string;
  /** Takes out what must not be shown, whoever says it. */
  readonly conceal?: ((text: string) => string) | undefined;
}
