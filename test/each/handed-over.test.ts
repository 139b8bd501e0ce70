import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { countingService } from './counting-service.ts';
import { linesOf } from './lines.ts';

const actionsOf = (id: string) => `/v1/services/${id}/actions`;
/** A service whose jobs are as `jobs` says now, and `svc wp run backup` on some services. */
async function backups(...ids: readonly string[]) {
  const jobs = { answer: 200, status: 'running', failing: '', onLook() {} };
  const service = await countingService(
    () => ({ carriesOut: true, answer: jobs.answer }),
    (id, { method }, times) => {
      if (method === 'POST') return { jobId: `job_${id}_${times}`, status: 'queued', action: 'backup' };
      jobs.onLook();
      return { status: id === jobs.failing ? 'failed' : jobs.status };
    },
  );
  const cwd = await temporaryFolder();
  const services = ids.flatMap((id) => ['--service', id]);
  const options = { url: service.url, cwd };
  return {
    ...service,
    jobs,
    cwd,
    svc: (argv: readonly string[]) => svc(argv, options),
    run: (more: readonly string[], own: RunOptions = {}) =>
      svc(['wp', 'run', 'backup', ...services, '--yes', ...more], { ...options, ...own }),
    log: async () => linesOf(await readFile(join(cwd, 'run.ndjson'), 'utf8')),
    /** How many jobs each service has had. */
    times: () => ids.map(service.timesOf),
  };
}

describe('--stop-after', () => {
  test('hands running jobs over to the log; --resume asks for them first and queues none again', async () => {
    const { jobs, run, log, times, requests } = await backups('s1', 's2');
    const stopped = await run(['--wait', '--stop-after', '1s', '--json', '--log', 'run.ndjson']);
    expect(stopped).toMatchObject({
      exitCode: 10,
      error: {
        code: 'still_running',
        summary: { total: 2, done: 0, failed: 0, left: 2, running: 2 },
        next: ['svc wp run backup --service s1 --service s2 --wait --stop-after 1s --yes --resume run.ndjson'],
      },
    });
    expect(linesOf(stopped.stdout)).toContainEqual(
      expect.objectContaining({
        item: 's1',
        code: 'still_running',
        error: expect.objectContaining({ jobId: 'job_s1_1', next: ['svc wp status job_s1_1 --service s1 --wait'] }),
      }),
    );
    expect((await log()).filter(({ jobId }) => jobId === 'job_s1_1')).toHaveLength(2);

    const before = requests();
    jobs.status = 'completed';
    const resumed = await run(['--wait', '--json', '--resume', 'run.ndjson']);
    expect(resumed).toMatchObject({ exitCode: 0, error: { summary: { total: 2, done: 2, skipped: 0 } } });
    expect(requests() - before).toBe(2);
    expect(times()).toEqual([1, 1]);
    expect(await run(['--wait', '--json', '--resume', 'run.ndjson'])).toMatchObject({
      error: { summary: { total: 2, done: 0, skipped: 2 } },
    });
  });

  test('is exit code 10, also if some have failed', async () => {
    const { jobs, run } = await backups('s1', 's2');
    jobs.failing = 's1';
    const { exitCode, error } = await run(['--wait', '--stop-after', '1s', '--json']);
    expect([exitCode, error]).toEqual([10, expect.objectContaining({ code: 'still_running' })]);
    expect(error['summary']).toMatchObject({ failed: 1, running: 1 });
  });

  test('starts nothing new, and without a log says how to wait for what runs', async () => {
    const { run, times } = await backups('s1', 's2');
    const stopped = await run(['--wait', '--concurrency', '1', '--max-failures', '9', '--stop-after', '1s']);
    expect([stopped.exitCode, times()]).toEqual([10, [1, 0]]);
    expect(stopped.stderr).toMatch(
      /^The time of --stop-after is over\. 0 of 2 services done, 1 still running, 1 not sent in 1s.*\n/,
    );
    expect(stopped.stderr).toContain('svc wp status job_s1_1 --service s1 --wait\n');
    expect(stopped.stdout).toContain('backup is still running as job job_s1_1.');
  });
});

