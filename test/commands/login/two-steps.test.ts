import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeClock, fakeClock } from '../../support/clock.ts';
import { ISSUED, START, START_SHOWN } from '../../support/device-login.ts';
import { readSignIns } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire, type Wire } from '../../support/wire.ts';
import { send } from '../../support/wire-plan.ts';

const WAITING = 'pending-login.json';

type Waiting = Readonly<{ wire: Wire; configDir: string; clock: FakeClock }>;

/** A login that `--no-wait` has started. */
async function started(argv: readonly string[] = [], start: object = START) {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, start);
  const configDir = await temporaryFolder();
  const clock = fakeClock();
  const run = await svc(['login', '--no-wait', '--api-url', wire.url, ...argv], { configDir, clock });
  expect(run.exitCode, run.stderr).toBe(0);
  return { wire, configDir, clock, run };
}

function complete(
  { configDir, clock }: { configDir: string; clock: FakeClock },
  argv: readonly string[] = [],
  more: RunOptions = {},
) {
  return svc(['login', '--complete', ...argv], { configDir, clock, random: () => 0, ...more });
}

const polls = ({ requests }: Wire) => requests.filter(({ path }) => path.endsWith('/token')).length;
const pendingFiles = (configDir: string) => readdirSync(configDir).filter((name) => name.startsWith('pending'));

test('--no-wait shows the next step, and keeps the device code in a private file only', async () => {
  const { configDir, run, wire } = await started();
  expect(run.stdout).toBe('');
  expect(run.stderr.replaceAll(wire.url, '<url>')).toBe(`${START_SHOWN}Then: svc login --complete\n`);
  expect(readdirSync(configDir)).toEqual([WAITING]);
  const file = join(configDir, WAITING);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain(START.deviceCode);
  expect(polls(wire)).toBe(0);
});

test('--no-wait --json prints the one event that a program needs to go on', async () => {
  const { configDir, run, wire } = await started(['--json', '--name', 'agent']);
  const { deviceCode, expiresIn, ...shown } = START;
  const expiresAt = '2026-03-01T12:15:00.000Z';
  const pending = { event: 'login_pending', ...shown, expiresAt, clientName: 'agent', apiUrl: wire.url };
  expect(run).toMatchObject({ stderr: '', json: pending });
  wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
  const completed = await complete({ configDir, clock: fakeClock() }, ['--json']);
  const { token, ...issued } = ISSUED;
  const path = join(configDir, 'credentials.json');
  expect(
    completed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([run.json, { event: 'login_succeeded', ...issued, apiUrl: wire.url, path }]);
  expect(run.shown + completed.shown).not.toMatch(/CANARY|DEVICE-CODE/);
  const sparse = { deviceCode: 'd', verificationUri: 'https://x.example/d', userCode: 'U' };
  const left = { verificationUriComplete: null, expiresAt: null, interval: 5 };
  expect((await started(['--json'], sparse)).run.json).toMatchObject(left);
});

test('a device code that the platform repeats to the process that completes the login is not shown', async () => {
  const login = await started();
  const error = `${START.deviceCode} is not ready`;
  login.wire.on('POST', '/v1/auth/device/token').reply(400, { error });
  const run = await complete(login);
  expect(run.stderr).toContain('[redacted] is not ready');
  expect(run.stderr).not.toContain(START.deviceCode);
});

test('--complete needs no address, and signs in under the profile that was named at the start', async () => {
  const login = await started(['--profile', 'work']);
  login.wire.on('POST', '/v1/auth/device/token').reply(400, { error: 'authorization_pending' }).reply(200, ISSUED);
  const run = await complete(login, [], { env: { SVC_API_URL: 'https://elsewhere.example.com', SVC_PROFILE: 'typo' } });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain('Signed in as marie@example.com');
  expect(readSignIns(login.configDir)).toMatchObject({ current: 'work', credentials: [{ baseUrl: login.wire.url }] });
  expect(pendingFiles(login.configDir)).toEqual([]);
});

test.each([
  ['access_denied', 'Login was refused in the browser.'],
  ['expired_token', 'The code expired before it was approved.'],
  ['invalid_grant', 'The server no longer accepts this login attempt.'],
])('a login that ended with %s is forgotten', async (error, said) => {
  const login = await started();
  login.wire.on('POST', '/v1/auth/device/token').reply(400, { error });
  const run = await complete(login);
  expect(run).toMatchObject({ exitCode: 9, stderr: expect.stringContaining(said) });
  expect(readdirSync(login.configDir)).toEqual([]);
  const again = await complete(login);
  expect(again).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^Error: There is no login to complete here\.\n[\s\S]*Try: svc login --no-wait\n$/),
  });
});

