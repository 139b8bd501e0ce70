import { expect, test } from 'vitest';
import type { Env } from '../../src/environment.ts';
import { colorLevelOf, hasLinks, hasUnicode } from '../../src/terminal/capabilities.ts';

test.each<[Env, boolean, number]>([
  [{ TERM: 'xterm' }, true, 1],
  [{ TERM: 'xterm-256color' }, true, 2],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, true, 3],
  [{ TERM: 'xterm-kitty' }, true, 3],
  [{ TERM: 'xterm-256color' }, false, 0],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, true, 0],
  [{}, true, 0],
  [{ TERM: 'xterm', NO_COLOR: '1' }, true, 0],
  [{ TERM: 'xterm', NO_COLOR: '' }, true, 1],
  [{ TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '3' }, true, 0],
  [{ FORCE_COLOR: '1' }, false, 1],
  [{ FORCE_COLOR: '3' }, false, 3],
  [{ FORCE_COLOR: 'true', TERM: 'xterm-256color' }, false, 2],
  [{ FORCE_COLOR: '', TERM: 'dumb' }, false, 1],
  [{ FORCE_COLOR: '0', TERM: 'xterm' }, true, 0],
  [{ FORCE_COLOR: 'false', TERM: 'xterm' }, true, 0],
])('%j with a terminal: %s has colour level %i', (env, isTty, level) => {
  expect(colorLevelOf(env, isTty, 'linux')).toBe(level);
});

test('a Windows terminal has colours without saying so', () => {
  expect(colorLevelOf({}, true, 'win32')).toBe(1);
  expect(colorLevelOf({ WT_SESSION: 'x' }, true, 'win32')).toBe(3);
});

test.each<[Env, string, boolean]>([
  [{ LANG: 'en_US.UTF-8' }, 'linux', true],
  [{ LANG: 'C.utf8' }, 'linux', true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'linux', false],
  [{ LANG: 'C', LC_CTYPE: 'C.UTF-8' }, 'linux', true],
  [{ LANG: 'fr_FR.ISO-8859-1' }, 'linux', false],
  [{}, 'linux', false],
  [{ LANG: 'en_US.UTF-8', TERM: 'linux' }, 'linux', false],
  [{ LANG: 'en_US.UTF-8', TERM: 'dumb' }, 'linux', false],
  [{ WT_SESSION: 'x' }, 'win32', true],
  [{}, 'win32', false],
])('%j on %s shows glyphs outside ASCII: %s', (env, platform, unicode) => {
  expect(hasUnicode(env, platform)).toBe(unicode);
});

const tmux = (version?: string) => ({
  ...{ TMUX: 'default,1,0', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: version, VTE_VERSION: '7200' },
});

test.each<[Env, boolean, boolean]>([
  [{ TERM_PROGRAM: 'WezTerm' }, true, true],
  [{ VTE_VERSION: '7200' }, true, true],
  [{ VTE_VERSION: '4999' }, true, false],
  [{ TERM: 'foot-extra' }, true, true],
  [{ TERM: 'xterm-256color' }, true, false],
  [{ TERM_PROGRAM: 'WezTerm' }, false, false],
  [{ TERM_PROGRAM: 'WezTerm', CI: '1' }, true, false],
  [tmux('3.4'), true, true],
  [tmux('next-3.6'), true, true],
  [tmux('4.0'), true, true],
  [tmux('3.3a'), true, false],
  [tmux(), true, false],
])('%j with a terminal: %s follows links: %s', (env, isTty, follows) => {
  expect(hasLinks(env, isTty)).toBe(follows);
});
