import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { ISSUED, START } from '../../support/device-login.ts';
import { readSignIns } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';
import { send } from '../../support/wire-plan.ts';

const WAITING = 'pending-login.json';
const PENDING = { error: 'authorization_pending' };

/** A platform and a machine on which logins are started and completed. */
async function place() {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const clock = fakeClock();
  const run = (line: string, more: RunOptions = {}) =>
    svc(`login ${line}`.split(' ').filter(Boolean), { configDir, clock, random: () => 0, ...more });
  return {
    ...{ wire, configDir, clock },
    starting: wire.on('POST', '/v1/auth/device'),
    poll: wire.on('POST', '/v1/auth/device/token'),
    start: (line = '') => run(`--no-wait --api-url ${wire.url} ${line}`),
    complete: (line = '', more: RunOptions = {}) => run(`--complete ${line}`, more),
    files: () => readdirSync(configDir),
    asked: () =>
      wire.requests.filter(({ path }) => path.endsWith('/token')).map(({ json }) => json),
  };
}

/** A login that `--no-wait` has started there. */
async function started(line = '') {
  const login = await place();
  login.starting.reply(200, START);
  const run = await login.start(line);
  expect(run.exitCode, run.stderr).toBe(0);
  return { ...login, run };
}

test('--no-wait --json prints the one event that a program needs to go on, and --complete repeats it', async () => {
  const { configDir, run, wire, poll, complete, files, asked } = await started(
    '--json --name agent --profile work',
  );
  const { deviceCode, expiresIn, ...shown } = START;
  const expiresAt = '2026-03-01T12:15:00.000Z';
  const pending = {
    event: 'login_pending',
    ...shown,
    expiresAt,
    clientName: 'agent',
    apiUrl: wire.url,
  };
  expect(run).toMatchObject({ stderr: '', json: pending });
  expect([files(), asked(), statSync(join(configDir, WAITING)).mode & 0o777]).toEqual([
    [WAITING],
    [],
    0o600,
  ]);
  poll.reply(200, ISSUED);
  // It needs no address.
  const env = { SVC_API_URL: 'https://elsewhere.example.com', SVC_PROFILE: 'typo' };
  const completed = await complete('--json', { env });
  const { token, ...issued } = ISSUED;
  const path = join(configDir, 'credentials.json');
  const succeeded = { event: 'login_succeeded', ...issued, apiUrl: wire.url, path };
  const events = completed.stdout.trimEnd().split('\n');
  expect(events.map((line) => JSON.parse(line))).toEqual([run.json, succeeded]);
  expect(run.shown + completed.shown).not.toMatch(/CANARY|DEVICE-CODE/);
  expect([files(), readSignIns(configDir).current]).toEqual([['credentials.json'], 'work']);
});

test('a login that ended is forgotten, and its device code is not shown even if the platform repeats it', async () => {
  const { poll, complete, files } = await started();
  poll.reply(400, { error: `${START.deviceCode} is not known` });
  expect(await complete()).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining('[redacted] is not known'),
  });
  expect(files()).toEqual([]);
  expect((await complete()).exitCode).toBe(2);
});

test('a login that expired meanwhile is looked at once more', async () => {
  const { clock, poll, complete, files } = await started();
  clock.advance(3_600_000);
  poll.reply(200, ISSUED);
  expect([(await complete()).exitCode, files()]).toEqual([0, ['credentials.json']]);
});

test('a login whose waiting was interrupted, or that meets a wrong way of the network, can still be completed', async () => {
  const { clock, poll, complete, files } = await started();
  poll.reply(400, PENDING);
  let interrupt = (_signal: 'SIGINT') => {};
  clock.onSleep(() => clock.waits.length === 2 && interrupt('SIGINT'));
  const run = await complete('--json', { onStart: (send) => (interrupt = send) });
  expect(run).toMatchObject({ exitCode: 130, error: { next: ['svc login --complete'] } });
  for (let times = 0; times < 3; times += 1)
    poll.reply(302, '', { location: 'https://portal.example' });
  expect((await complete()).exitCode).toBe(1);
  expect(files()).toEqual([WAITING]);
  poll.reply(200, ISSUED);
  expect((await complete()).exitCode).toBe(0);
});

