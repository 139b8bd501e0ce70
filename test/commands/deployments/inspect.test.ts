import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const PATH = '/v1/services/svc_1/deployments/dep_1';

async function inspect(answer: unknown, argv: readonly string[] = [], env = {}) {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, answer);
  return await svc(['deployments', 'inspect', 'dep_1', '--service', 'svc_1', ...argv], { url: wire.url, env });
}

const DEPLOYMENT = {
  id: 'dep_1',
  status: 'succeeded',
  createdAt: '2026-02-01T10:00:00Z',
  finishedAt: '2026-02-01T10:02:00Z',
  commit: { sha: 'abc123', message: 'Fix' },
};

test('a deployment is shown with whether it is live', async () => {
  const run = await inspect({ deployment: DEPLOYMENT, isLive: true, region: 'abj' });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatchInlineSnapshot(`
    "Deployment dep_1
      Live            yes
      Status          succeeded
      Created         2026-02-01T10:00:00Z
      Finished        2026-02-01T10:02:00Z

    More
      Commit SHA      abc123
      Commit message  Fix
      Region          abj
    "
  `);
});

test('a deployment that failed begins with its failure, below the name of its service', async () => {
  const service = { serviceName: 'shop', serviceId: 'svc_1' };
  const failure = { step: 'build', message: 'No module' };
  const deployment = { ...DEPLOYMENT, ...service, status: 'failed', failure, durationSeconds: 93, image: null };
  expect((await inspect({ deployment, isLive: false })).stdout.split('\n').slice(0, 5)).toEqual([
    'Deployment dep_1 of shop (svc_1)',
    '  Failure message  No module',
    '  Failure step     build',
    '  Live             no',
    '  Status           failed',
  ]);
});

test('one that is not live says so', async () => {
  expect((await inspect({ deployment: DEPLOYMENT, live: false })).stdout).toMatch(/Live +no\n/);
});

test.each([
  [{ live: true, rollbackAvailable: false }, 'yes'],
  [{ live: 'true' }, 'yes'],
  [{ live: 'False' }, 'no'],
  [{ isLive: 1 }, 'yes'],
  [{ is_live: 0 }, 'no'],
  [{ liveStatus: true }, 'yes'],
  [{ active: true }, 'yes'],
  [{ isCurrent: false }, 'no'],
  [{ liveDeploymentId: 'dep_1' }, 'yes'],
  [{ liveDeploymentId: 'dep_2' }, 'no'],
  [{ current: 'dep_1' }, 'yes'],
  [{ liveDeployment: { id: 'dep_2' } }, 'no'],
  [{ deployment: { ...DEPLOYMENT, live: true } }, 'yes'],
  [{ deployment: { ...DEPLOYMENT, isActive: 0 }, cached: true }, 'no'],
  [{ current: false, live: true }, 'yes'],
])('the indicator is read from a name that means it: %j', async (answer, live) => {
  const { stdout } = await inspect({ deployment: DEPLOYMENT, ...answer });
  expect(stdout).toMatch(new RegExp(`^ {2}Live +${live}$`, 'm'));
});

// Nor is it one of two that contradict each other.
test.each([
  [{ canRollback: true }],
  [{ cached: false }],
  [{ activeUsers: 1, currentReplicas: 0, livenessProbe: true }],
  [{ live: 'perhaps', liveUrl: 'https://example.com' }],
  [{ live: null }],
  [{ live: true, isLive: false }],
  [{ current: 'main' }],
  [{ deployment: { ...DEPLOYMENT, draining: true } }],
])('no other name is taken for the indicator, and it is said that it is not known: %j', async (answer) => {
  const { stdout } = await inspect({ deployment: { ...DEPLOYMENT, status: 'failed' }, ...answer });
  expect(stdout).toMatch(/^ {2}Live +not known$/m);
  const { deployment: _, ...beside } = { deployment: undefined, ...answer };
  const labels = stdout.toLowerCase().replaceAll(/\s/g, '');
  for (const [name, value] of Object.entries(beside)) if (value !== null) expect(labels).toContain(name.toLowerCase());
});

