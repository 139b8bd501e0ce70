import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import type { WireRecord } from '../support/wire-record.ts';
import { countingService, type Deed, FINE, GONE, jobsThatAre } from './counting-service.ts';
import { linesOf } from './lines.ts';

const HOUR_MS = 3_600_000;

/**
 * `svc wp run backup` on two services without waiting, and what looks at the log. `jobs` is the
 * status of each job now, `deeds` what the platform does with a service.
 */
async function queueBackups(deeds: Readonly<Record<string, Deed>> = {}) {
  const jobs: Record<string, string> = { s1: 'running', s2: 'running' };
  const answerOf = jobsThatAre((id) => jobs[id] ?? 'running');
  const looks: WireRecord[] = [];
  const service = await countingService(
    (id) => deeds[id] ?? FINE,
    (id, request, times) => {
      if (request.method === 'GET') looks.push(request);
      return answerOf(id, request, times);
    },
  );
  const cwd = await temporaryFolder();
  const path = join(cwd, 'q.nd');
  const clock = fakeClock('2026-11-28T00:00:00Z');
  const run = (line: string, more: RunOptions = {}) =>
    svc(line.split(' '), { url: service.url, cwd, clock, ...more });
  const queue = (flags = '') =>
    run(`wp run backup --service s1 --service s2 --yes --log q.nd ${flags}`.trim());
  return {
    clock,
    jobs,
    looks,
    path,
    run,
    queue,
    requests: service.requests,
    timesOf: service.timesOf,
    look: (flags = '') => run(`wp status --jobs q.nd ${flags}`.trim()),
    readLog: () => readFile(path, 'utf8'),
  };
}

test('queued is not done: no tick, a count of its own, and exit code 0', async () => {
  const { queue } = await queueBackups();

  expect(await queue()).toMatchObject({
    exitCode: 0,
    stdout: 'wp run: 2 of 2 services queued.\n',
    stderr: '',
  });
});

test('queued is in the summary, and is not among the done', async () => {
  const { queue } = await queueBackups();

  const { error } = await queue('--json');

  expect(error['summary']).toMatchObject({ total: 2, queued: 2, done: 0, left: 0, failed: 0 });
});

test('a job that failed is over, and the same line runs its action anew', async () => {
  const { queue, jobs, timesOf } = await queueBackups();
  await queue();
  Object.assign(jobs, { s1: 'failed', s2: 'completed' });

  const failing = await queue('--wait');
  jobs['s1'] = 'completed';
  const again = await queue('--wait');

  expect(failing.exitCode).not.toBe(0);
  expect(again.exitCode, again.stderr).toBe(0);
  expect(timesOf('s1')).toBe(2);
  expect(timesOf('s2')).toBe(1);
});

test('a log that had ended goes on once a new item is in doubt', async () => {
  const { run } = await queueBackups({ s2: { carriesOut: true, answer: 'reset' } });
  const restart = (...ids: readonly string[]) =>
    run(`restart ${ids.join(' ')} --yes --log r.nd --json`, {});
  await run('restart s1 s3 --yes --log r.nd');

  const failing = await restart('s1', 's3', 's2');
  const again = await restart('s1', 's3', 's2');

  expect(failing.exitCode).not.toBe(0);
  expect(again.exitCode).toBe(failing.exitCode);
  expect(again.stderr).not.toContain('already_done');
});

test('the look sees that queued jobs run, then that they are done, and writes nothing', async () => {
  const { queue, look, jobs, readLog, timesOf } = await queueBackups();
  await queue();
  const log = await readLog();

  const early = await look();
  jobs['s1'] = 'completed';
  const halfway = await look('--json');
  jobs['s2'] = 'completed';
  const late = await look('--wait');

  expect(early.exitCode).toBe(10);
  expect(early.shown).not.toContain('✓');
  expect(halfway).toMatchObject({
    exitCode: 11,
    error: { summary: { total: 2, done: 1, running: 1 } },
  });
  expect(late).toMatchObject({ exitCode: 0 });
  expect(late.stdout).toContain('✓ wp status: 2 of 2 jobs done.');
  expect(await readLog()).toBe(log);
  expect([timesOf('s1'), timesOf('s2')]).toEqual([1, 1]);
});

test('the same line with --wait sees the ends of what was queued, and queues nothing again', async () => {
  const { queue, jobs, timesOf } = await queueBackups();
  await queue();
  jobs['s1'] = 'completed';
  jobs['s2'] = 'completed';

  const { exitCode, error } = await queue('--wait --json');

  expect(exitCode).toBe(0);
  expect(error['summary']).toMatchObject({ total: 2, done: 2 });
  expect([timesOf('s1'), timesOf('s2')]).toEqual([1, 1]);
});

test('the look asks for each job in the organization that the list named', async () => {
  const { run, looks } = await queueBackups();
  const stdin = ['{"service":"s1","org":"acme"}', '{"service":"s2","org":"zebra"}'].join('\n');
  await run('wp run backup --services - --yes --log q.nd', { stdin });

  await run('wp status --jobs q.nd');

  const orgs = looks.map(({ headers }) => headers['x-service-org']);
  expect(orgs.sort()).toEqual(['acme', 'zebra']);
});

