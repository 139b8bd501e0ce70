import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { approvingService, ISSUED, START, START_SHOWN } from '../support/device-login.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const TOKEN = ISSUED.token;

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
  // slow_down makes the polling slower.
  expect(clock.monotonic()).toBe(1_000 + 1_000 + 6_000);
  expect(run.stdout).toBe('');
  expect(run.stderr.replaceAll(configDir, '<config>').replaceAll(wire.url, '<url>')).toBe(`${START_SHOWN}\
Waiting for approval...
✓ Signed in as marie@example.com
  Organization  org_1
  Valid until   30 May 2026
  Stored in     <config>/credentials.json
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

test('in CI, a login that nobody can approve ends before anything is sent', async () => {
  const wire = await testWire();
  const run = await svc(['login'], { url: wire.url, token: null, env: { CI: 'true' } });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('There is nobody to approve a login in CI. Set SVC_TOKEN.');
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

describe('options that cannot be used together', () => {
  test.each([
    [['--with-token', '--complete'], '--with-token and --complete cannot be used together.'],
    [['--complete', '--no-wait'], '--complete and --no-wait cannot be used together.'],
    [['--with-token', '--print-token'], '--with-token has nothing to print.'],
    [['--no-wait', '--print-token'], '--no-wait has no token to print'],
    [['--print-token', '--json'], '--print-token prints the bare token, which --json never shows.'],
    [['--name', ' '], '--name is empty.'],
    [['--with-token', '--name', 'x'], '--name cannot be used with --with-token.'],
  ])('%j', async (argv, said) => {
    const wire = await testWire();
    const run = await svc(['login', ...argv], { url: wire.url, token: null });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(said);
    expect(wire.requests).toEqual([]);
  });
});

test.each(['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN'])('a login says that %s wins over it', async (name) => {
  const wire = await approvingService();
  const run = await svc(['login'], {
    url: wire.url,
    token: null,
    clock: fakeClock(),
    env: { [name]: 'svc_CANARY_env' },
  });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain(`Warning: ${name} is set and will be used instead of this login.\n`);
  expect(run.stderr).not.toContain('CANARY');
});

test('the name on the approval page is the one given, without control characters', async () => {
  const wire = await approvingService();
  const name = `a\u001b[2J\u202eb${'x'.repeat(100)}`;
  const run = await svc(['login', '--name', name], { url: wire.url, token: null, clock: fakeClock() });
  const clientName = `a [2J b${'x'.repeat(56)}…`;
  expect(wire.requests[0]?.json).toEqual({ clientName });
  expect(clientName).toHaveLength(64);
  expect(run.stderr.replace(/\s+/g, ' ')).toContain(`the device is ${clientName}`);
});

test.each([
  ['a script', { verificationUri: 'javascript:alert(1)', verificationUriComplete: 'file:///etc/passwd' }],
  ['a user name', { verificationUri: 'https://bank.example@evil.example/', verificationUriComplete: undefined }],
])('a page to approve on that is %s is not shown', async (_title, links) => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, { ...START, ...links });
  const run = await svc(['login', '--json'], { url: wire.url, token: null });
  expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected' } });
  expect(run.error['error']).toContain('it has no usable verificationUri');
});

test('a code that could drive the terminal is shown harmless, and a link of another site is left out', async () => {
  const wire = await testWire();
  const start = { ...START, userCode: 'A\u001b]0;x\u0007B', verificationUriComplete: 'https://evil.example/?code=1' };
  wire.on('POST', '/v1/auth/device').reply(200, start);
  wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
  const run = await svc(['login'], { url: wire.url, token: null, clock: fakeClock() });
  expect(run.stderr).not.toMatch(/[\u001b\u0007]/);
  expect(run.stderr).toContain('A\\u{1b}]0;x\\u{7}B');
  expect(run.stderr).not.toContain('https://evil.example');
});

test('events can be filtered', async () => {
  const wire = await approvingService();
  const run = await svc(['login', '--jq', '.userCode // .tokenId'], { url: wire.url, token: null, clock: fakeClock() });
  expect(run).toMatchObject({ exitCode: 0, stdout: 'WDJB-MJHT\ntok_9\n', stderr: '' });
});

describe('--print-token', () => {
  test('prints the token on stdout alone, and writes no file', async () => {
    const wire = await approvingService();
    const configDir = await temporaryFolder();
    const run = await svc(['login', '--print-token'], { url: wire.url, token: null, clock: fakeClock(), configDir });
    expect(run).toMatchObject({ exitCode: 0, stdout: `${TOKEN}\n` });
    expect(run.stderr.replace(/\s+/g, ' ')).toContain(
      'The token is not stored. Token tok_9 Organization org_1 Valid until 30 May 2026',
    );
    expect(run.stderr).not.toContain('CANARY');
    expect(readdirSync(configDir)).toEqual([]);
  });
});

test('a damaged credentials file is set aside by a login, and named', async () => {
  const wire = await approvingService();
  const configDir = await temporaryFolder();
  writeFileSync(join(configDir, 'credentials.json'), '{"version":1,', { mode: 0o600 });
  const run = await svc(['login'], { url: wire.url, token: null, clock: fakeClock(), configDir });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain('The credentials file was damaged; it is now');
  expect(readdirSync(configDir)).toContainEqual(expect.stringMatching(/^credentials\.json\.corrupt-20260301T120/));
});

test('what people are warned of reaches scripts as lines of JSON', async () => {
  const wire = await approvingService();
  const configDir = await temporaryFolder();
  writeFileSync(join(configDir, 'credentials.json'), '{"half":', { mode: 0o600 });
  const run = await svc(['login', '--json'], { url: wire.url, token: null, configDir, clock: fakeClock() });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(JSON.parse(run.stderr)).toEqual({
    warning: expect.stringContaining('The credentials file was damaged; it is now'),
    code: 'login_doubtful',
  });
});

test('--timeout applies to a platform that does not answer the start of a login', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').hang();
  const run = await svc(['login', '--no-browser', '--timeout', '3s'], { url: wire.url, token: null });
  expect(run.exitCode).toBe(8);
  expect(wire.requests).toHaveLength(1);
});