test('Ctrl-C leaves a job running, and says so for each', async () => {
  const { jobs, run, log } = await backups('s1', 's2');
  const { exitCode, stdout, error } = await run(['--wait', '--json', '--log', 'run.ndjson'], {
    onStart: (signal) => (jobs.onLook = () => signal('SIGINT')),
  });
  expect(exitCode).toBe(130);
  expect(error).toMatchObject({ code: 'interrupted', summary: { left: 2, running: 2, failed: 0 } });
  const texts = linesOf(stdout).map((line) => (line['error'] as { error: string }).error);
  expect(texts.sort()).toEqual(
    ['s1', 's2'].map((id) => `Stopped waiting. backup is still running as job job_${id}_1.`),
  );
  expect((await log()).filter(({ inDoubt }) => inDoubt)).toHaveLength(2);
});

describe('--resume', () => {
  test('keeps a job that cannot be looked up, and never queues another', async () => {
    const { jobs, run, times } = await backups('s1');
    await run(['--wait', '--wait-timeout', '1s', '--json', '--log', 'run.ndjson']);
    for (const answer of [401, 404]) {
      jobs.answer = answer;
      const refused = await run(['--wait', '--json', '--resume', 'run.ndjson', '--retry-unknown']);
      expect(refused.exitCode).toBe(10);
    }
    Object.assign(jobs, { answer: 200, status: 'completed' });
    expect((await run(['--wait', '--json', '--resume', 'run.ndjson'])).exitCode).toBe(0);
    expect(times()).toEqual([1]);
  });

  test('repeats a job that failed', async () => {
    const { jobs, run, times } = await backups('s1');
    jobs.status = 'failed';
    expect((await run(['--wait', '--json', '--log', 'run.ndjson'])).exitCode).toBe(9);
    jobs.status = 'completed';
    expect((await run(['--wait', '--json', '--resume', 'run.ndjson'])).exitCode).toBe(0);
    expect(times()).toEqual([2]);
  });

  test('of two jobs of one service waits for none: it is in doubt', async () => {
    const { run, cwd, times } = await backups('s1');
    await run(['--wait', '--wait-timeout', '1s', '--json', '--log', 'run.ndjson']);
    const path = join(cwd, 'run.ndjson');
    const [, ...entries] = (await readFile(path, 'utf8')).split('\n');
    await appendFile(path, entries.join('\n').replaceAll('job_s1_1', 'job_other'));
    const { exitCode, stdout } = await run(['--wait', '--wait-timeout', '1s', '--json', '--resume', 'run.ndjson']);
    expect(exitCode).toBe(8);
    expect(linesOf(stdout)).toMatchObject([{ item: 's1', code: 'unavailable', attempts: 0 }]);
    expect(times()).toEqual([1]);
  });
});

describe('wp status', () => {
  test('--resume waits for the jobs of a log, queues nothing, and the log knows their ends', async () => {
    const { jobs, svc, run, times } = await backups('s1', 's2');
    await run(['--wait', '--wait-timeout', '1s', '--json', '--log', 'run.ndjson']);
    Object.assign(jobs, { status: 'completed', failing: 's1' });
    const waited = await svc(['wp', 'status', '--wait', '--resume', 'run.ndjson', '--json']);
    expect(waited).toMatchObject({ exitCode: 11, error: { summary: { total: 2, done: 1, failed: 1 } } });
    expect(times()).toEqual([1, 1]);
    // What failed is repeated, what is done is not.
    jobs.failing = '';
    expect(await run(['--wait', '--json', '--resume', 'run.ndjson'])).toMatchObject({ exitCode: 0 });
    expect(times()).toEqual([2, 1]);
    expect(await svc(['wp', 'status', '--resume', 'run.ndjson'])).toMatchObject({ exitCode: 0 });
  });

  test('--resume without --wait looks once at each, and a later one at what still runs', async () => {
    const { jobs, svc, run, requests } = await backups('s1', 's2');
    await run(['--wait', '--wait-timeout', '1s', '--json', '--log', 'run.ndjson']);
    jobs.failing = 's1';
    const before = requests();
    const first = await svc(['wp', 'status', '--resume', 'run.ndjson', '--json']);
    expect(first).toMatchObject({ exitCode: 11, error: { summary: { total: 2, failed: 1, running: 1 } } });
    const second = await svc(['wp', 'status', '--resume', 'run.ndjson', '--json']);
    expect(second).toMatchObject({ exitCode: 10, error: { summary: { total: 1, running: 1 } } });
    expect(requests() - before).toBe(3);
  });

  test('--resume refuses a log that is not there or empty, the log of anything but an action, and another one beside it', async () => {
    const { svc, cwd } = await backups();
    for (const [name, words] of [
      ['none.ndjson', 'cannot be read: no such file'],
      ['empty.ndjson', 'is not a log of svc'],
    ] as const) {
      if (name === 'empty.ndjson') await writeFile(join(cwd, name), '');
      const refused = await svc(['wp', 'status', '--resume', name]);
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) });
    }
    expect(await readdir(cwd)).toEqual(['empty.ndjson']);
    await svc(['restart', 's1', '-y', '--log', 'restart.ndjson']);
    expect(await svc(['wp', 'status', '--resume', 'restart.ndjson'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"restart.ndjson" is the log of another command: "restart".'),
    });
    const both = await svc(['wp', 'status', '--resume', 'restart.ndjson', '--log', 'other.ndjson']);
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be used together') });
  });
});

