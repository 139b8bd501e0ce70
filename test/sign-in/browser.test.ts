import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openInBrowser, safeWebUrl, shouldOpenBrowser } from '../../src/sign-in/browser.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/svc.ts';
import { untilWritten } from '../support/until.ts';

const DISPLAY = ':0';
const DESK = { platform: 'linux', uid: 1000, stdinIsTty: true, stderrIsTty: true, json: false };

test.each([
  ['at a Linux desk', {}, true],
  ['on Linux without a screen', { env: {} }, false],
  ['with stdin in a pipe', { stdinIsTty: false }, false],
  ['with --json', { json: true }, false],
  ['with SVC_NO_BROWSER', { env: { DISPLAY, SVC_NO_BROWSER: '1' } }, false],
  ['with BROWSER=none', { env: { DISPLAY, BROWSER: 'none' } }, false],
  ['in CI', { env: { DISPLAY, CI: 'true' } }, false],
  ['over SSH', { env: { DISPLAY, SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' } }, false],
  ['under sudo', { uid: 0, env: { DISPLAY, SUDO_UID: '1000' } }, false],
])('%s: %j opens a browser: %s', (_where, change, isOpened) => {
  expect(shouldOpenBrowser({ env: { DISPLAY }, ...DESK, ...change })).toBe(isOpened);
});

test.each([
  ['HTTPS://Example.com/a b', 'https://example.com/a%20b'],
  ['http://127.0.0.1:4750/x', 'http://127.0.0.1:4750/x'],
  ['http://localhost.evil.example/', undefined],
  ['https://user:pw@example.com/', undefined],
  ['-version', undefined],
])('%j may be opened as %j', (text, href) => {
  expect(safeWebUrl(text)?.href).toBe(href);
});

test.runIf(process.platform === 'linux')('a browser gets the address as one word, which no shell reads', async () => {
  const folder = await temporaryFolder();
  const script = join(folder, 'browser');
  writeFileSync(script, `#!/bin/sh\ncd "\${0%/*}" && printf "%s|%s\\n" "$#" "$1" > seen\n`);
  chmodSync(script, 0o755);
  // `BROWSER` names it, as the launcher of Linux desktops expects.
  vi.stubEnv('BROWSER', script);
  for (const screen of ['DISPLAY', 'WAYLAND_DISPLAY']) vi.stubEnv(screen, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const page = new URL('https://example.com/device?code=WDJB-MJHT&a=$(id)');
  openInBrowser(page, fakeClock(), () => {});
  expect(await untilWritten(join(folder, 'seen'))).toBe(`1|${page.href}\n`);
});
