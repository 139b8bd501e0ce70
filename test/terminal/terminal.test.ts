import { expect, test } from 'vitest';
import type { Env } from '../../src/environment.ts';
import { getColorLevel, hasLinks, hasUnicode } from '../../src/terminal/streams.ts';

test.each<[Env, boolean, number]>([
  [{ TERM: 'xterm' }, true, 1],
  [{ TERM: 'xterm-256color' }, true, 2],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, true, 3],
  [{ TERM: 'xterm-256color' }, false, 0],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, true, 0],
  [{ TERM: 'xterm', NO_COLOR: '' }, true, 1],
  [{ TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '3' }, true, 0],
  [{ FORCE_COLOR: 'true', TERM: 'xterm-256color' }, false, 2],
  [{ FORCE_COLOR: '0', TERM: 'xterm' }, true, 0],
  [{ CLICOLOR: '0', TERM: 'xterm' }, true, 0],
  [{ CLICOLOR: '1', TERM: 'xterm' }, true, 1],
  [{ CLICOLOR: '1', TERM: 'xterm' }, false, 0],
  [{ CLICOLOR_FORCE: '1', TERM: 'xterm' }, false, 1],
  [{ CLICOLOR_FORCE: '1', CLICOLOR: '0', TERM: 'xterm-256color' }, false, 2],
  [{ CLICOLOR_FORCE: '0', TERM: 'xterm' }, false, 0],
  [{ CLICOLOR_FORCE: '1', NO_COLOR: '1', TERM: 'xterm' }, true, 0],
  [{ CLICOLOR_FORCE: '1', FORCE_COLOR: '0', TERM: 'xterm' }, true, 0],
  [{ TERM: 'vt100' }, true, 0],
  [{ TERM: 'vt220', COLORTERM: 'truecolor' }, true, 0],
  [{ TERM: 'vt102-w' }, true, 0],
  [{ TERM: 'xterm-mono' }, true, 0],
  [{ TERM: 'vt220', CLICOLOR_FORCE: '1' }, true, 1],
])('%j with a terminal: %s has colour level %i', (env, isTty, level) => {
  expect(getColorLevel(env, isTty, 'linux')).toBe(level);
});

test('a Windows terminal has colours without saying so', () => {
  expect(getColorLevel({}, true, 'win32')).toBe(1);
});

test.each<[Env, string, boolean]>([
  [{ LANG: 'C.utf8' }, 'linux', true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'linux', false],
  [{}, 'linux', false],
  [{ LANG: 'en_US.UTF-8', TERM: 'linux' }, 'linux', false],
  [{ WT_SESSION: 'x' }, 'win32', true],
  [{}, 'win32', false],
])('%j on %s shows glyphs outside ASCII: %s', (env, platform, unicode) => {
  expect(hasUnicode(env, platform)).toBe(unicode);
});

test.each<[Env, boolean, boolean]>([
  [{ TERM_PROGRAM: 'WezTerm' }, true, true],
  [{ TERM: 'xterm-256color' }, true, false],
  [{ TERM_PROGRAM: 'WezTerm' }, false, false],
  [{ TMUX: 'default', TERM_PROGRAM: 'tmux', VTE_VERSION: '7200' }, true, false],
])('%j with a terminal: %s follows links: %s', (env, isTty, follows) => {
  expect(hasLinks(env, isTty)).toBe(follows);
});
