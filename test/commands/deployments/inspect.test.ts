import { expect, test } from 'vitest';
import { linesOf } from '../../batch/lines.ts';
import { type Answer, against } from '../../support/against.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

/** Looks at `dep_1`, whose answers come in turn; it is always the same half of the jitter. */
const inspect = (words: string, answers: readonly Answer[], options: RunOptions = {}) =>
  against(
    `deployments inspect dep_1 --service svc_1 ${words}`,
    { 'GET /v1/services/svc_1/deployments/dep_1': answers },
    { random: () => 0.5, ...options },
  );

test.each<[answer: object, live: string, assumed?: string]>([
  [{ live: 'true' }, 'yes'],
  [{ is_live: 0 }, 'no'],
  [{ liveDeploymentId: 'dep_2' }, 'no'],
  [{ current: 'dep_1' }, 'yes'],
  [{ liveDeployment: { id: 'dep_2' } }, 'no'],
  [{ deployment: { isActive: 0 }, cached: true }, 'no'],
  [{ current: false, live: true }, 'yes'],
  // No other name is taken for the indicator, nor one of two that contradict each other.
  [{ activeUsers: 1, currentReplicas: 0, livenessProbe: true }, 'not known'],
  [{ live: 'perhaps', liveUrl: 'https://example.com' }, 'not known'],
  [{ live: true, isLive: false }, 'not known'],
  [{ current: 'main' }, 'not known'],
  // SVC_ASSUME names it.
  [{ current: false, serving: 'true' }, 'yes', 'serving'],
  [{ deployment: { serving: false }, live: true }, 'no', 'serving'],
  [{ live: true }, 'not known', 'serving'],
])('%j is live: %s (assumed %s)', async (answer, live, assumed) => {
  const env = assumed === undefined ? {} : { SVC_ASSUME: `deployment.live=${assumed}` };
  const { stdout } = await inspect(
    '',
    [{ deployment: { id: 'dep_1', status: 'failed' }, ...answer }],
    { env },
  );
  expect(stdout).toMatch(new RegExp(`^ {2}Live +${live}$`, 'm'));
  // What is not read is shown.
  const labels = stdout.toLowerCase().replaceAll(/\s/g, '');
  for (const name of Object.keys(live === 'not known' ? answer : {}))
    expect(labels).toContain(name.toLowerCase());
});

test('secrets of its environment are masked for people, and exact with --json', async () => {
  const env = { DB_PASSWORD: 'hunter2', DATABASE_URL: 'postgres://u:hunter2@h/db', PORT: '80' };
  const answer = `{"deployment":${JSON.stringify({ env, vars: [{ name: 'API_TOKEN', value: 'hunter2' }] })},"size":1.10}`;
  expect((await inspect('', [answer])).stdout).not.toContain('hunter2');
  expect(await inspect('--json', [answer])).toMatchObject({
    exitCode: 0,
    stdout: `${answer}\n`,
    stderr: '',
  });
});

test.each([['deployments inspect dep_1'], ['deployments inspect .. --service svc_1']])(
  '%s is refused before anything is sent',
  async (line) => {
    expect(await against(line, {})).toMatchObject({ exitCode: 2, stdout: '' });
  },
);

test('one that was seen is looked for in its service', async () => {
  const configDir = await temporaryFolder();
  const wire = await testWire();
  wire
    .on('GET', '/v1/services/svc_1/deployments/dep_1')
    .always(200, { deployment: { id: 'dep_1' } });
  const words = ['deployments', 'inspect', 'dep_1'];
  expect(await svc([...words, '--service', 'svc_1'], { url: wire.url, configDir })).toMatchObject({
    exitCode: 0,
  });
  const env = { SVC_SERVICE: 'svc_2' };
  expect(await svc(words, { url: wire.url, configDir, env })).toMatchObject({ exitCode: 0 });
});

test('for a deployment that is not there, people are told how to look at another service', async () => {
  const stderr = expect.stringContaining('To look there, add --service <id>.\n');
  expect(await inspect('', [[404, { error: 'none' }]])).toMatchObject({ exitCode: 6, stderr });
});

const said = (status?: string, isLive?: boolean, id = 'dep_1') => ({
  deployment: { id, status },
  isLive,
});
const trouble = { deployment: { id: 'dep_1', status: 'succeeded', checks: { status: 'failed' } } };

