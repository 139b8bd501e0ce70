import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { svc } from '../../support/svc.ts';
import { testWire, type Wire } from '../../support/wire.ts';

const JOB = '/v1/services/svc_1/actions/job_1';

function status(wire: Wire, ...more: string[]) {
  const clock = fakeClock();
  const argv = ['wp', 'status', 'job_1', '--service', 'svc_1', ...more];
  return svc(argv, { url: wire.url, clock }).then((run) => Object.assign(run, { waits: clock.waits }));
}

describe('wp status --wait', () => {
  test('looks at once, then after 0.3 s and ever more slowly, until the job is done', async () => {
    const wire = await testWire();
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: 'queued', action: 'backup' });
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: 'running', action: 'backup' });
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: 'done', action: 'backup' });
    const { exitCode, stdout, stderr, waits } = await status(wire, '--wait');
    expect({ exitCode, stderr, waits }).toEqual({ exitCode: 0, stderr: '', waits: [300, 450] });
    expect(stdout).toMatchInlineSnapshot(`
      "✓ backup is done.

        Job      job_1
        Service  svc_1
      "
    `);
  });

  test('of a job that failed is exit 9, and of one that outlasts --wait-timeout exit 10', async () => {
    const wire = await testWire();
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: 'failed', message: 'disk full' });
    expect(await status(wire, '--wait')).toMatchObject({
      exitCode: 9,
      stderr: 'Error: The action did not succeed: disk full\n',
    });
    wire.on('GET', JOB).always(200, { jobId: 'job_1', status: 'running' });
    const { exitCode, error } = await status(wire, '--wait-timeout', '5s', '--json');
    const hint = 'svc wp status job_1 --service svc_1 --wait';
    expect([exitCode, error]).toEqual([10, expect.objectContaining({ jobId: 'job_1', hint })]);
  });

  test('outlives a platform that is busy', async () => {
    const wire = await testWire();
    wire.on('GET', JOB).reply(503, { error: 'busy' }).reply(503, { error: 'busy' }).reply(503, { error: 'busy' });
    wire.on('GET', JOB).reply(503, { error: 'busy' }).reply(200, { jobId: 'job_1', status: 'done' });
    expect(await status(wire, '--wait')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('of several waits for each, at the platform that it names', async () => {
    const wire = await testWire();
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: 'done' });
    wire.on('GET', '/v1/services/svc_2/actions/job_2').reply(200, { jobId: 'job_2', status: 'failed' });
    const stdin = '{"job": "job_1", "service": "svc_1"}\n{"job": "job_2", "service": "svc_2"}\n';
    const run = await svc(['wp', 'status', '--wait', '--jobs', '-', '--json'], { url: wire.url, stdin });
    expect(run).toMatchObject({ exitCode: 11, error: { summary: { total: 2, done: 1, failed: 1 } } });
  });
});

describe('wp status', () => {
  test.each([
    ['done', 0, ''],
    ['running', 10, 'The action is still running.\nTry: svc wp status job_1 --service svc_1 --wait\n'],
    ['failed', 9, 'Error: The action did not succeed: status failed\n'],
  ])('looks once at a job that is %s: exit code %i', async (word, exitCode, stderr) => {
    const wire = await testWire();
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: word });
    const run = await status(wire);
    expect([run.exitCode, run.stderr, run.waits]).toEqual([exitCode, stderr, []]);
    expect(wire.requests).toHaveLength(1);
  });

  test('with --json prints the answer as it came', async () => {
    const wire = await testWire();
    wire.on('GET', JOB).reply(200, '{"jobId":"job_1","status":"done","seconds":1.20}');
    expect((await status(wire, '--json')).stdout).toBe('{"jobId":"job_1","status":"done","seconds":1.20}\n');
  });

  test('of an id that the platform does not know says which path was asked, an assumption', async () => {
    const wire = await testWire();
    wire.on('GET', JOB).reply(404, { error: 'Not found' });
    const { exitCode, stderr } = await status(wire);
    expect(exitCode).toBe(6);
    expect(stderr).toContain('/v1/services/{id}/actions/{jobId}, which is an assumption.');
  });

  test('says that the platform is busy if it does not answer', async () => {
    const wire = await testWire();
    wire.on('GET', JOB).always(503, { error: 'busy' });
    expect(await status(wire, '--json')).toMatchObject({ exitCode: 8, error: { jobId: 'job_1', status: 503 } });
  });

  test.each([['..'], ['']])('refuses the id %j', async (id) => {
    const wire = await testWire();
    const { exitCode, stderr } = await svc(['wp', 'status', id, '--service', 'svc_1'], { url: wire.url });
    expect([exitCode, wire.requests.length]).toEqual([2, 0]);
    expect(stderr).toContain('job id');
  });
});
