import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { fakeClock } from '../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';
import { countingService, FINE, jobsThatAre } from './counting-service.ts';
import { linesOf } from './lines.ts';

const LOG = '--log run.ndjson';
/** Longer than anything that is waited for. */
const STOP_AFTER = '--stop-after 3h';
const STOP_AFTER_MS = 3 * 3_600_000;

/**
 * A service whose jobs are as `jobs` says now, and `svc wp run backup` on some services, in a time
 * of its own.
 */
async function backups(...ids: readonly string[]) {
  const jobs = { answer: 200, status: 'running', failing: '', onLook() {} };
  const looked = new Set<string>();
  const status = (id: string) => {
    looked.add(id);
    jobs.onLook();
    return id === jobs.failing ? 'failed' : jobs.status;
  };
  const service = await countingService(
    () => ({ ...FINE, answer: jobs.answer }),
    jobsThatAre(status),
  );
  const cwd = await temporaryFolder();
  const path = join(cwd, 'run.ndjson');
  const line = (argv: string, more: RunOptions = {}) =>
    svc(argv.split(' '), { url: service.url, cwd, clock: fakeClock(), ...more });
  const services = ids.map((id) => `--service ${id}`).join(' ');
  return {
    ...{ jobs, cwd, path, line, requests: service.requests },
    run: (flags: string, own?: RunOptions) => line(`wp run backup ${services} --yes ${flags}`, own),
    /**
     * A clock on which the time of --stop-after is over once so many jobs were looked at, before the
     * last of these looks is answered.
     */
    stopsAfter(count: number) {
      const clock = fakeClock();
      const sleep: typeof clock.sleep = async (ms, signal) => {
        if (ms !== STOP_AFTER_MS) return clock.sleep(ms, signal);
        await new Promise<void>((resolve) => {
          jobs.onLook = () => {
            if (looked.size >= count) resolve();
          };
        });
      };
      // No wait for a job ends by itself.
      return { clock: { ...clock, sleep, monotonic: () => 0 } };
    },
    log: async () => linesOf(await readFile(path, 'utf8')),
    /** How many jobs each service has had. */
    times: () => ids.map(service.timesOf),
  };
}

test('--stop-after hands running jobs over to the log; the same line asks for them first and queues none again', async () => {
  const { jobs, run, log, times, requests, stopsAfter } = await backups('s1', 's2');
  const stopped = await run(`--wait ${STOP_AFTER} --json ${LOG}`, stopsAfter(2));
  const next = [
    `svc wp run backup --service s1 --service s2 --yes --wait ${STOP_AFTER} --json ${LOG}`,
  ];
  const summary = { total: 2, done: 0, failed: 0, left: 2, running: 2 };
  expect(stopped).toMatchObject({
    exitCode: 10,
    error: { code: 'still_running', summary, next, nextKind: 'retry' },
  });
  const error = { jobId: 'job_s1_1', next: ['svc wp status job_s1_1 --service s1 --wait'] };
  const first = linesOf(stopped.stdout).find(({ item }) => item === 's1');
  expect(first).toMatchObject({ code: 'still_running', error });
  expect((await log()).filter(({ jobId }) => jobId === 'job_s1_1')).toHaveLength(2);

  const before = requests();
  jobs.status = 'completed';
  const resumed = await run(`--wait --json ${LOG}`);
  expect(resumed).toMatchObject({
    exitCode: 0,
    error: { summary: { total: 2, done: 2, skipped: 0 } },
  });
  expect([requests() - before, times()]).toEqual([2, [1, 1]]);
  const again = await run(`--wait --json ${LOG}`);
  expect(again).toMatchObject({ error: { summary: { total: 2, done: 0, skipped: 2 } } });
});

test('--stop-after starts nothing new, is exit code 10 also if some have failed, and says how to wait', async () => {
  const { jobs, run, times, stopsAfter } = await backups('s1', 's2', 's3');
  jobs.failing = 's1';
  const stopped = await run(`--wait --concurrency 1 --max-failures 2 ${STOP_AFTER}`, stopsAfter(2));
  expect([stopped.exitCode, times()]).toEqual([10, [1, 1, 0]]);
  expect(stopped.stderr).toContain(
    '0 of 3 services done, 1 failed, 1 still under way, 1 not sent.',
  );
  expect(stopped.stderr).toContain('svc wp status job_s2_1 --service s2 --wait\n');
});

test('after a failed job the same line is proposed, but not as one to repeat unseen', async () => {
  const { jobs, run } = await backups('s1', 's2');
  Object.assign(jobs, { status: 'completed', failing: 's1' });

  const { exitCode, error } = await run(`--wait --json ${LOG}`);

  expect(exitCode).toBe(11);
  expect(error).toMatchObject({ next: [expect.stringContaining(LOG)], nextKind: 'other' });
});