test('a login that expired meanwhile is looked at once more', async () => {
  const login = await started();
  login.clock.advance(3_600_000);
  login.wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
  expect((await complete(login)).exitCode).toBe(0);

  const other = await started();
  other.clock.advance(3_600_000);
  other.wire.on('POST', '/v1/auth/device/token').reply(400, { error: 'authorization_pending' });
  expect(await complete(other)).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('The code expired') });
  expect(readdirSync(other.configDir)).toEqual([]);
});

test('a login whose waiting was interrupted can still be completed', async () => {
  const login = await started();
  const poll = login.wire.on('POST', '/v1/auth/device/token').reply(400, { error: 'authorization_pending' });
  let interrupt = (_signal: 'SIGINT') => {};
  let naps = 0;
  login.clock.onSleep(() => {
    naps += 1;
    if (naps === 2) interrupt('SIGINT');
  });
  const run = await complete(login, [], { onStart: (send) => (interrupt = send) });
  expect(run.exitCode).toBe(130);
  expect(run.stderr).toMatch(/Stopped waiting\. The login can still be approved\.\nTry: svc login --complete\n$/);
  expect(readdirSync(login.configDir)).toEqual([WAITING]);
  poll.reply(200, ISSUED);
  expect((await complete(login)).exitCode).toBe(0);
});

test('a wrong way of the network is no end of the login either', async () => {
  const login = await started();
  const poll = login.wire.on('POST', '/v1/auth/device/token').reply(302, '', { location: 'https://portal.example' });
  expect((await complete(login)).exitCode).toBe(1);
  poll.reply(200, ISSUED);
  expect((await complete(login)).exitCode).toBe(0);
});

describe('while a login waits', () => {
  const second = ({ wire, configDir, clock }: Waiting, ...argv: readonly string[]) =>
    svc(['login', '--no-wait', '--api-url', wire.url, ...argv], { configDir, clock });

  test('another start for the same sign-in sends nothing, and says how to finish the first', async () => {
    const login = await started();
    login.clock.advance(899_000);
    const run = await second(login, '--json');
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.error).toMatchObject({
      error: expect.stringContaining('A login with code WDJB-MJHT waits for approval already, at http'),
      next: ['svc login --complete'],
    });
    expect(login.wire.requests).toHaveLength(1);
    login.wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
    expect((await complete(login)).exitCode).toBe(0);
  });

  test('of two starts at once only one is kept, and only its code is shown', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/auth/device').always(200, START);
    const login = { wire, configDir: await temporaryFolder(), clock: fakeClock() };
    const runs = await Promise.all([second(login), second(login)]);
    expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2]);
    expect(runs.find(({ exitCode }) => exitCode === 2)?.stderr).toMatch(/waits for approval already/);
    expect(pendingFiles(login.configDir)).toHaveLength(1);
  });

  test('one that has expired makes room for a new one', async () => {
    const login = await started();
    login.clock.advance(901_000);
    login.wire.on('POST', '/v1/auth/device').reply(200, { ...START, deviceCode: 'DEVICE-CODE-2' });
    expect((await second(login)).exitCode).toBe(0);
    login.wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
    expect((await complete(login)).exitCode).toBe(0);
    expect(login.wire.requests.at(-1)?.json).toEqual({ deviceCode: 'DEVICE-CODE-2' });
    expect(pendingFiles(login.configDir)).toEqual([]);
  });

  test('a start for another profile is kept beside it, and --complete asks which one', async () => {
    const login = await started(['--profile', 'work']);
    login.wire.on('POST', '/v1/auth/device').reply(200, { ...START, deviceCode: 'DEVICE-CODE-2' });
    expect((await second(login, '--profile', 'home')).exitCode).toBe(0);
    const vague = await complete(login, ['--json']);
    expect(vague).toMatchObject({ exitCode: 2, error: { error: 'Several logins wait to be completed.' } });
    const next = vague.error['next'] as readonly string[];
    expect([...next].sort()).toEqual(
      ['home', 'work'].map((name) => `svc login --complete --profile ${name} --api-url ${login.wire.url}`),
    );
    login.wire.on('POST', '/v1/auth/device/token').always(200, ISSUED);
    for (const line of next) expect(await complete(login, line.split(' ').slice(3))).toMatchObject({ exitCode: 0 });
    const codes = login.wire.requests.filter(({ path }) => path.endsWith('/token')).map(({ json }) => json);
    expect(codes).toEqual(expect.arrayContaining([{ deviceCode: START.deviceCode }, { deviceCode: 'DEVICE-CODE-2' }]));
    expect(readSignIns(login.configDir).credentials).toHaveLength(2);
  });
});

