import { type Env, isOn } from '../environment.ts';
import type { ColorLevel } from './terminal.ts';

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
  if (ONE_COLOR.test(env['TERM'] ?? '')) return 0;
  const colorTerm = env['COLORTERM'];
  if (colorTerm === 'truecolor' || colorTerm === '24bit' || env['WT_SESSION']) return 3;
  const term = env['TERM'] ?? '';
  if (/-direct$|kitty|ghostty|wezterm/.test(term)) return 3;
  if (/-256(color)?$/.test(term)) return 2;
  return platform === 'win32' || term !== '' || colorTerm ? 1 : 0;
}

/** Whether the locale is UTF-8, and the terminal has more than a console font. */
export function hasUnicode(env: Env, platform: string): boolean {
  const term = env['TERM'];
  if (term === 'dumb' || term === 'linux') return false;
  if (platform === 'win32') return Boolean(env['WT_SESSION'] || env['TERM_PROGRAM'] || term);
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
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
