import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const START = {
  deviceCode: 'DEVICE-CODE-SECRET',
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://example.com/device',
  verificationUriComplete: 'https://example.com/device?code=WDJB-MJHT',
  expiresIn: 900,
  interval: 1,
};
const TOKEN = 'svc_CANARY_of_a_device_login_1';
const ISSUED = {
  token: TOKEN,
  tokenId: 'tok_9',
  expiresAt: '2026-05-30T12:00:00.000Z',
  organizationId: 'org_1',
  user: { email: 'marie@example.com' },
};

test('a login shows the code, waits as asked, and stores the token for its address alone', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  const poll = wire.on('POST', '/v1/auth/device/token');
  poll.reply(400, { error: 'authorization_pending' }).reply(400, { error: 'slow_down' }).reply(200, ISSUED);
  const configDir = await temporaryFolder();
  const clock = fakeClock();
  const options = { url: wire.url, token: null, configDir, clock, random: () => 0 };
  const run = await svc(['login', '--name', 'marie-laptop'], options);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toBe('');
  expect(run.stderr.replaceAll(configDir, '<config>').replaceAll(wire.url, '<url>')).toMatchInlineSnapshot(`
    "Sign in to svc  (<url>)

      1. Open             https://example.com/device
      2. Confirm code     WDJB-MJHT
         for this device  marie-laptop

      Direct link: https://example.com/device?code=WDJB-MJHT
      Approve only if you started this login yourself;
      never approve a code someone sent you.

    Waiting for approval...
    ✓ Signed in as marie@example.com (organization org_1). Token tok_9 saved to
      <config>/credentials.json, expires 30 May 2026.
    "
  `);
  expect(wire.requests.map(({ json, headers }) => [json, headers['authorization']])).toEqual([
    [{ clientName: 'marie-laptop' }, undefined],
    [{ deviceCode: 'DEVICE-CODE-SECRET' }, undefined],
    [{ deviceCode: 'DEVICE-CODE-SECRET' }, undefined],
    [{ deviceCode: 'DEVICE-CODE-SECRET' }, undefined],
  ]);
  const file = join(configDir, 'credentials.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain(TOKEN);
  expect(run.stderr).not.toContain('CANARY');
});

test('--json prints one event a line, and neither the device code nor the token', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
  const run = await svc(['login', '--json'], { url: wire.url, token: null, clock: fakeClock(), env: { CI: '1' } });
  const events = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toMatchObject([
    { event: 'login_pending', userCode: 'WDJB-MJHT', interval: 1, clientName: 'marie-laptop' },
    { event: 'login_succeeded', user: { email: 'marie@example.com' }, tokenId: 'tok_9' },
  ]);
  expect(run.stdout + run.stderr).not.toMatch(/CANARY|DEVICE-CODE/);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a login that is refused ends with 9 and leaves nothing behind', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  wire.on('POST', '/v1/auth/device/token').reply(400, { error: 'access_denied' });
  const configDir = await temporaryFolder();
  const run = await svc(['login'], { url: wire.url, token: null, clock: fakeClock(), configDir });
  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('Error: Login was refused in the browser.');
  expect(existsSync(join(configDir, 'credentials.json'))).toBe(false);
});

test('in CI a login where nobody can approve ends before anything is sent', async () => {
  const wire = await testWire();
  const run = await svc(['login'], { url: wire.url, token: null, env: { CI: 'true' } });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('No one can approve here; set SVC_TOKEN.');
});

test('the stored token is used for its address, and no other address sees it', async () => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
  await svc(['login', '--api-url', wire.url], { configDir, clock: fakeClock() });
  wire.on('GET', '/v1/user').reply(200, { user: { email: 'marie@example.com' } });
  const here = await svc(['whoami'], { configDir });
  expect(here.exitCode).toBe(0);
  expect(wire.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${TOKEN}`);
  const other = await testWire();
  const elsewhere = await svc(['whoami', '--json'], { configDir, url: other.url, token: null });
  expect(elsewhere.exitCode).toBe(4);
  expect(elsewhere.error).toMatchObject({ code: 'unauthenticated', exitCode: 4 });
  expect(other.requests).toEqual([]);
});

test('--with-token stores what the service accepts', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, { user: { email: 'ci@example.com' }, token: { id: 'tok_1' } });
  const configDir = await temporaryFolder();
  const run = await svc(['login', '--with-token'], { url: wire.url, token: null, configDir, stdin: ` ${TOKEN}\n` });
  expect(run.stderr).toContain('Signed in as ci@example.com.');
  expect(readFileSync(join(configDir, 'credentials.json'), 'utf8')).toContain(TOKEN);
});

test('--with-token stores nothing that the service refuses', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(401, { error: 'invalid token' });
  const configDir = await temporaryFolder();
  const run = await svc(['login', '--with-token'], { url: wire.url, token: null, configDir, stdin: TOKEN });
  expect(run.exitCode).toBe(4);
  expect(existsSync(join(configDir, 'credentials.json'))).toBe(false);
});

test('a login that --no-wait starts is completed by another process, and the code is never shown', async () => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  const clock = fakeClock();
  const started = await svc(['login', '--no-wait', '--json'], { url: wire.url, token: null, configDir, clock });
  expect(JSON.parse(started.stdout)).toMatchObject({ event: 'login_pending', userCode: 'WDJB-MJHT' });
  wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
  const completed = await svc(['login', '--complete'], { url: wire.url, token: null, configDir, clock });
  expect(completed.exitCode).toBe(0);
  expect(started.stdout + completed.stderr).not.toMatch(/DEVICE-CODE|CANARY/);
  expect(existsSync(join(configDir, 'pending-login.json'))).toBe(false);
});

test('logout forgets the token, says that it lives on, and may be repeated', async () => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
  await svc(['login', '--api-url', wire.url], { configDir, clock: fakeClock() });
  const first = await svc(['logout'], { configDir });
  expect(first.stdout).toContain('tok_9');
  expect(readFileSync(join(configDir, 'credentials.json'), 'utf8')).not.toContain('CANARY');
  const second = await svc(['logout'], { configDir });
  expect(second).toMatchObject({ exitCode: 0, stdout: 'No token was stored, so there is nothing to forget.\n' });
});