test('a run that was stopped goes on days later, though all that it sent was done', async () => {
  const { jobs, run, times, stopsAfter } = await backups('s1', 's2');
  jobs.status = 'completed';
  const one = `--wait --concurrency 1 --max-failures 2 ${LOG}`;
  const stopped = await run(`${one} ${STOP_AFTER} --json`, stopsAfter(1));
  expect(stopped.error['summary']).toMatchObject({ done: 1, left: 1 });

  const later = fakeClock();
  later.advance(48 * 3_600_000);
  const resumed = await run(`${one} --json`, { clock: later });

  expect(resumed.exitCode).toBe(0);
  expect(times()).toEqual([1, 1]);
});

test('a run that is ended by SIGTERM has the exit code of that signal', async () => {
  const { jobs, run } = await backups('s1', 's2');
  const onStart: RunOptions['onStart'] = (signal) => (jobs.onLook = () => signal('SIGTERM'));

  expect((await run('--wait', { onStart })).exitCode).toBe(143);
});

test('Ctrl-C leaves a job running, and says so for each', async () => {
  const { jobs, run, log } = await backups('s1', 's2');
  const onStart: RunOptions['onStart'] = (signal) => (jobs.onLook = () => signal('SIGINT'));
  const { exitCode, stdout, error } = await run(`--wait --json ${LOG}`, { onStart });
  expect([exitCode, error]).toMatchObject([
    130,
    { code: 'interrupted', summary: { left: 2, running: 2, failed: 0 } },
  ]);
  const told = linesOf(stdout).map((line) => (line['error'] as { jobId: string }).jobId);
  expect(told.sort()).toEqual(['job_s1_1', 'job_s2_1']);
  expect((await log()).filter(({ inDoubt }) => inDoubt)).toHaveLength(2);
});

/**
 * What the jobs are now, a line (that of the run, or `wp status`), its exit code and summary, and
 * the jobs so far.
 */
type Step = [jobs: object, line: string, exitCode: number, summary: object, times: number[]];

const GIVES_UP = `--wait --wait-timeout 1s --json ${LOG}`;
const WAITS = `--wait --json ${LOG}`;
const LEFT = { answer: 200, status: 'completed', failing: '' };

test.each<[what: string, steps: Step[]]>([
  [
    'a job that cannot be looked up is kept, and never queued again',
    [
      [{}, GIVES_UP, 10, { running: 1 }, [1]],
      [{ answer: 404 }, `${WAITS} --retry-unknown`, 10, { running: 1 }, [1]],
      [LEFT, WAITS, 0, { done: 1 }, [1]],
    ],
  ],
])('%s', async (_what, steps) => {
  const { jobs, run, times } = await backups('s1');
  for (const [now, argv, exitCode, summary, expected] of steps) {
    Object.assign(jobs, now);
    const done = await run(argv);
    expect([exitCode, done], argv).toMatchObject([done.exitCode, { error: { summary } }]);
    expect(times()).toEqual(expected);
  }
});

test('of two jobs of one service a resumed run waits for none: it is in doubt', async () => {
  const { run, path, times } = await backups('s1');
  await run(GIVES_UP);
  const [, ...entries] = (await readFile(path, 'utf8')).split('\n');
  await appendFile(path, entries.join('\n').replaceAll('job_s1_1', 'job_other'));
  const { exitCode, stdout } = await run(WAITS);
  expect([exitCode, times()]).toEqual([8, [1]]);
  expect(linesOf(stdout)).toMatchObject([{ item: 's1', code: 'unavailable', attempts: 0 }]);
});

test.each([
  ['', expect.stringMatching(/^restart: 0 of 2 services done, 2 not sent in 1m 1s, .*\n$/)],
  [
    '--json',
    expect.stringMatching(
      /^\{"summary":\{"total":2,"done":0,.*\n\{"summary":\{"total":2,"done":2,.*\n$/,
    ),
  ],
])('off a terminal a run says each minute how far it is: %j', async (flags, expected) => {
  const wire = await testWire();
  let now = 0;
  let shown = () => '';
  wire.on('POST', '/v1/services/s1/restart').act(async ({ response }) => {
    now = 61_000;
    await until(() => shown() !== '');
    send(response, 200, { success: true });
  });
  wire.on('POST', '/v1/services/s2/restart').always(200, { success: true });
  const argv = `restart s1 s2 -y --concurrency 1 --timeout 10m ${flags}`.trim().split(' ');
  const clock = { ...systemClock, monotonic: () => now };
  const run = await svc(argv, { url: wire.url, clock, onStart: (_send, read) => (shown = read) });
  expect(run).toMatchObject({ exitCode: 0, stderr: expected });
});
