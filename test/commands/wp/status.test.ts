import { expect, test } from 'vitest';
import { type Answer, against } from '../../support/against.ts';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const JOB = '/v1/services/svc_1/actions/job_1';
const WAIT = 'svc wp status job_1 --service svc_1 --wait';
const [DONE, RUNNING, BUSY] = [{ jobId: 'job_1', status: 'done' }, { jobId: 'job_1', status: 'running' }, 503] as const;
const FAILED = { jobId: 'job_1', status: 'failed', message: 'disk full' };
const text = (word: string) => expect.stringContaining(word);

/** Answers of the platform to each look (a status has a body that says why); the last one stays. */
// biome-ignore format: a table
test.each<[flags: string, looks: ReadonlyArray<object | string | number>, exitCode: number, waits: readonly number[], shown: object]>([
  ['', [DONE], 0, [], { stdout: '✓ The action is done.\n\n  Job      job_1\n  Service  svc_1\n', stderr: '' }],
  ['', [RUNNING], 10, [], { stderr: `The action is still running.\nTry: ${WAIT}\n` }],
  ['', [FAILED], 9, [], { stderr: 'Error: The action did not succeed: disk full\n' }],
  ['--json', ['{"jobId":"job_1","status":"done","seconds":1.20}'], 0, [], { stdout: '{"jobId":"job_1","status":"done","seconds":1.20}\n' }],
  ['', [404], 6, [], { stderr: text('/v1/services/{id}/actions/{jobId}, which is an assumption.') }],
  ['--json --no-retry', [BUSY], 8, [], { error: { jobId: 'job_1', status: 503 } }],
  ['--wait', [{ ...RUNNING, status: 'queued' }, RUNNING, DONE], 0, [300, 450], { stdout: text('✓ The action is done.') }],
  ['--wait', [FAILED], 9, [], { stderr: 'Error: The action did not succeed: disk full\n' }],
  ['--wait --no-retry', [BUSY, BUSY, BUSY, DONE], 0, [300, 450, 675], { stderr: '' }],
  ['--wait-timeout 1s --json', [RUNNING], 10, [300, 450, 250], { error: { jobId: 'job_1', hint: WAIT } }],
  ['', [{ jobId: 'job_2', status: 'done' }], 8, [], { stderr: text('job_2') }],
])('wp status job_1 %s with looks that say %j is exit %i', async (flags, looks, exitCode, waits, shown) => {
  const answers = looks.map((look): Answer => (typeof look === 'number' ? [look, { error: 'no' }] : look));
  const run = await against(`wp status job_1 --service svc_1 ${flags}`, { [`GET ${JOB}`]: answers });
  expect(run).toMatchObject({ exitCode, waits, ...shown });
});

test('several are waited for, each of its own service', async () => {
  const wire = await testWire();
  wire.on('GET', JOB).reply(200, DONE);
  wire.on('GET', '/v1/services/svc_2/actions/job_2').reply(200, { jobId: 'job_2', status: 'failed' });
  const stdin = '{"job": "job_1", "service": "svc_1"}\n{"job": "job_2", "service": "svc_2"}\n';
  const run = await svc(['wp', 'status', '--wait', '--jobs', '-', '--json'], { url: wire.url, stdin });
  expect(run).toMatchObject({ exitCode: 11, error: { summary: { total: 2, done: 1, failed: 1 } } });
});

test.each(['..', ''])('the job id %j is refused before anything is sent', async (id) => {
  const wire = await testWire();
  const { exitCode, stderr } = await svc(['wp', 'status', id, '--service', 'svc_1'], { url: wire.url });
  expect([exitCode, wire.requests]).toEqual([2, []]);
  expect(stderr).toContain('job id');
});
