import { Readable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { createRedactor } from '../../src/api/redact.ts';
import { runBatch } from '../../src/batch/run.ts';
import type { Context } from '../../src/cli/define/context.ts';
import type { Command } from '../../src/cli/define/define.ts';
import wpRun from '../../src/commands/wp/run.ts';
import { createAssume } from '../../src/contract/assumptions.ts';
import type { Send } from '../../src/http/send.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { idsOf } from './counting-service.ts';

type JobMs = (id: string) => number;

/**
 * Runs `wp run backup --wait` for so many services, in virtual time: each answer takes 20 ms, and a
 * job as long as its service says. From `refusesAt` on, the platform asks once to wait for 30 s.
 */
async function backups(
  count: number,
  jobMs: JobMs,
  argv: object = {},
  refusesAt = Number.POSITIVE_INFINITY,
) {
  const clock = virtualClock();
  const queuedAt = new Map<string, number>();
  const polls: string[] = [];
  const seen = { underWay: 0, mostUnderWay: 0, mostUnfinished: 0 };
  const sentAt: number[] = [];
  const isDone = (id: string) => clock.now() - (queuedAt.get(id) ?? 0) >= jobMs(id);
  let isRefused = false;
  const answer = (method: string, id: string): readonly [status: number, body: object] => {
    sentAt.push(clock.now());
    if (!isRefused && clock.now() >= refusesAt) {
      isRefused = true;
      return [429, {}];
    }
    if (method === 'POST') queuedAt.set(id, clock.now());
    else polls.push(id);
    return [200, { jobId: `job_${id}`, status: isDone(id) ? 'completed' : 'running' }];
  };
  const send: Send = async ({ method, url }) => {
    seen.underWay += 1;
    seen.mostUnderWay = Math.max(seen.mostUnderWay, seen.underWay);
    const [status, body] = answer(method, url.pathname.split('/')[3] ?? '');
    seen.mostUnfinished = Math.max(
      seen.mostUnfinished,
      [...queuedAt.keys()].filter((id) => !isDone(id)).length,
    );
    await clock.sleep(20);
    seen.underWay -= 1;
    const headers = {
      'content-type': 'application/json',
      ...(status === 429 && { 'retry-after': '30' }),
    };
    return { status, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
  };
  const { signal } = new AbortController();
  const time = { clock, random: () => 0.5, signal };
  const baseUrl = 'http://svc.test';
  const credential = { kind: 'bearer', token: 'svc_test', source: 'SVC_TOKEN' } as const;
  const common = {
    ...time,
    baseUrl,
    credential,
    send,
    retry: true,
    allowHttp: true,
    userAgent: 'svc',
  };
  const ended: Array<{ readonly id: string; readonly at: number; readonly code: string | null }> =
    [];
  const write = async (text: string) => {
    const { item: id, code } = JSON.parse(text);
    ended.push({ id, at: clock.now(), code });
  };
  const globals = { json: true, yes: true };
  const context = {
    io: {
      json: true,
      out: { write },
      err: { write: async () => {}, isTty: false },
      redactor: createRedactor(),
    },
    settings: {
      serviceId: String,
      org: () => undefined,
      apiUrl: () => ({ value: baseUrl }),
    },
    globals,
    time: { ...time, forceQuitSignal: signal },
    assume: createAssume(new Map()),
    api: { gatedClients: async () => (own: object) => createClient({ ...common, ...own }) },
  } as unknown as Context;
  const texts = new Map(
    Object.entries({ action: 'backup', wait: '', ...argv }).map(([key, text]) => [key, [text]]),
  );
  const line = {
    command: { path: 'wp run', ...wpRun } as unknown as Command,
    texts,
    items: idsOf(count),
    tree: [],
    globals: new Map(),
  };
  const run = runBatch({ ...line, missing: new Map(), values: undefined }, context);
  await clock.during(run.catch(() => undefined));
  return { seen, sentAt, posts: queuedAt.size, polls, ended, ms: clock.now() };
}

// Loaded on demand, which takes real time.
beforeAll(async () => {
  await import('../../src/commands/wp/wait-for-job.ts');
  await import('../../src/api/retry.ts');
  await import('../../src/api/failures.ts');
});

test('jobs leave their places to others: 200 of 0.25 s take one poll each, and 1 s', async () => {
  const { seen, polls, ended, ms } = await backups(200, () => 250, { concurrency: '16' });
  expect(ended.filter(({ code }) => code === null)).toHaveLength(200);
  expect([polls.length, seen.mostUnderWay]).toEqual([200, 16]);
  expect(ms).toBeLessThanOrEqual(1_000);
});

test.each([
  [{}, 60],
  [{ concurrency: '5' }, 60],
  [{ maxFailures: '9' }, 4],
])('with %j so many jobs run at a time: %i', async (argv, most) => {
  const { seen, ended } = await backups(60, () => 10_000, argv);
  expect([seen.mostUnfinished, ended.length]).toEqual([most, 60]);
});

test('200 jobs of 15 s end in the time of one wait', async () => {
  const { seen, ended, ms } = await backups(200, () => 15_000);

  expect(ended.filter(({ code }) => code === null)).toHaveLength(200);
  expect(seen.mostUnfinished).toBe(200);
  expect(seen.mostUnderWay).toBe(4);
  // Queuing takes a second, the last job 15 s, and the last poll comes 5 s later at most.
  expect(ms).toBeLessThan(25_000);
});

test('a thousand jobs may be unfinished, and no more', async () => {
  const { seen, ended } = await backups(1_100, () => 10_000, { concurrency: '64' });

  expect(ended.filter(({ code }) => code === null)).toHaveLength(1_100);
  expect(seen.mostUnfinished).toBe(1_000);
});

test('four jobs that hang delay nobody, and are asked for every 5 s until their time is up', async () => {
  const hung = new Set(['s0', 's1', 's2', 's3']);
  const { ended, polls, posts, seen } = await backups(
    100,
    (id) => (hung.has(id) ? Number.POSITIVE_INFINITY : 250),
    { waitTimeout: '10m' },
  );
  const others = ended.filter(({ id }) => !hung.has(id));
  expect([others.length, posts, seen.mostUnderWay]).toEqual([96, 100, 4]);
  expect(Math.max(...others.map(({ at }) => at))).toBeLessThan(2_000);
  for (const { id, at, code } of ended.filter(({ id }) => hung.has(id))) {
    expect(code).toBe('still_running');
    expect(at).toBeGreaterThanOrEqual(600_000);
    expect(polls.filter((poll) => poll === id).length).toBeLessThanOrEqual(600 / 5 + 8);
  }
});

test('no job is asked for while the platform asks to wait', async () => {
  const { sentAt, ended } = await backups(40, () => 2_000, {}, 1_000);
  expect(ended.filter(({ code }) => code === null)).toHaveLength(40);
  const refusedAt = sentAt.find((at) => at >= 1_000) ?? 0;
  // Those that were sent before the answer was read.
  const afterwards = sentAt.filter((at) => at > refusedAt + 40);
  expect(Math.min(...afterwards)).toBeGreaterThan(refusedAt + 30_000);
});
