import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type BrowserSituation, openInBrowser, safeWebUrl, shouldOpenBrowser } from '../../src/sign-in/browser.ts';
import { machineOf } from '../../src/store/machine.ts';
import { fakeClock } from '../support/clock.ts';
import { until, untilWritten } from '../support/until.ts';

const DESK: BrowserSituation = {
  env: { DISPLAY: ':0' },
  platform: 'linux',
  uid: 1000,
  stdinIsTty: true,
  stderrIsTty: true,
  json: false,
};

test.each([
  ['at a Linux desk', {}, true],
  ['under Wayland', { env: { WAYLAND_DISPLAY: 'wayland-0' } }, true],
  ['with a browser of choice', { env: { BROWSER: 'firefox' } }, true],
  ['on macOS', { env: {}, platform: 'darwin' }, true],
  ['on Windows', { env: {}, platform: 'win32', uid: undefined }, true],
  ['with CI=false', { env: { DISPLAY: ':0', CI: 'false' } }, true],
  ['on Linux without a screen', { env: {} }, false],
  ['with stdin in a pipe', { stdinIsTty: false }, false],
  ['with stderr in a file', { stderrIsTty: false }, false],
  ['with --json', { json: true }, false],
  ['with SVC_NO_BROWSER', { env: { DISPLAY: ':0', SVC_NO_BROWSER: '1' } }, false],
  ['with BROWSER=none', { env: { DISPLAY: ':0', BROWSER: 'none' } }, false],
  ['in CI', { env: { DISPLAY: ':0', CI: 'true' } }, false],
  ['over SSH', { env: { DISPLAY: ':10', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' } }, false],
  ['under sudo', { uid: 0, env: { DISPLAY: ':0', SUDO_UID: '1000' } }, false],
])('%s: %j opens a browser: %s', (_where, change, isOpened) => {
  expect(shouldOpenBrowser({ ...DESK, ...change })).toBe(isOpened);
});

test.each([
  ['HTTPS://Example.com/a b', 'https://example.com/a%20b'],
  ['http://127.0.0.1:4750/x', 'http://127.0.0.1:4750/x'],
  ['http://example.com/', undefined],
  ['http://localhost.evil.example/', undefined],
  ['https://user:pw@example.com/', undefined],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  ['-version', undefined],
])('%j may be opened as %j', (text, href) => {
  expect(safeWebUrl(text)?.href).toBe(href);
});

test.runIf(process.platform === 'linux')(
  'a browser gets the address as one word; if it is closed later, none failed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-browser-'));
    const script = join(folder, 'browser');
    // The launcher may start it a second time: without its folder, it ends.
    const waits = 'while [ -e browser ] && [ ! -e late ]; do sleep 0.02; done';
    const says = `printf "%s|%s\\n" "$#" "$1" > seen; ${waits}; echo $$ > closed; exit 1`;
    writeFileSync(script, `#!/bin/sh\ncd "\${0%/*}" || exit; ${says}\n`);
    chmodSync(script, 0o755);
    // `BROWSER` names it, as the launcher of Linux desktops expects.
    vi.stubEnv('BROWSER', script);
    for (const screen of ['DISPLAY', 'WAYLAND_DISPLAY']) vi.stubEnv(screen, undefined);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true, force: true });
    });
    const page = new URL('https://example.com/device?code=WDJB-MJHT&a=$(id)');
    const clock = fakeClock();
    const onFailure = vi.fn();
    openInBrowser(page, clock, onFailure);
    expect(await untilWritten(join(folder, 'seen'))).toBe(`1|${page.href}\n`);
    clock.advance(6000);
    writeFileSync(join(folder, 'late'), '');
    const pid = Number(await untilWritten(join(folder, 'closed')));
    await until(() => !machineOf(process, 'here').isAlive(pid));
    // This process has heard of its end before anybody could find it gone.
    await new Promise((resolve) => setImmediate(resolve));
    expect(onFailure).not.toHaveBeenCalled();
  },
);
