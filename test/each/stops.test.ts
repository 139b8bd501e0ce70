import { type ChildProcess, execFile } from 'node:child_process';
import { constants } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { fakeClock } from '../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { type Act, type Exchange, send } from '../support/wire-plan.ts';
import { countingService, type Deed, FINE, idsOf, programOn } from './counting-service.ts';
import { linesOf } from './lines.ts';

const GONE: Deed = { carriesOut: false, answer: 404 };
const RESTART = 'restart --services - -y --json --concurrency 1'.split(' ');

describe('--max-failures', () => {
  test.each([
    ['3', 3],
    ['7%', 2],
  ])('%s stops a run of 20 after %d failures, and says what was not sent', async (limit, most) => {
    const { url, requests } = await countingService(() => GONE);
    const argv = [...RESTART, '--max-failures', limit];
    const { exitCode, stdout, error } = await svc(argv, { url, stdin: idsOf(20).join('\n') });
    expect([exitCode, linesOf(stdout).length, requests()]).toEqual([11, most, most]);
    expect(error['error']).toContain(`${most} failed, ${20 - most} not sent`);
  });

  test('counts jobs that outlast their wait, and the command that goes on repeats nothing that is in doubt', async () => {
    const service = await countingService(
      () => FINE,
      () => ({ jobId: 'job_1', status: 'running' }),
    );
    const argv = 'wp run backup --service s1 --service s2 --yes --json --wait --wait-timeout 1s --concurrency 1';
    const more = '--max-failures 1 --resume run.ndjson --retry-unknown';
    const options = { url: service.url, cwd: await temporaryFolder(), clock: fakeClock() };
    const { exitCode, error } = await svc(`${argv} ${more}`.split(' '), options);
    expect([exitCode, service.timesOf('s2')]).toEqual([11, 0]);
    expect(error['next']).toEqual([expect.not.stringContaining('--retry-unknown')]);
  });
});

describe('Ctrl-C', () => {
  /** A line for several, one at a time, that is interrupted as soon as the act or the clock says so. */
  async function interrupted(line: string, acts: Record<string, (interrupt: () => void) => Act>, options?: RunOptions) {
    const wire = await testWire();
    let interrupt = () => {};
    for (const [request, act] of Object.entries(acts)) {
      const [method = '', path = ''] = request.split(' ');
      wire.on(method, path).act(act(() => interrupt()));
    }
    const sleep: Clock['sleep'] = (ms, signal) => {
      if (ms > 100_000) queueMicrotask(() => interrupt());
      return systemClock.sleep(ms, signal);
    };
    return svc([...line.split(' '), '--json', '--concurrency', '1'], {
      url: wire.url,
      cwd: await temporaryFolder(),
      clock: { ...systemClock, sleep },
      onStart: (signal) => (interrupt = () => signal('SIGINT')),
      ...options,
    });
  }
  const says = (status: number, body: object, headers = {}): Act => {
    return ({ response }) => send(response, status, body, headers);
  };
  const stopsWith =
    (body: object, status = 200) =>
    (interrupt: () => void) =>
    async (exchange: Exchange) => {
      interrupt();
      // What is under way has some time left; a shorter time only sees less.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return says(status, body)(exchange);
    };

  test('says more than an alarm before it', async () => {
    const points = [{ time: '2026-11-25T11:59:30Z', cpu: 90 }];
    const acts = {
      'GET /v1/services/s1/metrics/history': () => says(200, { points }),
      'GET /v1/services/s2/metrics/history': stopsWith({ points: [] }),
    };
    const clock = fakeClock('2026-11-25T12:00:00Z');
    const run = await interrupted('metrics s1 s2 s3 --fail-if cpu>80', acts, { clock });
    expect(run).toMatchObject({ exitCode: 130, error: { code: 'interrupted', summary: { alerts: 1, left: 1 } } });
  });

  test('lets finish what is under way, sends nothing more, and says how to go on', async () => {
    const acts = { 'POST /v1/services/s1/restart': stopsWith({ success: true }) };
    const { exitCode, stdout, error } = await interrupted('restart s1 s2 s3 -y --log run.ndjson', acts);
    expect(linesOf(stdout)).toMatchObject([{ item: 's1', exitCode: 0 }]);
    const next = ['svc restart s1 s2 s3 --concurrency 1 --yes --resume run.ndjson'];
    expect({ exitCode, error }).toMatchObject({ exitCode: 130, error: { code: 'interrupted', exitCode: 130, next } });
    expect(error['error']).toContain('1 of 3 services done, 2 not sent');
  });

  test('between two attempts of a change leaves it in doubt', async () => {
    const acts = { 'POST /v1/services/s1/restart': stopsWith({}, 425) };
    const { exitCode, stdout } = await interrupted('restart s1 s2 -y', acts);
    expect([exitCode, linesOf(stdout)]).toMatchObject([130, [{ item: 's1', error: { outcome: 'unknown' } }]]);
  });

  test('ends a pause at once', async () => {
    const acts = { 'POST /v1/services/s1/restart': () => says(429, {}, { 'retry-after': '300' }) };
    const { exitCode, error } = await interrupted('restart s1 s2 -y', acts);
    expect([exitCode, error['outcome']]).toEqual([130, undefined]);
  });

  test('pressed twice ends the process at once; what was under way is in doubt', async () => {
    let child: ChildProcess | undefined;
    const service = await countingService((id) => {
      if (id !== 's0' || child === undefined) return FINE;
      child.kill('SIGINT');
      // Two that come at once are one.
      const again = setInterval(() => child?.kill('SIGINT') || clearInterval(again), 300);
      return { carriesOut: true, answer: 'hang' };
    });
    const ids = idsOf(3);
    const { run } = await programOn(service, ids);
    const argv = ['restart', '--services', 'list.txt', '-y', '--json', '--concurrency', '1'];
    const { exitCode, signalCode } = await run([...argv, '--log', 'run.ndjson'], (started) => (child = started));
    child = undefined;
    // A third one, on a slow machine, ends what is ending; a shell calls both 130.
    expect(exitCode ?? 128 + constants.signals[signalCode ?? 'SIGKILL']).toBe(130);
    const resumed = await run([...argv, '--resume', 'run.ndjson']);
    expect(resumed.exitCode).toBe(11);
    const doubtful = { item: 's0', exitCode: 8, attempts: 0 };
    expect(linesOf(resumed.stdout)).toContainEqual(expect.objectContaining(doubtful));
    expect(ids.map(service.timesOf)).toEqual([1, 1, 1]);
  });
});

test('a closed pipe ends a run of reads quietly, and one of changes with what was not sent', async () => {
  const service = await countingService(() => FINE);
  const { command, cwd, env } = await programOn(service, idsOf(300));
  const head = (words: string) => {
    const line = `${command.join(' ')} ${words} --services list.txt --json -y | head -n 3 >/dev/null`;
    const run = promisify(execFile)('bash', ['--norc', '-c', `${line}; exit \${PIPESTATUS[0]}`], { cwd, env });
    return run.catch(({ code, stderr }) => ({ code, stderr }));
  };
  expect(await head('metrics')).toEqual({ stdout: '', stderr: '' });
  const before = service.requests();
  expect(before).toBeLessThan(300);
  expect(await head('restart')).toEqual({ code: 1, stderr: expect.stringContaining('not sent') });
  expect(service.requests() - before).toBeLessThan(300);
});