test('the look lists what may have been queued, and is no success', async () => {
  const { queue, look, jobs, requests } = await queueBackups({
    s2: { carriesOut: true, answer: 'reset' },
  });
  expect((await queue('--concurrency 1')).exitCode).toBe(11);
  jobs['s1'] = 'completed';
  const before = requests();

  const { exitCode, stdout, error } = await look('--json');

  expect(exitCode).toBe(11);
  expect(error).toMatchObject({ outcome: 'unknown', summary: { total: 2, done: 1, inDoubt: 1 } });
  expect(linesOf(stdout)).toContainEqual(
    expect.objectContaining({
      index: 1,
      item: { service: 's2' },
      code: 'unavailable',
      attempts: 0,
    }),
  );
  expect(requests() - before).toBe(1);
});

test('the look lists what the log says was refused: a tick means that all is done', async () => {
  const { queue, look, jobs } = await queueBackups({ s2: GONE });
  await queue();
  jobs['s1'] = 'completed';

  expect(await look('--json')).toMatchObject({
    exitCode: 11,
    error: { summary: { total: 2, done: 1, failed: 1 } },
  });
});

test('a log in which all is done has nothing to look at', async () => {
  const { queue, look, jobs } = await queueBackups();
  jobs['s1'] = 'completed';
  jobs['s2'] = 'completed';
  await queue('--wait');

  const { exitCode, stderr } = await look('--wait');

  expect(exitCode).toBe(12);
  expect(stderr).toContain('has no job to look at. 2 services of it are done.');
});

test.each([
  ['that is not there', undefined, 2, 'no such file'],
  ['that is empty', '', 12, 'There are no jobs in the list'],
  ['with a head alone', 'LOG', 12, 'has no job to look at'],
  ['of another command', '{"log":1,"command":"restart"}\n', 2, 'the log of svc restart'],
  [
    'of another address',
    '{"log":1,"command":"wp run x","address":"http://other"}\n',
    2,
    'another address',
  ],
])('a look at a log %s is an error', async (_what, text, exitCode, words) => {
  const { run, queue, readLog, path } = await queueBackups({ s1: GONE, s2: GONE });
  await queue();
  const [head = ''] = (await readLog()).split('\n');
  const restart = text?.includes('restart') ? head.replace('wp run backup', 'restart') : text;
  if (text !== undefined) await writeFile(path, restart === 'LOG' ? `${head}\n` : (restart ?? ''));

  const looked = await run(`wp status --jobs ${text === undefined ? 'none.nd' : 'q.nd'}`);

  expect(looked).toMatchObject({ exitCode, stderr: expect.stringContaining(words) });
});

test('a run that is finished is not repeated: within 12 hours that is fine, and without a tick', async () => {
  const { queue, jobs, clock, requests } = await queueBackups();
  jobs['s1'] = 'completed';
  jobs['s2'] = 'completed';
  await queue('--wait');
  const before = requests();
  clock.advance(11 * HOUR_MS);

  const { exitCode, stdout, stderr } = await queue('--wait');

  expect(exitCode).toBe(0);
  expect(stdout).toBe('wp run: 0 of 2 services done, 2 done before.\n');
  expect(stderr).toContain('This run ended on 2026-11-28T00:00:00');
  expect(stderr).toContain('name another file');
  expect(requests()).toBe(before);
});

test.each([['--wait'], ['']])(
  'last night\'s log is refused tonight, also if its jobs were only queued: "%s"',
  async (flags) => {
    const { queue, jobs, clock, requests, readLog } = await queueBackups();
    jobs['s1'] = 'completed';
    jobs['s2'] = 'completed';
    await queue(flags);
    const log = await readLog();
    const before = requests();
    clock.advance(13 * HOUR_MS);

    const { exitCode, error } = await queue(`${flags} --json`.trim());

    expect(exitCode).toBe(2);
    expect(error).toMatchObject({ code: 'already_done' });
    expect(error['error']).toContain('ended on 2026-11-28T00:00:00');
    expect(requests()).toBe(before);
    expect(await readLog()).toBe(log);
  },
);

test('a run of a machine whose clock stood at its beginning has ended then', async () => {
  const { queue, jobs, path, readLog } = await queueBackups();
  jobs['s1'] = 'completed';
  jobs['s2'] = 'completed';
  await queue('--wait');
  const ended = '{"ended":"1970-01-01T00:00:00.000Z"';
  await writeFile(path, (await readLog()).replace(/\{"ended":"[^"]*"/, ended));

  const again = await queue('--wait --json');

  expect(again.exitCode).toBe(2);
  expect(again.error['error']).toContain('ended on 1970-01-01T00:00:00');
});

test('a run that was killed after its last item has ended with it', async () => {
  const { queue, jobs, clock, path, readLog } = await queueBackups();
  jobs['s1'] = 'completed';
  jobs['s2'] = 'completed';
  await queue('--wait');
  const log = (await readLog()).replace(/\{"ended".*\n/, '');
  await writeFile(path, log);
  await utimes(path, clock.now() / 1000, clock.now() / 1000);

  const soon = await queue('--wait');
  clock.advance(13 * HOUR_MS);
  const late = await queue('--wait --json');

  expect(log).not.toContain('ended');
  expect(soon).toMatchObject({
    exitCode: 0,
    stdout: 'wp run: 0 of 2 services done, 2 done before.\n',
  });
  expect(late).toMatchObject({ exitCode: 2, error: { code: 'already_done' } });
});

test('a run that left something out is no finished one, however old it is', async () => {
  const { queue, clock, timesOf, jobs } = await queueBackups({ s2: GONE });
  jobs['s1'] = 'completed';
  await queue('--wait');
  clock.advance(48 * HOUR_MS);

  const { exitCode, error } = await queue('--wait --json');

  expect(exitCode).toBe(11);
  expect(error['summary']).toMatchObject({ skipped: 1, failed: 1 });
  expect(timesOf('s1')).toBe(1);
});
