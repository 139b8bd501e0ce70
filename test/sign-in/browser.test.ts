import { expect, test } from 'vitest';
import { parseSafeUrl, shouldOpenBrowser } from '../../src/sign-in/browser.ts';

const DISPLAY = ':0';
const DESK = { platform: 'linux', uid: 1000, stdinIsTty: true, stderrIsTty: true, json: false };

test.each([
  ['at a Linux desk', {}, true],
  ['on Linux without a screen', { env: {} }, false],
  ['with stdin in a pipe', { stdinIsTty: false }, false],
  ['with SVC_NO_BROWSER', { env: { DISPLAY, SVC_NO_BROWSER: '1' } }, false],
  ['with BROWSER=none', { env: { DISPLAY, BROWSER: 'none' } }, false],
  ['in CI', { env: { DISPLAY, CI: 'true' } }, false],
  ['over SSH', { env: { DISPLAY, SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' } }, false],
  [
    'over SSH with a BROWSER of a remote editor',
    { env: { SSH_CONNECTION: 'x', BROWSER: '/x' } },
    true,
  ],
  ['over SSH with BROWSER=none', { env: { SSH_CONNECTION: 'x', BROWSER: 'none' } }, false],
  ['under sudo', { uid: 0, env: { DISPLAY, SUDO_UID: '1000' } }, false],
])('%s: %j opens a browser: %s', (_where, change, isOpened) => {
  expect(shouldOpenBrowser({ env: { DISPLAY }, ...DESK, ...change })).toBe(isOpened);
});

test.each([
  ['HTTPS://Example.com/a b', 'https://example.com/a%20b'],
  ['http://127.0.0.1:4750/x', 'http://127.0.0.1:4750/x'],
  ['http://api.localhost/x', 'http://api.localhost/x'],
  ['http://localhost.evil.example/', undefined],
  ['https://user:pw@example.com/', undefined],
  ['https://user@example.com/', undefined],
  ['-version', undefined],
])('%j may be opened as %j', (text, href) => {
  expect(parseSafeUrl(text)?.href).toBe(href);
});