test('of two --complete at once one signs in, and the other says that the login is no longer accepted', async () => {
  const login = await started();
  let approve = () => {};
  const approved = new Promise<void>((resolve) => {
    approve = resolve;
  });
  login.wire.on('POST', '/v1/auth/device/token').act(async ({ response }) => {
    await approved;
    send(response, 200, ISSUED);
  });
  const asked = login.wire.nextRequest();
  const first = complete({ ...login, clock: fakeClock() });
  await asked;
  login.wire.on('POST', '/v1/auth/device/token').reply(400, { error: 'invalid_grant' });
  const second = await complete({ ...login, clock: fakeClock() }, ['--json']);
  approve();
  expect(second).toMatchObject({ exitCode: 9, error: { error: 'invalid_grant' } });
  expect((await first).exitCode).toBe(0);
  expect(pendingFiles(login.configDir)).toEqual([]);
});

describe('--complete refuses, and keeps the login', () => {
  test.each<[title: string, argv: readonly string[], said: string, env?: Readonly<Record<string, string>>]>([
    ['another address', ['--api-url', 'https://elsewhere.example.com'], 'The login that was started is for <url>'],
    [
      'its profile beside the variable of another address',
      ['--profile', 'work'],
      'The login that was started is for <url>',
      { SVC_API_URL: 'https://elsewhere.example.com' },
    ],
    ['another profile', ['--profile', 'home'], 'as profile "work".'],
  ])('%s', async (_title, argv, said, env = {}) => {
    const login = await started(['--profile', 'work']);
    const run = await complete(login, argv, { env });
    expect(run.exitCode).toBe(2);
    expect(run.stderr.replaceAll(login.wire.url, '<url>')).toContain(said);
    expect(readdirSync(login.configDir)).toEqual([WAITING]);
    expect(polls(login.wire)).toBe(0);
  });

  test('a token that cannot be stored', async () => {
    const login = await started();
    writeFileSync(join(login.configDir, 'credentials.json'), '{"version":99,"credentials":[]}', { mode: 0o600 });
    const run = await complete(login);
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('was written by a newer svc') });
    expect(pendingFiles(login.configDir)).toEqual([WAITING]);
    login.wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
    const printed = await complete(login, ['--print-token']);
    expect(printed).toMatchObject({ exitCode: 0, stdout: `${ISSUED.token}\n` });
  });
});

test.each([
  ['not JSON', '{"version":1,"logins":[{"profile":"x","login":'],
  ['without logins', '{"version":1}'],
  ['without a device code', '{"version":1,"logins":[{"profile":"x","login":{"apiUrl":"https://a.example"}}]}'],
  [
    'with an interval that is none',
    '{"version":1,"logins":[{"profile":"x","login":{"apiUrl":"https://a.example","deviceCode":"d",' +
      '"intervalSeconds":null,"lifeSeconds":9,"startedAtMs":1}}]}',
  ],
])('a file of a started login that is %s is given up', async (_title, text) => {
  const configDir = await temporaryFolder();
  writeFileSync(join(configDir, WAITING), text, { mode: 0o600 });
  const run = await complete({ configDir, clock: fakeClock() });
  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is no login to complete here.') });
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  expect(await svc(['login', '--no-wait', '--api-url', wire.url], { configDir })).toMatchObject({ exitCode: 0 });
});
