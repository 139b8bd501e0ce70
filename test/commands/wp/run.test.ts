import { expect, test } from 'vitest';
import { type Answer, against } from '../../support/against.ts';
import { fakeClock } from '../../support/clock.ts';
import { CANARY_TOKEN, type RunOptions } from '../../support/svc.ts';

const PATH = '/v1/services/svc_1/actions';
const JOB = `${PATH}/job_1`;
const WAIT = 'svc wp status job_1 --service svc_1 --wait';
const QUEUED = { jobId: 'job_1', status: 'queued', action: 'backup' };
const RUNNING = { ...QUEUED, status: 'running' };

/**
 * Runs `svc wp run backup` against a platform that answers the request, and then each look at the
 * job; the last stays.
 */
function run(
  flags: string,
  queued: Answer,
  looks: readonly Answer[] = [],
  options: RunOptions = {},
  path = JOB,
) {
  const answers = {
    [`POST ${PATH}`]: [queued],
    ...(looks.length > 0 && { [`GET ${path}`]: looks }),
  };
  return against(`wp run backup --service svc_1 ${flags}`, answers, options);
}

const text = (...words: string[]) =>
  expect.stringMatching(
    new RegExp(words.map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*')),
  );

test('queues an action with its parameters, as they were typed', async () => {
  const flags =
    '--param name=nightly --param note=a=b --param n:=12345678901234567890 --param f:=1.10';
  const { sent, exitCode, stderr } = await run(flags, QUEUED);
  expect([exitCode, stderr]).toEqual([0, '']);
  const body =
    '{"action":"backup","params":{"name":"nightly","note":"a=b","n":12345678901234567890,"f":1.10}}';
  expect(sent[0]).toMatchObject({ body, headers: { authorization: `Bearer ${CANARY_TOKEN}` } });
  expect((await run('', [202, QUEUED])).sent[0]?.json).toEqual({ action: 'backup', params: {} });
});

test.each([
  ['--param a=1 --param a=2', 'given twice'],
  ['--param a', 'key=value'],
  ['--param a:=nope', 'JSON'],
  ['--wait-timeout 0s', '--wait-timeout'],
])('%s is refused before anything is sent', async (flags, words) => {
  const done = await against(`wp run backup --service svc_1 ${flags}`, {});
  expect(done).toMatchObject({ exitCode: 2, stdout: '', stderr: text(words) });
});

const WRAPPED = { success: true, data: { job: { id: 'job_1' } } };

/** What the answer to the request says, whether or not svc would wait for the job. */
test.each<[flags: string, queued: Answer, exitCode: number, shown: object]>([
  ['', WRAPPED, 0, { stdout: text('backup is queued.', 'job_1') }],
  [
    '--json',
    '{"jobId":"job_1","cost":1.50}',
    0,
    { stdout: '{"jobId":"job_1","cost":1.50}\n', stderr: '' },
  ],
  [
    '--wait',
    { ...QUEUED, status: 'completed' },
    0,
    { stdout: text('✓ backup is done.'), waits: [] },
  ],
  // Failed or refused.
  [
    '',
    { ...QUEUED, status: 'FAILED', message: 'disk full' },
    9,
    { stderr: text('backup did not succeed: disk full\n') },
  ],
  [
    '',
    { status: 'failed', message: 'no such action' },
    9,
    { stderr: text('did not queue backup: no such action\n') },
  ],
  [
    '--wait --json',
    { success: false, ...QUEUED },
    8,
    { error: { code: 'unavailable', outcome: 'unknown', jobId: 'job_1' } },
  ],
  // Neither yes nor no: to run it again might do it twice.
  ['--wait', { message: 'Plugin not found' }, 8, { stdout: text('Plugin not found') }],
  [
    '--json',
    { jobId: '' },
    8,
    { json: { jobId: '' }, error: { code: 'unavailable', outcome: 'unknown' } },
  ],
  ['--wait --json', 'reset', 8, { stdout: '', error: { code: 'unavailable', outcome: 'unknown' } }],
  // A word that svc does not know.
  [
    '',
    { ...QUEUED, status: 'on ice' },
    0,
    { stderr: text('the status "on ice"', 'SVC_ASSUME=job.done=+on_ice') },
  ],
  // Queued, but nothing to wait for.
  [
    '--wait --json',
    { jobId: '..' },
    10,
    { json: { jobId: '..' }, error: { hint: text('dashboard') } },
  ],
  ['--wait --json', { state: 'on ice' }, 10, { error: { code: 'still_running' } }],
  ['--jq .x[]', QUEUED, 1, { stderr: text('backup was accepted. The --jq filter failed') }],
])('%s with %j is exit %i', async (flags, queued, exitCode, shown) => {
  const done = await run(flags, queued);
  expect(done).toMatchObject({ exitCode, ...shown });
  expect(done.sent).toHaveLength(1);
  if (exitCode > 0 || done.stderr !== '') expect(done.stdout).not.toContain('✓');
  expect(done.stderr).not.toContain('svc wp run');
});

const EXACT = '{"jobId":"job_1","status":"done","seconds":1.20}';
const SLOW: Answer = [429, { error: 'slow' }, { 'retry-after': '120' }];
const PAGE: Answer = [200, '<h1>Sign in</h1>', { 'content-type': 'text/html' }];
const UNSEEN = {
  json: QUEUED,
  error: { hint: text('job.path'), error: text('queued as job job_1, but') },
};
const AGAIN = { jobId: 'job_1', next: expect.arrayContaining([WAIT]) };
const failed = { jobId: 'job_1', status: 'done', data: { status: 'failed' } };

/** What the looks at the job say. */
test.each<[flags: string, looks: readonly Answer[], exitCode: number, shown: object]>([
  ['--json', [RUNNING, EXACT], 0, { stdout: `${EXACT}\n`, stderr: '' }],
  [
    '',
    [{ job: { id: 'job_1', status: 'complete' } }],
    0,
    { stdout: text('✓ backup is done (300ms).'), waits: [300] },
  ],
  ['', [{ ...RUNNING, data: { status: 'done' } }, failed], 8, { waits: [300, 450] }],
  // An error beside a status that goes on may be that of an attempt which is repeated.
  [
    '',
    [
      { ...RUNNING, error: 'attempt 1 failed' },
      { ...RUNNING, status: 'done' },
    ],
    0,
    { stderr: '' },
  ],
  [
    '--json',
    [{ ...QUEUED, status: 'errored', error: 'no space' }],
    9,
    { error: { error: 'no space', jobId: 'job_1' } },
  ],
  [
    '--wait-timeout 3s',
    [{ ...QUEUED, status: 'Finished-ish' }],
    10,
    { stderr: text('SVC_ASSUME=job.done=+') },
  ],
  [
    '--org acme --json --wait-timeout 2s',
    [QUEUED],
    10,
    { error: { jobId: 'job_1', hint: `${WAIT} --org acme` } },
  ],
  // Looks that fail in passing, and for good.
  [
    '',
    [[502, {}], 'reset', SLOW, { status: 'done' }],
    0,
    { stderr: '', waits: expect.arrayContaining([120_000]) },
  ],
  [
    '--wait-timeout 10s',
    [[503, { error: 'maintenance' }]],
    10,
    { stderr: text('The last check failed') },
  ],
  ['--json', [[404, { error: 'Not found' }]], 10, UNSEEN],
  ['--json', [[405, { error: 'Not allowed' }]], 10, UNSEEN],
  ['--json', [PAGE], 10, UNSEEN],
  [
    '',
    [[401, { error: 'no' }]],
    10,
    { stderr: text('svc cannot look', 'would be done twice', WAIT) },
  ],
  ['--json', [[403, { error: 'no' }]], 10, { json: QUEUED, error: AGAIN }],
  // An answer about another job says nothing of this one.
  ['--wait-timeout 2s', [{ jobId: 'job_9', status: 'done' }], 10, { stderr: text('job_9') }],
])('--wait %s with looks that say %j is exit %i', async (flags, looks, exitCode, shown) => {
  const done = await run(`--wait ${flags}`, QUEUED, looks);
  expect(done).toMatchObject({ exitCode, ...shown });
  if (exitCode > 0) expect(done.stdout).not.toContain('✓');
});

test('--wait gives up after ten minutes, asks ever more slowly, and says how to look again', async () => {
  const done = await run('--wait', QUEUED, [RUNNING]);
  expect(done).toMatchObject({ exitCode: 10, stderr: text(`Try: ${WAIT}\n`) });
  const { waits, sent } = done;
  const sum = waits.reduce((all, wait) => all + wait, 0);
  expect([sum, Math.max(...waits), sent.length]).toEqual([600_000, 5_000, 1 + waits.length]);
});

test('--wait takes another path and other words from SVC_ASSUME', async () => {
  const env = { SVC_ASSUME: 'job.path=/v1/jobs/{jobId},job.done=over out' };
  const looks = [{ status: 'halfway' }, { status: 'out' }];
  expect((await run('--wait', QUEUED, looks, { env }, '/v1/jobs/job_1')).exitCode).toBe(0);
});

test('--wait that is interrupted says that the job still runs', async () => {
  const clock = fakeClock();
  const onStart: RunOptions['onStart'] = (send) =>
    clock.onSleep(() => void (clock.waits.length === 2 && send('SIGINT')));
  const done = await run('--wait', QUEUED, [RUNNING], { clock, onStart });
  const stderr = text('backup is still running as job job_1.', `Try: ${WAIT}\n`);
  expect(done).toMatchObject({ exitCode: 130, stdout: '', stderr });
});
