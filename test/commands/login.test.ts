import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { journalText } from '../../src/login/credentials/journal.ts';
import { fakeClock } from '../support/clock.ts';
import { ISSUED, START } from '../support/device-login.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
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

/** A service whose logins are approved at the first poll. */
async function approving(issued: unknown = ISSUED) {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').always(200, START);
  wire.on('POST', '/v1/auth/device/token').always(200, issued);
  return wire;
}

describe('the profile of a login', () => {
  test('its former sign-in gives way, and the token that lives on is named', async () => {
    const wire = await approving();
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('home', 'https://b.example.com'), storedSignIn('work', wire.url));
    const run = await svc(['login', '--profile', 'work'], { configDir, clock: fakeClock() });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toContain('Signed in as marie@example.com (organization org_1, profile work).');
    expect(run.stderr.replace(/\s+/g, ' ')).toContain(
      'Token tok_work ("marie-laptop") stays valid at the service until 30 May 2026; revoke it in Settings > API tokens to end it.',
    );
    expect(readSignIns(configDir)).toMatchObject({
      current: 'work',
      credentials: [{ profile: 'home' }, { profile: 'work', tokenId: 'tok_9' }],
    });
  });

  test('a new one is for the address in use unless another is given', async () => {
    const wire = await approving();
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('home', wire.url));
    expect((await svc(['login', '--profile', 'work'], { configDir, clock: fakeClock() })).exitCode).toBe(0);
    const { current, credentials } = readSignIns(configDir);
    expect([current, ...credentials.map(({ profile, baseUrl }) => `${profile} ${baseUrl}`)]).toEqual([
      'work',
      `home ${wire.url}`,
      `work ${wire.url}`,
    ]);
  });

  test.each([[[]], [['--profile', 'work']]])('%j without any address asks for one', async (argv) => {
    const run = await svc(['login', ...argv]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('svc login --api-url https://api.example.com   remembers it');
  });
});

describe('options that do not go together', () => {
  test.each([
    [['--with-token', '--complete'], '--with-token and --complete cannot be used together.'],
    [['--complete', '--no-wait'], '--complete and --no-wait cannot be used together.'],
    [['--with-token', '--print-token'], '--with-token has nothing to print.'],
    [['--no-wait', '--print-token'], '--no-wait has no token to print'],
    [['--print-token', '--json'], '--print-token prints the bare token, which --json never shows.'],
    [['--name', ' '], '--name is empty.'],
    [['--with-token', '--name', 'x'], '--name has no meaning with --with-token.'],
  ])('%j', async (argv, said) => {
    const wire = await testWire();
    const run = await svc(['login', ...argv], { url: wire.url, token: null });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(said);
    expect(wire.requests).toEqual([]);
  });
});

