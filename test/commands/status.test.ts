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

/** What the platform answers about the account, its renewals and the usage of a service. */
const answers = (user: Answer, autopay: Answer, usage?: Answer): Answers => ({
  'GET /v1/user': [user],
  'GET /v1/billing/autopay': [autopay],
  ...(usage && { [`GET ${USAGE}`]: [usage] }),
});

/**
 * `svc status --json` where these deployments were seen, each with its service and what the
 * platform answers.
 */
async function withDeployments(
  seen: ReadonlyArray<readonly [id: string, service: string, status?: number]>,
) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  writeNamesSeen(configDir, {
    [wire.url]: { deployments: seen.map(([name, about]) => ({ name, about })) },
  });
  wire.on('GET', '/v1/user').reply(200, USER);
  wire.on('GET', '/v1/billing/autopay').reply(200, AUTOPAY);
  wire.on('GET', USAGE).reply(200, POINTS);
  for (const [id, , status] of seen) {
    const deployment = { id, status: 'succeeded', createdAt: '2026-02-27T10:00:00Z' };
    const plan =
      status === undefined ? undefined : wire.on('GET', `/v1/services/app-1/deployments/${id}`);
    plan?.reply(status ?? 0, { deployment, live: true });
  }
  const argv = ['status', '--service', 'app-1', '--json'];
  return (await svc(argv, { url: wire.url, configDir, clock: fakeClock() })).json;
}

test('one document has the account, the token, the renewals, the usage and the last deployment', async () => {
  const json = await withDeployments([
    ['dep_2', 'app-2'],
    ['dep_1', 'app-1', 200],
  ]);
  expect(json).toMatchObject({
    account: { email: 'amina@kola.example', name: 'Amina' },
    organization: { id: 'org_1', slug: 'kola', name: 'Kola Studio', role: 'owner' },
    token: { source: 'SVC_TOKEN', daysLeft: 10 },
    renewals: { automatic: true, phone: '+237*******42' },
    service: { id: 'app-1', where: '--service' },
    usage: [{ series: 'cpuPercent', unit: '%', at: '2026-03-01T12:00:00Z', value: 14 }],
    deployment: { id: 'dep_1', status: 'succeeded', createdAt: '2026-02-27T10:00:00Z', live: true },
    missing: [],
  });
});

test('a deployment that cannot be read is said to be that, unless it is not there', async () => {
  const missing = [{ part: 'deployment', code: 'forbidden' }];
  expect(await withDeployments([['dep_1', 'app-1', 403]])).toMatchObject({
    deployment: null,
    missing,
  });
  expect(await withDeployments([['dep_1', 'app-1', 404]])).toMatchObject({
    deployment: null,
    missing: [],
  });
});

const NO: Answer = [403, { error: 'not for members' }];
const REFUSED: Answer = [401, {}];

test.each<[what: string, line: string, answers: Answers, exitCode: number, shown: RegExp]>([
  [
    'what fails is one line',
    '--service app-1',
    answers(USER, NO, NO),
    0,
    /! The renewals .*: not for members\n[\s\S]*! The usage /,
  ],
  [
    'without a service only the account shows',
    '',
    answers(USER, { enabled: false }),
    0,
    /Renewals +by hand(?![\s\S]*Service)/,
  ],
  ['a refused sign-in decides, whatever else answers', '', answers(REFUSED, AUTOPAY), 4, /^$/],
  ['a platform that answers nothing ends it', '--no-retry', answers([500, {}], [500, {}]), 8, /^$/],
])('%s', async (_what, line, given, exitCode, shown) => {
  expect(await against(`status ${line}`, given)).toMatchObject({
    exitCode,
    stdout: expect.stringMatching(shown),
  });
});

test('--json has a part that could not be read as null, and names it', async () => {
  const { json } = await against('status --service app-1 --json', answers(USER, [403, {}], '[]'));
  expect(json).toMatchObject({
    usage: [],
    renewals: null,
    missing: [{ part: 'renewals', code: 'forbidden' }],
  });
});

test('a stored sign-in says when it ends if the platform does not; without one it is exit 4', async () => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const run = { url: wire.url, configDir, clock: fakeClock(), token: null };
  expect(await svc(['status'], run)).toMatchObject({ exitCode: 4, stdout: '' });
  writeSignIns(configDir, storedSignIn('work', wire.url, { expiresAt: '2026-03-04T12:00:00Z' }));
  wire.on('GET', '/v1/user').reply(200, { user: {} });
  wire.on('GET', '/v1/billing/autopay').reply(200, {});
  expect((await svc(['status', '--json'], run)).json).toMatchObject({
    token: { source: 'profile work', daysLeft: 3 },
  });
});