test.each([
  [{ current: false, serving: 'true' }, 'yes'],
  [{ live: true, serving: 0 }, 'no'],
  [{ live: true, serving: 'dep_1' }, 'yes'],
  [{ deployment: { ...DEPLOYMENT, serving: false }, live: true }, 'no'],
  [{ live: true }, 'not known'],
])('SVC_ASSUME names the indicator: %j', async (answer, live) => {
  const { stdout } = await inspect({ deployment: DEPLOYMENT, ...answer }, [], {
    SVC_ASSUME: 'deployment.live=serving',
  });
  expect(stdout).toMatch(new RegExp(`^ {2}Live +${live}$`, 'm'));
});

test.each([
  ['nothing', {}, ''],
  ['other types', { deployment: 'odd-one', live: 'perhaps' }, 'odd-one perhaps'],
  [
    'odd dates',
    { deployment: { createdAt: 'soon', startedAt: ['x9'], finishedAt: null, status: { s: 'y8' } } },
    'soon x9 y8',
  ],
])('an answer with %s is shown whole', async (_name, answer, words) => {
  const run = await inspect(answer);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  for (const word of words.split(' ')) expect(run.stdout).toContain(word);
  expect(run.stdout).not.toContain('[object Object]');
});

test('--json prints the bytes of the answer', async () => {
  const text = '{"deployment":{"size":1.10},"live":true}';
  expect(await inspect(text, ['--json'])).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
});

test.each([
  ['no deployment', ['deployments', 'inspect']],
  ['no service', ['deployments', 'inspect', 'dep_1']],
  ['a deployment that leads elsewhere', ['deployments', 'inspect', '..', '--service', 'svc_1']],
])('%s is refused before anything is sent', async (_name, argv) => {
  const wire = await testWire();
  expect(await svc(argv, { url: wire.url })).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wire.requests).toEqual([]);
});

test('a deployment that is not there is exit 6', async () => {
  const wire = await testWire();
  wire.on('GET', PATH).reply(404, { error: 'No such deployment' });
  const run = await svc(['deployments', 'inspect', 'dep_1', '--service', 'svc_1', '--json'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 6, stdout: '', error: { error: 'No such deployment', code: 'not_found' } });
});

test('for a deployment of another service, people are told how to look there', async () => {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const [service, other] = sandbox.listing.services.map(({ id }) => id);
  const { id = '' } = sandbox.listing.deployments.find((one) => one.service === other) ?? {};
  const options = { url: sandbox.url, token: sandbox.token, env: { SVC_SERVICE: service } };
  const run = await svc(['deployments', 'inspect', id], options);
  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('\n  It may belong to another service. To look there, add --service <id>.\n');
  expect(run.stderr).toContain(`${service}`);
  expect(run.stderr).not.toContain('svc orgs');
  expect((await svc(['deployments', 'inspect', id, '--service', `${other}`], options)).exitCode).toBe(0);
});

test('secrets of its environment are masked for people, and exact with --json', async () => {
  const env = { DB_PASSWORD: 'hunter2', DATABASE_URL: 'postgres://u:hunter2@h/db', PORT: '80' };
  const vars = [{ name: 'API_TOKEN', value: 'hunter2' }];
  const answer = { deployment: { id: 'dep_1', env, vars }, tokens: 12 };
  expect((await inspect(answer)).stdout).toMatchInlineSnapshot(`
    "Deployment dep_1
      Live              not known

    More
      Env DB_PASSWORD   ********
      Env DATABASE_URL  postgres://u:********@h/db
      Env PORT          80
      Vars 1 name       API_TOKEN
      Vars 1 value      ********
      Tokens            12
    "
  `);
  expect((await inspect(answer, ['--json'])).stdout).toBe(`${JSON.stringify(answer)}\n`);
});