test('while a login waits, another start for the same sign-in sends nothing; once it has expired, it makes room', async () => {
  const { clock, wire, starting, poll, start, complete, asked } = await started();
  clock.advance(899_000);
  const error = expect.stringContaining('A login waits for approval already, at http');
  const refused = { exitCode: 2, stdout: '', error: { error, next: ['svc login --complete'] } };
  expect(await start('--json')).toMatchObject(refused);
  expect(wire.requests).toHaveLength(1);
  clock.advance(2_000);
  starting.reply(200, { ...START, deviceCode: 'DEVICE-CODE-2' });
  expect((await start()).exitCode).toBe(0);
  poll.reply(200, ISSUED);
  expect((await complete()).exitCode).toBe(0);
  expect(asked()).toEqual([{ deviceCode: 'DEVICE-CODE-2' }]);
});

test('of two starts at once only one is kept', async () => {
  const { starting, start, files } = await place();
  starting.always(200, START);
  const runs = await Promise.all([start(), start()]);
  expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2]);
  expect(files()).toEqual([WAITING]);
});

test('a start for another profile is kept beside it, and --complete asks which one', async () => {
  const { wire, configDir, starting, poll, start, complete, asked } =
    await started('--profile work');
  starting.reply(200, { ...START, deviceCode: 'DEVICE-CODE-2' });
  expect((await start('--profile home')).exitCode).toBe(0);
  const vague = await complete('--json');
  const lineFor = (name: string) => `svc login --complete --profile ${name} --api-url ${wire.url}`;
  expect(vague).toMatchObject({ exitCode: 2, error: { next: [lineFor('work'), lineFor('home')] } });
  poll.always(200, ISSUED);
  for (const name of ['home', 'work'])
    expect((await complete(`--profile ${name}`)).exitCode).toBe(0);
  expect(asked()).toEqual([{ deviceCode: 'DEVICE-CODE-2' }, { deviceCode: START.deviceCode }]);
  expect(readSignIns(configDir).credentials).toHaveLength(2);
});

test('of two --complete at once one signs in, and the other says that the login is no longer accepted', async () => {
  const { wire, poll, complete, files } = await started();
  let approve = () => {};
  poll.act(({ response }) => {
    approve = () => send(response, 200, ISSUED);
  });
  const asked = wire.nextRequest();
  const first = complete('', { clock: fakeClock() });
  await asked;
  poll.reply(400, { error: 'invalid_grant' });
  const second = await complete('--json', { clock: fakeClock() });
  approve();
  expect(second).toMatchObject({ exitCode: 9, error: { error: 'invalid_grant' } });
  expect([(await first).exitCode, files()]).toEqual([0, ['credentials.json']]);
});

test('--complete refuses a login whose token cannot be stored; it can be printed', async () => {
  const { configDir, poll, complete, files } = await started();
  writeFileSync(join(configDir, 'credentials.json'), '{"version":99,"credentials":[]}', {
    mode: 0o600,
  });
  expect(await complete()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('written by a newer svc'),
  });
  expect(files()).toContain(WAITING);
  poll.reply(200, ISSUED);
  expect(await complete('--print-token')).toMatchObject({
    exitCode: 0,
    stdout: `${ISSUED.token}\n`,
  });
});

test.each<[line: string, env: Record<string, string>]>([
  ['--profile work', { SVC_API_URL: 'https://b.example.com' }],
  ['--profile home', {}],
])('--complete %s with %j is of another place: refused, and the login stays', async (line, env) => {
  const { wire, complete, files, asked } = await started('--profile work');
  const error = `The login that was started is for ${wire.url}, as profile "work".`;
  expect(await complete(`${line} --json`, { env })).toMatchObject({
    exitCode: 2,
    error: { error },
  });
  expect([files(), asked()]).toEqual([[WAITING], []]);
});