test('--accept not_found counts a service that was deleted as done, also in the log', async () => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  wire.on('POST', '/v1/services/s1/restart').reply(200, { success: true });
  wire.on('POST', '/v1/services/s2/restart').reply(404, { error: 'No such service' });
  const run = (...more: string[]) =>
    svc(['restart', 's1', 's2', '-y', '--accept', 'not_found', ...more], { url: wire.url, cwd });
  const { exitCode, stdout, error } = await run('--json', '--log', 'run.ndjson');
  expect([exitCode, error]).toEqual([0, { summary: expect.objectContaining({ total: 2, done: 2, accepted: 1 }) }]);
  expect(linesOf(stdout)).toContainEqual(
    expect.objectContaining({ item: 's2', exitCode: 0, code: null, accepted: 'not_found' }),
  );
  expect((await run('--resume', 'run.ndjson')).stdout).toContain('0 of 2 services done, 2 done before');
});

test.each([
  [['restart', 's1', 's2', '-y', '--accept', 'failed'], '--accept "failed" is not one of not_found'],
  [['restart', 's1', 's2', '-y', '--stop-after', '5'], '--stop-after "5" has no unit.'],
])('%j is refused before anything is sent', async (argv, words) => {
  const wire = await testWire();
  const { exitCode, stderr } = await svc(argv, { url: wire.url });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(words);
});

test('what one of several is warned of is in its line, and people read whose it is', async () => {
  const wire = await testWire();
  const odd = { jobId: 'job_1', status: 'on ice' };
  for (const id of ['s1', 's2']) wire.on('POST', actionsOf(id)).always(200, odd);
  const argv = ['wp', 'run', 'backup', '--service', 's1', '--service', 's2', '--yes'];
  const script = await svc([...argv, '--json'], { url: wire.url });
  const warnings = [{ warning: expect.stringContaining('does not know the status "on ice"'), code: 'unknown_status' }];
  expect(linesOf(script.stdout)).toMatchObject([{ warnings }, { warnings }]);
  expect(linesOf(script.stderr)).toHaveLength(1);
  const people = await svc(argv, { url: wire.url });
  expect(people.stderr).toMatch(/^Warning: s1, s2: svc does not know the status "on ice"\. /);
});

describe('off a terminal', () => {
  const minutes = async (json: boolean) => {
    const wire = await testWire();
    let now = 0;
    let shown = () => '';
    const clock = { ...systemClock, monotonic: () => now };
    wire.on('POST', '/v1/services/s1/restart').act(async ({ response }) => {
      now = 61_000;
      await until(() => shown() !== '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
    });
    wire.on('POST', '/v1/services/s2/restart').always(200, { success: true });
    return svc(['restart', 's1', 's2', '-y', '--concurrency', '1', '--timeout', '10m', ...(json ? ['--json'] : [])], {
      url: wire.url,
      clock,
      onStart: (_send, read) => (shown = read),
    });
  };

  test('a run says each minute how far it is', async () => {
    const { exitCode, stderr } = await minutes(false);
    expect([exitCode, stderr]).toEqual([0, 'restart  0 of 2\n']);
  });

  test('with --json these are counts, and the last line is that of the end', async () => {
    const { stderr } = await minutes(true);
    expect(linesOf(stderr)).toMatchObject([
      { summary: { total: 2, done: 0, left: 2 } },
      { summary: { total: 2, done: 2, left: 0 } },
    ]);
  });
});