test.each<
  [
    what: string,
    words: string,
    exitCode: number,
    code: string | undefined,
    answers: readonly Answer[],
  ]
>([
  [
    'a live one of an unknown status',
    '--wait --fail-if-not-live',
    0,
    undefined,
    [said('rolled', true)],
  ],
  ['one that was replaced', '--wait', 0, undefined, [said('succeeded', false)]],
  ['one that was replaced', '--fail-if-not-live', 9, 'alert', [said('succeeded', false)]],
  ['a failed one', '', 0, undefined, [said('failed', false)]],
  ['a failed one', '--wait --fail-if-not-live', 9, 'alert', [said('failed', false)]],
  [
    'a failed one that is said to be live',
    '--fail-if-not-live',
    0,
    undefined,
    [said('failed', true)],
  ],
  ['one that fails', '--wait', 9, 'failed', [said('queued'), said('build_failed')]],
  ['one under way', '--fail-if-not-live', 10, 'still_running', [said('building', false)]],
  ['one that does not say', '--fail-if-not-live', 12, 'no_data', [said('succeeded')]],
  ['one that does not say', '--wait', 0, undefined, [said('succeeded')]],
  ['one without anything', '--fail-if-not-live', 12, 'no_data', [said()]],
  ['trouble elsewhere', '--fail-if-not-live', 0, undefined, [{ ...trouble, isLive: true }]],
  [
    'an error beside it',
    '--fail-if-not-live',
    12,
    'no_data',
    [{ ...said('ready', true), error: 'x' }],
  ],
  ['another one', '--fail-if-not-live', 8, 'unavailable', [said('succeeded', true, 'dep_2')]],
  ['another one', '', 0, undefined, [said('succeeded', true, 'dep_2')]],
  [
    'another one before it',
    '--wait',
    9,
    'failed',
    [said('succeeded', true, 'dep_2'), said('failed')],
  ],
  [
    'failures that pass',
    '--wait',
    0,
    undefined,
    [[503, {}], [503, {}], [503, {}], said('succeeded', true)],
  ],
  ['a failure that does not', '--wait', 5, 'forbidden', [said('building'), [403, {}]]],
])('%s with %j ends with exit %i (%s)', async (_what, words, exitCode, code, answers) => {
  const done = await inspect(`${words} --json`, answers);
  expect([done.exitCode, done.sent.length]).toEqual([exitCode, answers.length]);
  if (code !== undefined) expect(done.error).toMatchObject({ code, exitCode });
  if (exitCode < 4 || exitCode > 8)
    expect(done.json).toEqual(JSON.parse(JSON.stringify(answers.at(-1))));
});

test.each<[status: string | undefined, words: string, exitCode: number]>([
  [undefined, '', 10],
  ['building', '--fail-if-not-live', 10],
  ['rolling', '--fail-if-not-live', 9],
  ['rolling', '', 10],
])('--wait gives up after its time: %s, %j is exit %i', async (status, words, exitCode) => {
  const done = await inspect(`--wait-timeout 2s ${words}`, [
    said(status, status === undefined ? undefined : false),
  ]);
  expect(done.exitCode).toBe(exitCode);
  expect(done.sent.length, 'it was looked at until the time was up').toBeGreaterThan(2);
  if (exitCode === 10)
    expect(done.stderr).toContain('Try: svc deployments inspect dep_1 --service svc_1 --wait');
});

test('of several, one that is not live wins over one that cannot be read', async () => {
  const path = 'GET /v1/services/svc_1/deployments/';
  const done = await against(
    'deployments inspect a b c --service svc_1 --fail-if-not-live --json --concurrency 1',
    {
      [`${path}a`]: [said('done', true, 'a')],
      [`${path}b`]: [said('done', false, 'b')],
      [`${path}c`]: [[403, {}]],
    },
  );
  expect(done.exitCode).toBe(9);
  expect(linesOf(done.stdout).map(({ code }) => code)).toEqual([null, 'alert', 'forbidden']);
  expect(done.error).toMatchObject({
    code: 'alert',
    summary: { total: 3, done: 1, alerts: 1, failed: 1 },
  });
});
