import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { fakeClock } from '../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';
import { countingService, FINE, GONE, idsOf, programOn } from './counting-service.ts';
import { linesOf } from './lines.ts';

test.each([['3', 3]])(
  '--max-failures %s stops a run of 20 after %d failures, and says what was not sent',
  async (limit, most) => {
    const { url, requests } = await countingService(() => GONE);
    const argv = `restart --services - -y --json --concurrency 1 --max-failures ${limit}`.split(
      ' ',
    );
    const { exitCode, stdout, error } = await svc(argv, { url, stdin: idsOf(20).join('\n') });
    expect([exitCode, linesOf(stdout).length, requests()]).toEqual([11, most, most]);
    expect(error['error']).toContain(`${most} failed, ${20 - most} not sent`);
  },
);

test('--max-failures counts jobs that outlast their wait, and the next command repeats nothing in doubt', async () => {
  const service = await countingService(
    () => FINE,
    () => ({ jobId: 'job_1', status: 'running' }),
  );
  const argv =
    'wp run backup --service s1 --service s2 --yes --json --wait --wait-timeout 1s --concurrency 1';
  const more = '--max-failures 1 --log run.ndjson --retry-unknown';
  const options = { url: service.url, cwd: await temporaryFolder(), clock: fakeClock() };
  const { exitCode, error } = await svc(`${argv} ${more}`.split(' '), options);
  expect([exitCode, service.timesOf('s2')]).toEqual([11, 0]);
  expect(error['next']).toEqual([expect.not.stringContaining('--retry-unknown')]);
});

test('doubts of earlier runs are no failures of this one: --max-failures goes on behind them', async () => {
  let isLost = true;
  const service = await countingService((id) =>
    id === 's1' && isLost ? { carriesOut: true, answer: 'reset' } : FINE,
  );
  const argv =
    'restart --services list.txt --yes --max-failures 1 --concurrency 1 --log r.nd --json';
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), idsOf(6).join('\n'));
  const run = () => svc(argv.split(' '), { url: service.url, cwd });

  const first = await run();
  isLost = false;
  const second = await run();
  const third = await run();

  expect(first.error['summary']).toMatchObject({ done: 1, failed: 1, left: 4 });
  // Somebody should look before the rest is restarted.
  expect(first.error).toMatchObject({ nextKind: 'other' });
  expect(second.error['summary']).toMatchObject({ done: 4, failed: 1, left: 0, skipped: 1 });
  expect(second.error).toMatchObject({ nextBy: 'person', nextKind: 'other' });
  expect(third.error['summary']).toMatchObject({ done: 0, failed: 1, skipped: 5 });
  expect(idsOf(6).map(service.timesOf)).toEqual([1, 1, 1, 1, 1, 1]);
});

/** One item at a time; Ctrl-C comes before the last answer, or in the pause that it asks for. */
async function interrupted(
  line: string,
  answers: Readonly<
    Record<string, readonly [status: number, body: object, headers?: Record<string, string>]>
  >,
  options?: RunOptions,
  presses = 1,
) {
  const wire = await testWire();
  let interrupt = () => {};
  for (const [request, [status, body, headers]] of Object.entries(answers)) {
    const [method = '', path = ''] = request.split(' ');
    wire.on(method, path).act(async ({ response }) => {
      const isNow = request === Object.keys(answers).at(-1) && headers === undefined;
      for (let press = 0; isNow && press < presses; press += 1) interrupt();
      // What is under way has some time left; a shorter time only sees less.
      await new Promise((resolve) => setTimeout(resolve, 20));
      send(response, status, body, headers);
    });
  }
  const sleep: Clock['sleep'] = (ms, signal) => {
    if (ms > 100_000) queueMicrotask(() => interrupt());
    return systemClock.sleep(ms, signal);
  };
  const run = await svc([...line.split(' '), '--json', '--concurrency', '1'], {
    url: wire.url,
    cwd: await temporaryFolder(),
    clock: { ...systemClock, sleep },
    onStart: (signal) => (interrupt = () => signal('SIGINT')),
    ...options,
  });
  expect(run.exitCode).toBe(130);
  return run;
}

test('Ctrl-C says more than an alarm before it', async () => {
  const answers = {
    'GET /v1/services/s1/metrics/history': [
      200,
      { points: [{ time: '2026-11-25T11:59:30Z', cpu: 90 }] },
    ],
    'GET /v1/services/s2/metrics/history': [200, { points: [] }],
  } as const;
  const clock = fakeClock('2026-11-25T12:00:00Z');
  const { error } = await interrupted('metrics s1 s2 s3 --fail-if cpu>80', answers, { clock });
  expect(error).toMatchObject({ code: 'interrupted', summary: { alerts: 1, left: 1 } });
});

