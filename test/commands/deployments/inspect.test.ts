import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { linesOf } from '../../each/lines.ts';
import { type Answer, against } from '../../support/against.ts';
import { type RunOptions, svc } from '../../support/svc.ts';

const DEPLOYMENT = {
  id: 'dep_1',
  status: 'succeeded',
  createdAt: '2026-02-01T10:00:00Z',
  finishedAt: '2026-02-01T10:02:00Z',
  commit: { sha: 'abc123', message: 'Fix' },
};

/** Looks at `dep_1`, whose answers come in turn; it is always the same half of the jitter. */
const inspect = (words: string, answers: readonly Answer[], options: RunOptions = {}) =>
  against(
    `deployments inspect dep_1 --service svc_1 ${words}`,
    { 'GET /v1/services/svc_1/deployments/dep_1': answers },
    { random: () => 0.5, ...options },
  );

test('a deployment is shown with whether it is live', async () => {
  const run = await inspect('', [{ deployment: DEPLOYMENT, isLive: true, region: 'abj' }]);
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

test('one that failed begins with its failure, below the name of its service', async () => {
  const failure = { step: 'build', message: 'No module' };
  const more = { serviceName: 'shop', serviceId: 'svc_1', status: 'failed', failure, durationSeconds: 93, image: null };
  const run = await inspect('', [{ deployment: { ...DEPLOYMENT, ...more }, isLive: false }]);
  expect(run.stdout.split('\n').slice(0, 5)).toEqual([
    'Deployment dep_1 of shop (svc_1)',
    '  Failure step     build',
    '  Failure message  No module',
    '  Live             no',
    '  Status           failed',
  ]);
});

/* biome-ignore format: a row a line */
test.each<[answer: object, live: string, assumed?: string]>([
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
  // No other name is taken for the indicator, nor one of two that contradict each other.
  [{ canRollback: true }, 'not known'],
  [{ cached: false }, 'not known'],
  [{ activeUsers: 1, currentReplicas: 0, livenessProbe: true }, 'not known'],
  [{ live: 'perhaps', liveUrl: 'https://example.com' }, 'not known'],
  [{ live: null }, 'not known'],
  [{ live: true, isLive: false }, 'not known'],
  [{ current: 'main' }, 'not known'],
  [{ deployment: { ...DEPLOYMENT, draining: true } }, 'not known'],
  // SVC_ASSUME names it.
  [{ current: false, serving: 'true' }, 'yes', 'serving'],
  [{ live: true, serving: 0 }, 'no', 'serving'],
  [{ live: true, serving: 'dep_1' }, 'yes', 'serving'],
  [{ deployment: { ...DEPLOYMENT, serving: false }, live: true }, 'no', 'serving'],
  [{ live: true }, 'not known', 'serving'],
])('%j is live: %s (assumed %s)', async (answer, live, assumed) => {
  const env = assumed === undefined ? {} : { SVC_ASSUME: `deployment.live=${assumed}` };
  const { stdout } = await inspect('', [{ deployment: { ...DEPLOYMENT, status: 'failed' }, ...answer }], { env });
  expect(stdout).toMatch(new RegExp(`^ {2}Live +${live}$`, 'm'));
  // What is not read is shown.
  const labels = stdout.toLowerCase().replaceAll(/\s/g, '');
  for (const [name, value] of Object.entries(live === 'not known' ? answer : {}))
    if (name !== 'deployment' && value !== null) expect(labels).toContain(name.toLowerCase());
});

/* biome-ignore format: a row a line */
test.each([
  [{}, ''],
  [{ deployment: 'odd-one', live: 'perhaps' }, 'odd-one perhaps'],
  [{ deployment: { createdAt: 'soon', startedAt: ['x9'], finishedAt: null, status: { s: 'y8' } } }, 'soon x9 y8'],
])('%j is shown whole', async (answer, words) => {
  const run = await inspect('', [answer]);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  for (const word of words.split(' ')) expect(run.stdout).toContain(word);
  expect(run.stdout).not.toContain('[object Object]');
});

test('secrets of its environment are masked for people, and exact with --json', async () => {
  const env = { DB_PASSWORD: 'hunter2', DATABASE_URL: 'postgres://u:hunter2@h/db', PORT: '80' };
  const answer = `{"deployment":${JSON.stringify({ env, vars: [{ name: 'API_TOKEN', value: 'hunter2' }] })},"size":1.10}`;
  expect((await inspect('', [answer])).stdout).not.toContain('hunter2');
  expect(await inspect('--json', [answer])).toMatchObject({ exitCode: 0, stdout: `${answer}\n`, stderr: '' });
});

/* biome-ignore format: a row a line */
test.each([
  ['deployments inspect'],
  ['deployments inspect dep_1'],
  ['deployments inspect .. --service svc_1'],
])('%s is refused before anything is sent', async (line) => {
  expect(await against(line, {})).toMatchObject({ exitCode: 2, stdout: '' });
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

const said = (status?: string, isLive?: boolean, id = 'dep_1') => ({ deployment: { id, status }, isLive });
const trouble = { deployment: { id: 'dep_1', status: 'succeeded', checks: { status: 'failed' } } };

/* biome-ignore format: a row a line */
test.each<[what: string, words: string, exitCode: number, code: string | undefined, answers: readonly Answer[]]>([
  ['a live one', '--wait --fail-if-not-live', 0, undefined, [said('succeeded', true)]],
  ['a live one of an unknown status', '--wait --fail-if-not-live', 0, undefined, [said('rolled', true)]],
  ['one that was replaced', '--wait', 0, undefined, [said('succeeded', false)]],
  ['one that was replaced', '--fail-if-not-live', 9, 'alert', [said('succeeded', false)]],
  ['a failed one', '', 0, undefined, [said('failed', false)]],
  ['a failed one', '--wait', 9, 'failed', [said('failed', false)]],
  ['a failed one', '--wait --fail-if-not-live', 9, 'alert', [said('failed', false)]],
  ['a failed one that is said to be live', '--wait', 9, 'failed', [said('failed', true)]],
  ['a failed one that is said to be live', '--fail-if-not-live', 9, 'alert', [said('failed', true)]],
  ['one that fails', '--wait', 9, 'failed', [said('queued'), said('build_failed')]],
  ['one under way', '--fail-if-not-live', 10, 'still_running', [said('building', false)]],
  ['one that does not say', '--fail-if-not-live', 12, 'no_data', [said('succeeded')]],
  ['one that does not say', '--wait', 0, undefined, [said('succeeded')]],
  ['one without anything', '--fail-if-not-live', 12, 'no_data', [said()]],
  ['trouble somewhere', '--fail-if-not-live', 12, 'no_data', [{ ...trouble, isLive: true }]],
  ['another one', '--fail-if-not-live', 8, 'unavailable', [said('succeeded', true, 'dep_2')]],
  ['another one', '', 0, undefined, [said('succeeded', true, 'dep_2')]],
  ['another one before it', '--wait', 9, 'failed', [said('succeeded', true, 'dep_2'), said('failed')]],
  ['failures that pass', '--wait', 0, undefined, [[503, {}], [503, {}], [503, {}], said('succeeded', true)]],
  ['a failure that does not', '--wait', 5, 'forbidden', [said('building'), [403, {}]]],
  ['one that is not there', '', 6, 'not_found', [[404, { error: 'none' }]]],
])('%s with %j ends with exit %i (%s)', async (_what, words, exitCode, code, answers) => {
  const done = await inspect(`${words} --json`, answers);
  expect([done.exitCode, done.sent.length]).toEqual([exitCode, answers.length]);
  if (code !== undefined) expect(done.error).toMatchObject({ code, exitCode });
  if (exitCode < 4 || exitCode > 8) expect(done.json).toEqual(JSON.parse(JSON.stringify(answers.at(-1))));
});

/* biome-ignore format: a row a line */
test.each([
  ['building', '--fail-if-not-live', 10],
  ['rolling', '--fail-if-not-live', 9],
  ['rolling', '', 10],
])('--wait gives up after its time: %s, %j is exit %i', async (status, words, exitCode) => {
  const done = await inspect(`--wait-timeout 2s ${words}`, [said(status, false)]);
  expect(done.exitCode).toBe(exitCode);
  expect(done.sent.length, 'it was looked at until the time was up').toBeGreaterThan(2);
  if (exitCode === 9) return;
  expect(done.stderr).toContain(`Deployment dep_1 is still under way (status ${status}).`);
  expect(done.stderr).toContain('Try: svc deployments inspect dep_1 --service svc_1 --wait');
});

test('of several, one that is not live wins over one that cannot be read', async () => {
  const path = 'GET /v1/services/svc_1/deployments/';
  const done = await against('deployments inspect a b c --service svc_1 --fail-if-not-live --json --concurrency 1', {
    [`${path}a`]: [said('done', true, 'a')],
    [`${path}b`]: [said('done', false, 'b')],
    [`${path}c`]: [[403, {}]],
  });
  expect(done.exitCode).toBe(9);
  expect(linesOf(done.stdout).map(({ code }) => code)).toEqual([null, 'alert', 'forbidden']);
  expect(done.error).toMatchObject({
    code: 'alert',
    error: '1 of 3 deployments alarms, 1 could not be read.',
    summary: { total: 3, done: 1, alerts: 1, failed: 1 },
  });
});
