import { expect, test } from 'vitest';
import { type Answer, against } from '../../support/against.ts';

const JOB = 'GET /v1/services/svc_1/actions/job_1';
const WAIT = 'svc wp status job_1 --service svc_1 --wait';
const DONE = { jobId: 'job_1', status: 'done' };
const RUNNING = { jobId: 'job_1', status: 'running' };
const FAILED = { jobId: 'job_1', status: 'failed', message: 'disk full' };
const BUSY: Answer = [503, { error: 'no' }];
const text = (word: string) => expect.stringContaining(word);

/** Answers of the platform to each look; the last one stays. */
test.each<
  [
    flags: string,
    looks: readonly Answer[],
    exitCode: number,
    waits: readonly number[],
    shown: object,
  ]
>([
  ['', [DONE], 0, [], { stdout: text('✓ The action is done.'), stderr: '' }],
  [
    '',
    [RUNNING],
    10,
    [],
    { stdout: text('  Job  job_1 · svc_1\n'), stderr: text(`still running.\nTry: ${WAIT}\n`) },
  ],
  [
    '',
    [{ jobId: 'job_1', state: 'IN_PROGRESS' }],
    10,
    [],
    { stderr: text('The action is still in progress.\nTry: ') },
  ],
  ['', [FAILED], 9, [], { stderr: text('did not succeed: disk full\n') }],
  [
    '',
    [[404, { error: 'no' }]],
    6,
    [],
    { stderr: text('/v1/services/{id}/actions/{jobId}, which is an assumption.') },
  ],
  ['--json --no-retry', [BUSY], 8, [], { error: { jobId: 'job_1', status: 503 } }],
  ['--wait', [RUNNING, RUNNING, DONE], 0, [300, 450], { stdout: text('✓ The action is done.') }],
  ['--wait --no-retry', [BUSY, BUSY, BUSY, FAILED], 9, [300, 450, 675], {}],
  [
    '--wait-timeout 1s --json',
    [RUNNING],
    10,
    [300, 450, 250],
    { error: { jobId: 'job_1', hint: WAIT } },
  ],
  ['', [{ jobId: 'job_2', status: 'done' }], 8, [], { stderr: text('job_2') }],
])(
  'wp status job_1 %s with looks that say %j is exit %i',
  async (flags, looks, exitCode, waits, shown) => {
    const run = await against(`wp status job_1 --service svc_1 ${flags}`, { [JOB]: looks });
    expect(run).toMatchObject({ exitCode, waits, ...shown });
  },
);

test('several are waited for, each of its own service', async () => {
  const stdin = '{"job": "job_1", "service": "svc_1"}\n{"job": "job_2", "service": "svc_2"}\n';
  const other = { 'GET /v1/services/svc_2/actions/job_2': [{ jobId: 'job_2', status: 'failed' }] };
  const run = await against(
    'wp status --wait --jobs - --json',
    { [JOB]: [DONE], ...other },
    { stdin },
  );
  expect(run).toMatchObject({ exitCode: 11, error: { summary: { total: 2, done: 1, failed: 1 } } });
});

test('how far a running job is stands once above the error, which says that it runs', async () => {
  const run = await against('wp status job_1 --service svc_1', {
    [JOB]: [{ ...RUNNING, action: 'backup', progress: 59 }],
  });

  expect(run.stdout).toBe('  Job       job_1 · svc_1\n  Progress  59%\n');
  expect(run.stderr).toMatch(/^backup is still running\.|^Error: backup is still running\./);
});

test('the job id ".." is refused before anything is sent', async () => {
  expect(await against('wp status .. --service svc_1', {})).toMatchObject({
    exitCode: 2,
    stderr: text('job id'),
  });
});