test('Ctrl-C lets finish what is under way, sends nothing more, and says how to go on', async () => {
  const answers = { 'POST /v1/services/s1/restart': [200, { success: true }] } as const;
  const { stdout, error } = await interrupted('restart s1 s2 s3 -y --log run.ndjson', answers);
  expect(linesOf(stdout)).toMatchObject([{ item: 's1', exitCode: 0 }]);
  const next = ['svc restart s1 s2 s3 -y --log run.ndjson --json --concurrency 1'];
  expect(error).toMatchObject({
    code: 'interrupted',
    exitCode: 130,
    next,
    // A person stopped it.
    nextKind: 'other',
    summary: { done: 1, left: 2 },
  });
});

test.each([
  ['between two attempts of a change', 425, 1],
  ['pressed twice while a change is under way', 200, 2],
])('Ctrl-C %s leaves it in doubt', async (_when, status, presses) => {
  const answers = { 'POST /v1/services/s1/restart': [status, { success: true }] } as const;
  const { stdout } = await interrupted('restart s1 s2 -y', answers, undefined, presses);
  expect(linesOf(stdout)).toMatchObject([{ item: 's1', error: { outcome: 'unknown' } }]);
});

test('Ctrl-C ends a pause at once', async () => {
  const answers = { 'POST /v1/services/s1/restart': [429, {}, { 'retry-after': '300' }] } as const;
  expect((await interrupted('restart s1 s2 -y', answers)).error['outcome']).toBeUndefined();
});

test('Ctrl-C pressed twice ends the process at once; what was under way is in doubt', async () => {
  let kill: (() => boolean) | undefined;
  const service = await countingService((id) => {
    if (id !== 's0' || kill === undefined) return FINE;
    kill();
    // Two that come at once are one.
    const again = setInterval(() => kill?.() || clearInterval(again), 300);
    return { carriesOut: true, answer: 'hang' };
  });
  const ids = idsOf(3);
  const { run } = await programOn(service, ids);
  const argv = ['restart', '--services', 'list.txt', '-y', '--json', '--concurrency', '1'];
  const stopped = await run(
    [...argv, '--log', 'run.ndjson'],
    (child) => (kill = () => child.kill('SIGINT')),
  );
  kill = undefined;
  // A third one, on a slow machine, ends what is ending; a shell calls both 130.
  expect(stopped.signal ?? stopped.exitCode).toBe(stopped.signal === undefined ? 130 : 'SIGINT');
  const resumed = await run([...argv, '--log', 'run.ndjson']);
  expect(resumed.exitCode).toBe(11);
  const doubtful = { item: 's0', exitCode: 8, attempts: 0 };
  expect(linesOf(resumed.stdout)).toContainEqual(expect.objectContaining(doubtful));
  expect(ids.map(service.timesOf)).toEqual([1, 1, 1]);
});

test('a closed pipe ends a run of reads quietly, and one of changes with what was not sent', async () => {
  const service = await countingService(() => FINE);
  const { command, cwd, env } = await programOn(service, idsOf(300));
  const head = (words: string) => {
    const line = `${command.join(' ')} ${words} --services list.txt --json -y | head -n 3 >/dev/null`;
    const run = promisify(execFile)('bash', ['--norc', '-c', `${line}; exit \${PIPESTATUS[0]}`], {
      cwd,
      env,
    });
    return run.catch(({ code, stderr }) => ({ code, stderr }));
  };
  expect(await head('metrics')).toEqual({ stdout: '', stderr: '' });
  const before = service.requests();
  expect(before).toBeLessThan(300);
  expect(await head('restart')).toEqual({ code: 1, stderr: expect.stringContaining('not sent') });
  expect(service.requests() - before).toBeLessThan(300);
});

test('a change whose line nobody reads any more is counted as done', async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const service = await countingService(() => ({ ...FINE, after: closed }));
  const { run } = await programOn(service, []);

  const { exitCode, stderr } = await run(
    'restart s0 s1 s2 --json --yes --concurrency 1'.split(' '),
    ({ stdout }) => stdout?.once('close', close).destroy(),
  );

  expect(exitCode).toBe(1);
  expect(service.timesOf('s0')).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({ summary: { total: 3, done: 1, left: 2 } });
});