test.each(['SVC_TOKEN', 'SVC_SESSION_TOKEN'])('a login says that %s wins over it', async (name) => {
  const wire = await approving();
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

test('the name on the approval page is the one given, without what could drive a terminal', async () => {
  const wire = await approving();
  const name = `a\u001b[2J\u202eb${'x'.repeat(100)}`;
  const run = await svc(['login', '--name', name], { url: wire.url, token: null, clock: fakeClock() });
  const clientName = `a [2J b${'x'.repeat(56)}…`;
  expect(wire.requests[0]?.json).toEqual({ clientName });
  expect(clientName).toHaveLength(64);
  expect(run.stderr.replace(/\s+/g, ' ')).toContain(`for this device ${clientName}`);
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
  const wire = await approving();
  const run = await svc(['login', '--jq', '.userCode // .tokenId'], { url: wire.url, token: null, clock: fakeClock() });
  expect(run).toMatchObject({ exitCode: 0, stdout: 'WDJB-MJHT\ntok_9\n', stderr: '' });
});

describe('--print-token', () => {
  test('prints the token on stdout alone, and writes no file', async () => {
    const wire = await approving();
    const configDir = await temporaryFolder();
    const run = await svc(['login', '--print-token'], { url: wire.url, token: null, clock: fakeClock(), configDir });
    expect(run).toMatchObject({ exitCode: 0, stdout: `${TOKEN}\n` });
    expect(run.stderr.replace(/\s+/g, ' ')).toContain('Token tok_9 expires 30 May 2026. It is not stored.');
    expect(run.stderr).not.toContain('CANARY');
    expect(readdirSync(configDir)).toEqual([]);
  });
});

describe('what a killed login left', () => {
  test('is used and merged by the next command, after its own work', async () => {
    const wire = await testWire();
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('home', 'https://b.example.com'));
    const journal = join(configDir, 'login-00000000-1-aa.json');
    writeFileSync(journal, journalText(storedSignIn('fresh', wire.url), configDir), { mode: 0o600 });
    let wasThere: boolean | undefined;
    wire.on('GET', '/v1/user').answer(({ headers }) => {
      wasThere = existsSync(journal);
      return { status: 200, body: { user: { email: headers['authorization'] } } };
    });
    const run = await svc(['whoami'], { configDir });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('profile fresh');
    expect([wasThere, existsSync(journal)]).toEqual([true, false]);
    expect(readSignIns(configDir)).toMatchObject({
      current: 'fresh',
      credentials: [{ profile: 'home' }, { profile: 'fresh' }],
    });
  });

  test('is merged as well where the command fails; and where it cannot be, nothing fails for it', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(404).reply(200, {});
    const configDir = await temporaryFolder();
    const journal = join(configDir, 'login-00000000-1-aa.json');
    const leave = () =>
      writeFileSync(journal, journalText(storedSignIn('fresh', wire.url), configDir), { mode: 0o600 });
    leave();
    expect((await svc(['whoami'], { configDir })).exitCode).toBe(6);
    expect(existsSync(journal)).toBe(false);
    // Written by a newer svc: it may be read, and not rewritten.
    writeFileSync(join(configDir, 'credentials.json'), '{"version":99,"credentials":[]}', { mode: 0o600 });
    leave();
    expect(await svc(['whoami'], { configDir })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(existsSync(journal)).toBe(true);
  });

  test('is left alone with a token of the environment', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, {});
    const configDir = await temporaryFolder();
    const journal = join(configDir, 'login-00000000-1-aa.json');
    writeFileSync(journal, journalText(storedSignIn('fresh', wire.url), configDir), { mode: 0o600 });
    expect((await svc(['whoami'], { url: wire.url, configDir })).exitCode).toBe(0);
    expect(existsSync(journal)).toBe(true);
  });
});

describe('--with-token', () => {
  test('asks in no organization, and keeps what the service tells about the token', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, {
      user: { email: 'ci@example.com' },
      organization: { id: 'org_7' },
      token: { id: 'tok_1', name: 'ci', expiresAt: 1e40 },
    });
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('work', wire.url, { org: 'gone' }));
    const run = await svc(['login', '--with-token', '--profile', 'ci', '--json'], { configDir, stdin: TOKEN });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.json).toEqual({
      event: 'login_succeeded',
      user: { email: 'ci@example.com' },
      organizationId: 'org_7',
      tokenId: 'tok_1',
      expiresAt: null,
      apiUrl: wire.url,
      path: join(configDir, 'credentials.json'),
    });
    expect(wire.requests[0]?.headers['x-service-org']).toBeUndefined();
  });

  test.each([
    ['', 'The token on stdin is set, but blank.'],
    ['two words', 'The token on stdin holds spaces'],
    ['x'.repeat(70_000), 'Standard input holds more than'],
  ])('refuses what is no token, and sends nothing', async (stdin, said) => {
    const wire = await testWire();
    const run = await svc(['login', '--with-token'], { url: wire.url, token: null, stdin });
    expect([2, 4]).toContain(run.exitCode);
    expect(run.stderr).toContain(said);
    expect(wire.requests).toEqual([]);
  });

  test('a token of the sandbox does not leave this machine', async () => {
    const run = await svc(['login', '--with-token'], {
      env: { SVC_API_URL: 'https://api.example.com' },
      stdin: 'svc_sandbox_CANARY',
    });
    expect(run.exitCode).toBe(4);
    expect(run.stderr).toContain('it stays on this machine');
  });
});

test('a damaged credentials file is set aside by a login, and named', async () => {
  const wire = await approving();
  const configDir = await temporaryFolder();
  writeFileSync(join(configDir, 'credentials.json'), '{"version":1,', { mode: 0o600 });
  const run = await svc(['login'], { url: wire.url, token: null, clock: fakeClock(), configDir });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain('The credentials file was damaged; it is now');
  expect(readdirSync(configDir)).toContainEqual(expect.stringMatching(/^credentials\.json\.corrupt-20260301T120/));
});
