import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
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

async function service() {
  const wire = await testWire();
  const run = { url: wire.url, clock: fakeClock(), configDir: await temporaryFolder() };
  const status = (...argv: string[]) => svc(['status', ...argv], run);
  return { wire, run, status, on: (path: string) => wire.on('GET', path) };
}

test('one screen has the account, the token, the renewals, the service, its usage and its last deployment', async () => {
  const { on, run, status } = await service();
  const deployment = { deployment: { id: 'dep_1', status: 'live', createdAt: '2026-02-27T10:00:00Z' } };
  on('/v1/services/app-1/deployments/dep_1').reply(200, deployment).reply(200, deployment);
  expect(await svc(['deployments', 'inspect', 'dep_1', '--service', 'app-1'], run)).toMatchObject({ exitCode: 0 });
  on('/v1/user').reply(200, USER);
  on('/v1/billing/autopay').reply(200, AUTOPAY);
  on(USAGE).reply(200, POINTS);
  const { exitCode, stdout, stderr } = await status('--service', 'app-1');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').filter((line) => !/SERIES|cpuPercent/.test(line))).toEqual([
    '  Signed in as  Amina (amina@kola.example)',
    '  Organization  Kola Studio (kola)',
    '  Role          owner',
    '  Token         SVC_TOKEN, 10 days left (2026-03-11T12:00:00.000Z)',
    '  Renewals      automatic, charged to +237*******42',
    '',
    'Service app-1 (last hour)',
    '',
    '  Deployment    dep_1 (last looked at here)',
    '  State         live, 2026-02-27T10:00:00Z',
    '',
  ]);
  expect(stdout).toMatch(/SERIES +MIN–MAX +LAST\n {2}cpuPercent .* 14%\n/);
});

test('what fails is one line, and the rest still shows', async () => {
  const { on, status } = await service();
  on('/v1/user').reply(200, USER);
  on('/v1/billing/autopay').reply(403, { error: 'not for members' });
  on(USAGE).reply(404, { error: 'no such service' });
  const { exitCode, stdout } = await status('--service', 'app-1');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Signed in as  Amina');
  expect(stdout).toContain('! The renewals could not be read: not for members\n');
  expect(stdout).toContain('\nService app-1\n! The usage could not be read: no such service\n');
});

test('no code of the platform stands alone, and nothing is suggested that must fail', async () => {
  const { on, status } = await service();
  on('/v1/user').reply(200, USER);
  on('/v1/billing/autopay').reply(404, { error: 'not_found' });
  on(USAGE).reply(404, { error: 'not_found' });
  const { stdout } = await status('--service', 'app-1');
  expect(stdout).toMatch(
    /! The renewals could not be read: \S+ has nothing at \/v1\/billing\/autopay \(404\): not found\n/,
  );
  expect(stdout).not.toMatch(/not_found|svc metrics/);
});

test('a deployment of another service is left out; without a service only the account shows', async () => {
  const { on, run, status } = await service();
  on('/v1/services/app-2/deployments/dep_2').reply(200, { deployment: { id: 'dep_2' } });
  await svc(['deployments', 'inspect', 'dep_2', '--service', 'app-2'], run);
  on('/v1/user').always(200, USER);
  on('/v1/billing/autopay').always(200, { enabled: false });
  on(USAGE).reply(200, []);
  const { json } = await status('--service', 'app-1', '--json');
  expect(json).toMatchObject({
    service: { id: 'app-1', where: '--service' },
    usage: [],
    deployment: null,
    missing: [],
  });
  const alone = await status();
  expect(alone.stdout).toContain('Renewals      by hand');
  expect(alone.stdout).not.toContain('Service');
});

test('a refused sign-in ends the command, and so does a platform that answers nothing', async () => {
  const refused = await service();
  for (const path of ['/v1/user', '/v1/billing/autopay', USAGE]) refused.on(path).reply(401, { error: 'expired' });
  expect(await refused.status('--service', 'app-1')).toMatchObject({ exitCode: 4, stdout: '' });
  expect(await svc(['status'], { url: refused.run.url, token: null })).toMatchObject({ exitCode: 4, stdout: '' });
  const broken = await service();
  broken.on('/v1/user').reply(500, {});
  broken.on('/v1/billing/autopay').reply(500, {});
  expect(await broken.status('--no-retry')).toMatchObject({ exitCode: 8, stdout: '' });
});

test('the requests go out together', async () => {
  const { wire, on, status } = await service();
  let arrived = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const [path, body] of [
    ['/v1/user', USER],
    ['/v1/billing/autopay', AUTOPAY],
    [USAGE, POINTS],
  ] as const) {
    on(path).act(async ({ response }) => {
      arrived += 1;
      if (arrived === 3) release();
      await all;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }
  expect((await status('--service', 'app-1')).exitCode).toBe(0);
  expect(wire.requests).toHaveLength(3);
});

test('a stored sign-in says when it ends if the platform does not', async () => {
  const { on, run } = await service();
  writeSignIns(run.configDir, storedSignIn('work', run.url, { expiresAt: '2026-03-04T12:00:00Z' }));
  on('/v1/user').reply(200, { user: {} });
  on('/v1/billing/autopay').reply(200, {});
  const { json } = await svc(['status', '--json'], { ...run, token: null });
  expect(json).toMatchObject({ token: { source: 'profile work', daysLeft: 3 } });
});
