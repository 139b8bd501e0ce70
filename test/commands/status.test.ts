import { expect, test } from 'vitest';
import { type Answer, type Answers, against } from '../support/against.ts';
import { fakeClock } from '../support/clock.ts';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const USER = {
  user: { email: 'amina@kola.example', name: 'Amina' },
  organization: { id: 'org_1', name: 'Kola Studio' },
  organizations: [{ id: 'org_1', slug: 'kola', name: 'Kola Studio', role: 'owner' }],
  token: { expiresAt: '2026-03-11T12:00:00Z' },
};
const AUTOPAY = { enabled: true, phoneMasked: '+237*******42' };
const POINTS = [
  { time: '2026-03-01T11:59:00Z', cpuPercent: 12 },
  { time: '2026-03-01T12:00:00Z', cpuPercent: 14 },
];
const USAGE = '/v1/services/app-1/metrics/history';
const DEPLOYMENT = '/v1/services/app-1/deployments';

/** What the platform answers about the account, its renewals and the usage of a service. */
const answers = (user: Answer, autopay: Answer, usage?: Answer): Answers => ({
  'GET /v1/user': [user],
  'GET /v1/billing/autopay': [autopay],
  ...(usage && { [`GET ${USAGE}`]: [usage] }),
});

test('one screen has the account, the token, the renewals, the service, its usage and its last deployment', async () => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const names = { app: 'dep_1', others: 'dep_2', unknown: 'dep_3' };
  const deployments = [
    { name: names.others, about: 'app-2' },
    { name: names.unknown, about: 'app-1' },
    { name: names.app, about: 'app-1' },
  ];
  writeNamesSeen(configDir, { [wire.url]: { deployments } });
  for (const [path, body] of [
    ['/v1/user', USER],
    ['/v1/billing/autopay', AUTOPAY],
    [USAGE, POINTS],
    [`${DEPLOYMENT}/dep_1`, { deployment: { id: 'dep_1', status: 'succeeded', createdAt: '2026-02-27' }, live: true }],
  ] as const)
    wire.on('GET', path).reply(200, body);
  wire.on('GET', `${DEPLOYMENT}/dep_3`).reply(404, { error: 'none' });
  const { exitCode, stdout, stderr } = await svc(['status', '--service', 'app-1'], {
    ...{ url: wire.url, configDir },
    clock: fakeClock(),
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatchInlineSnapshot(`
    "  Signed in as  Amina (amina@kola.example)
      Organization  Kola Studio (kola)
      Role          owner
      Token         SVC_TOKEN, 10 days left (2026-03-11T12:00:00.000Z)
      Renewals      automatic, charged to +237*******42

    Service app-1 (last hour)
      SERIES                                                MIN–MAX  LAST
      cpuPercent                                         ▂   12–14%   14%

      Deployment    dep_1 (last looked at here)
      State         live, succeeded, 2026-02-27
    "
  `);
});

/* biome-ignore format: a row a line */
test.each<[what: string, line: string, answers: Answers, exitCode: number, shown: RegExp, isNot: RegExp]>([
  ['what fails is one line', 'status --service app-1', answers(USER, [403, { error: 'not for members' }], [404, { error: 'no such service' }]), 0, /as {2}Amina[\s\S]*! The renewals could not be read: not for members\n\nService app-1\n! The usage could not be read: no such service\n/, /svc metrics/],
  ['no code of the platform stands alone', 'status --service app-1', answers(USER, [404, { error: 'not_found' }], [404, { error: 'not_found' }]), 0, /! The renewals could not be read: \S+ has nothing at \/v1\/billing\/autopay \(404\): not found\n/, /not_found|svc metrics/],
  ['no usage', 'status --service app-1', answers(USER, AUTOPAY, '[]'), 0, /No usage in the last hour/, /!/],
  ['without a service only the account shows', 'status', answers(USER, { enabled: false }), 0, /Renewals +by hand/, /Service/],
  ['a refused sign-in ends the command', 'status --service app-1', answers([401, {}], [401, {}], [401, {}]), 4, /^$/, /./],
  ['a refused sign-in decides, whatever else answers', 'status', answers([401, {}], AUTOPAY), 4, /^$/, /./],
  ['a platform that answers nothing ends it', 'status --no-retry', answers([500, {}], [500, {}]), 8, /^$/, /./],
])('%s', async (_what, line, given, exitCode, shown, isNot) => {
  const done = await against(line, given);
  expect(done).toMatchObject({ exitCode, stdout: expect.stringMatching(shown) });
  expect(done.stdout).not.toMatch(isNot);
});

test('--json has a part that could not be read as null, and names it', async () => {
  const { json } = await against('status --service app-1 --json', answers(USER, [403, {}], '[]'));
  expect(json).toMatchObject({ service: { id: 'app-1', where: '--service' }, usage: [], renewals: null });
  expect(json).toMatchObject({ deployment: null, missing: [{ part: 'renewals', code: 'forbidden' }] });
});

test('a deployment that cannot be read is said to be that, unless it is not there', async () => {
  for (const [status, missing] of [[403, [{ part: 'deployment', code: 'forbidden' }]] as const, [404, []] as const]) {
    const wire = await testWire();
    const configDir = await temporaryFolder();
    writeNamesSeen(configDir, { [wire.url]: { deployments: [{ name: 'dep_1', about: 'app-1' }] } });
    wire.on('GET', '/v1/user').reply(200, USER);
    wire.on('GET', '/v1/billing/autopay').reply(200, AUTOPAY);
    wire.on('GET', USAGE).reply(200, POINTS);
    wire.on('GET', `${DEPLOYMENT}/dep_1`).reply(status, {});
    const { json } = await svc(['status', '--service', 'app-1', '--json'], { url: wire.url, configDir });
    expect(json).toMatchObject({ deployment: null, missing });
  }
});

test('the requests go out together', async () => {
  const wire = await testWire();
  const bodies = { '/v1/user': USER, '/v1/billing/autopay': AUTOPAY, [USAGE]: POINTS };
  let arrived = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const [path, body] of Object.entries(bodies)) {
    wire.on('GET', path).act(async ({ response }) => {
      arrived += 1;
      if (arrived === 3) release();
      await all;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }
  expect((await svc(['status', '--service', 'app-1'], { url: wire.url })).exitCode).toBe(0);
});

test('a stored sign-in says when it ends if the platform does not; without one it is exit 4', async () => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const clock = fakeClock();
  const run = { url: wire.url, configDir, clock, token: null };
  expect(await svc(['status'], run)).toMatchObject({ exitCode: 4, stdout: '' });
  writeSignIns(configDir, storedSignIn('work', wire.url, { expiresAt: '2026-03-04T12:00:00Z' }));
  wire.on('GET', '/v1/user').reply(200, { user: {} });
  wire.on('GET', '/v1/billing/autopay').reply(200, {});
  expect((await svc(['status', '--json'], run)).json).toMatchObject({ token: { source: 'profile work', daysLeft: 3 } });
});
