import { expect, test } from 'vitest';
import { planWait } from '../../../src/commands/shared/wait.ts';
import { waitForJob } from '../../../src/commands/wp/wait-for-job.ts';
import { createAssume } from '../../../src/contract/assumptions.ts';
import { OutputClosed } from '../../../src/terminal/io.ts';
import { fakeClock } from '../../support/clock.ts';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const JOB = '/v1/services/svc_1/actions/job_1';

/** `svc wp run backup --wait` on a job that says so, one answer after the other, the last always. */
async function waitFor(...answers: readonly object[]) {
  const wire = await testWire();
  const clock = fakeClock();
  wire.on('POST', '/v1/services/svc_1/actions').reply(202, { jobId: 'job_1', status: 'queued' });
  const looks = wire.on('GET', JOB);
  for (const answer of answers.slice(0, -1)) looks.reply(200, answer);
  looks.always(200, answers.at(-1) ?? {});
  const argv = 'wp run backup --service svc_1 --wait --json'.split(' ');
  const run = await svc(argv, { url: wire.url, clock });
  return { run, exitCode: run.exitCode, seconds: clock.monotonic() / 1000 };
}

test('a status that svc does not know, and that does not change for 2 minutes, ends the wait', async () => {
  const { run, exitCode, seconds } = await waitFor({ jobId: 'job_1', status: 'on ice' });

  expect(exitCode).toBe(10);
  expect(seconds).toBeGreaterThanOrEqual(120);
  expect(seconds).toBeLessThan(130);
  expect(run.error['error']).toContain('has the status "on ice"');
  expect(run.error['error']).toContain('SVC_ASSUME');
  // The line that waited would end so again.
  expect(run.error).toMatchObject({
    next: ['svc wp status job_1 --service svc_1'],
    nextKind: 'look',
  });
});

test('an answer without a status ends the wait as well, unless something in it moves', async () => {
  const still = await waitFor({ jobId: 'job_1' });
  const steps = Array.from({ length: 60 }, (_, step) => ({ jobId: 'job_1', progress: step }));
  const moving = await waitFor(...steps, { jobId: 'job_1', status: 'completed' });

  expect(still.exitCode).toBe(10);
  expect(still.run.error['error']).toMatch(
    /stopped waiting: backup has no status that svc can read/,
  );
  expect(still.run.error['next']).toEqual(['svc wp status job_1 --service svc_1']);
  expect(still.seconds).toBeLessThan(130);
  expect(moving.exitCode).toBe(0);
  expect(moving.seconds).toBeGreaterThan(130);
});

test('an unknown status that changes, and a known one, are waited for', async () => {
  const odd = Array.from({ length: 60 }, (_, step) => ({
    jobId: 'job_1',
    status: `phase ${step}`,
  }));
  const changing = await waitFor(...odd, { jobId: 'job_1', status: 'completed' });
  const running = await waitFor({ jobId: 'job_1', status: 'running' });

  expect(changing.exitCode).toBe(0);
  expect(running.exitCode).toBe(10);
  expect(running.seconds).toBeGreaterThanOrEqual(600);
});

test.each([
  ['alone', undefined, 600],
  ['in a list', { since: 0, jobId: undefined, queued() {} }, 6 * 3_600],
])('%s --wait lasts so many seconds: %i', async (_where, batch, seconds) => {
  const client = async () => undefined as never;
  const context = { api: { client, pollingClient: client } as never, batch };

  const waiting = await planWait(context, { wait: true, waitTimeout: undefined });
  const limited = await planWait(context, { wait: true, waitTimeout: 30 });

  expect(waiting.seconds).toBe(seconds);
  expect(limited.seconds).toBe(30);
});

test('a wait whose output nobody reads any more is interrupted, and names the job', async () => {
  const progress = () => ({ update() {}, stop() {} });
  const signal = AbortSignal.abort(new OutputClosed());
  const context = { io: { progress }, time: { clock: fakeClock(), signal } } as never;
  const client = { call: () => Promise.reject(new Error('aborted')) } as never;
  const job = { id: 'job_1', service: 'svc_1', title: 'svc_1', globals: {} as never };

  const waiting = waitForJob(context, client, { ...job, assume: createAssume(new Map()) }, 60);

  await expect(waiting).rejects.toMatchObject({
    code: 'interrupted',
    message: 'Stopped waiting. The action is still running as job job_1.',
  });
});
