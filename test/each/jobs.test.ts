import { setMaxListeners } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import wpRun from '../../src/commands/wp/run.ts';
import { contextsOf } from '../../src/each/contexts.ts';
import { createSlots } from '../../src/each/gate.ts';
import type { Outcome, Run } from '../../src/each/item.ts';
import { createPace } from '../../src/each/pace.ts';
import { limitsOf } from '../../src/each/prepare.ts';
import { workThrough } from '../../src/each/workers.ts';
import type { HttpRequest, Send } from '../../src/http/send.ts';
import type { Context } from '../../src/kit/context.ts';
import type { Command } from '../../src/kit/define.ts';
import { readRunOptions } from '../../src/kit/each.ts';
import { createClient } from '../../src/service/client.ts';
import { assumeFrom } from '../../src/spec/assumptions.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';

/** A platform in virtual time: each answer takes 20 ms, and a job as long as its service says. */
function jobService(clock: VirtualClock, jobMs: (id: string) => number) {
  const queuedAt = new Map<string, number>();
  const seen = { posts: 0, polls: 0, underWay: 0, mostUnderWay: 0, mostUnfinished: 0 };
  const pollsOf = new Map<string, number>();
  const isDone = (id: string) => clock.now() - (queuedAt.get(id) ?? 0) >= jobMs(id);
  let refusal: { readonly at: number; readonly seconds: number } | undefined;
  const sentAt: number[] = [];
  const answer = ({ method, url }: HttpRequest) => {
    const id = url.pathname.split('/')[3] ?? '';
    sentAt.push(clock.now());
    if (refusal !== undefined && clock.now() >= refusal.at) {
      const { seconds } = refusal;
      refusal = undefined;
      return { status: 429, headers: { 'retry-after': String(seconds) }, body: { error: 'slow' } };
    }
    if (method === 'POST') {
      seen.posts += 1;
      queuedAt.set(id, clock.now());
      return { status: 202, headers: {}, body: { jobId: `job_${id}`, status: 'queued', action: 'backup' } };
    }
    seen.polls += 1;
    pollsOf.set(id, (pollsOf.get(id) ?? 0) + 1);
    const status = isDone(id) ? 'completed' : 'running';
    return { status: 200, headers: {}, body: { jobId: `job_${id}`, status } };
  };
  const send: Send = async (request) => {
    seen.underWay += 1;
    seen.mostUnderWay = Math.max(seen.mostUnderWay, seen.underWay);
    const { status, headers, body } = answer(request);
    seen.mostUnfinished = Math.max(seen.mostUnfinished, [...queuedAt.keys()].filter((id) => !isDone(id)).length);
    await clock.sleep(20);
    seen.underWay -= 1;
    const bytes = Buffer.from(JSON.stringify(body));
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: (async function* () {
        yield bytes;
      })(),
    };
  };
  return { send, seen, sentAt, pollsOf, refuseAt: (at: number, seconds: number) => (refusal = { at, seconds }) };
}

/** Runs `wp run backup --wait` for so many services, in virtual time. */
async function backups(
  count: number,
  jobMs: (id: string) => number,
  {
    argv = {},
    prepare = () => {},
  }: {
    readonly argv?: Readonly<Record<string, string>>;
    readonly prepare?: (service: ReturnType<typeof jobService>) => void;
  } = {},
) {
  const clock = virtualClock();
  const service = jobService(clock, jobMs);
  prepare(service);
  const options = readRunOptions(new Map(Object.entries(argv).map(([key, text]) => [key, [text]])));
  const limits = limitsOf(options, true, count);
  const [stop, end] = [new AbortController(), new AbortController()];
  for (const { signal } of [stop, end]) setMaxListeners(0, signal);
  const random = () => 0.5;
  const context = {
    io: { progress: () => ({ update() {}, stop() {} }) },
    settings: { serviceId: (id: string) => id, globals: {} },
    system: { clock, random, signal: end.signal },
    api: {
      assume: assumeFrom(new Map()),
      gatedClients: async () => (own: object) =>
        createClient({
          baseUrl: 'http://svc.test',
          send: service.send,
          credential: { kind: 'bearer', token: 'svc_test', source: 'SVC_TOKEN' },
          userAgent: 'svc',
          allowHttp: true,
          clock,
          random,
          retry: true,
          signal: end.signal,
          ...own,
        } as Parameters<typeof createClient>[0]),
    },
  } as unknown as Context;
  const ended: Array<{ readonly id: string; readonly at: number; readonly code: string | undefined }> = [];
  const items = Array.from({ length: count }, (_, index) => {
    const id = `s${index}`;
    return { index, id, given: id, org: undefined, own: new Map(), key: id };
  });
  const run: Run = {
    command: wpRun as unknown as Command,
    tree: [],
    valuesFor: ({ id }) => ({ action: 'backup', service: id, param: {}, wait: true, dryRun: false, csv: undefined }),
    contextFor: contextsOf(context, { stop: stop.signal, end: end.signal, atOnce: limits.running }),
    clock,
    pace: createPace(random),
    slots: createSlots(limits.requests),
    log: undefined,
    accept: undefined,
    stop: stop.signal,
    halt: (reason) => stop.abort(reason),
    fail: (error) => stop.abort(error),
  };
  const report = async ({ item, error }: Outcome) => {
    ended.push({ id: item.id, at: clock.now(), code: error?.code });
  };
  await clock.during(
    workThrough(run, {
      items,
      running: limits.running,
      maxFailures: Number.POSITIVE_INFINITY,
      failures: () => 0,
      report,
    }),
  );
  return { ...service, ended, ms: clock.now() };
}

describe('jobs that a run waits for', () => {
  // Loaded on demand, which takes real time.
  beforeAll(() =>
    Promise.all([
      import('../../src/commands/wp/wait-for-job.ts'),
      import('../../src/service/retry.ts'),
      import('../../src/service/failures.ts'),
    ]),
  );

  test('leave their places to others: 200 of 0.25 s take one poll each, and 1 s', async () => {
    const { seen, ended, ms } = await backups(200, () => 250, { argv: { concurrency: '16' } });
    expect(ended.filter(({ code }) => code === undefined)).toHaveLength(200);
    expect(seen).toMatchObject({ posts: 200, polls: 200 });
    expect(seen.mostUnderWay).toBeLessThanOrEqual(16);
    expect(seen.mostUnfinished).toBeLessThanOrEqual(128);
    expect(ms).toBeLessThanOrEqual(1_000);
  });

  test('four that hang delay nobody, and are asked for every 5 s until their time is up', async () => {
    const hung = new Set(['s0', 's1', 's2', 's3']);
    const { ended, pollsOf, seen } = await backups(100, (id) => (hung.has(id) ? Number.POSITIVE_INFINITY : 250));
    const others = ended.filter(({ id }) => !hung.has(id));
    expect(others).toHaveLength(96);
    expect(Math.max(...others.map(({ at }) => at))).toBeLessThan(2_000);
    expect(seen).toMatchObject({ posts: 100, mostUnderWay: 4 });
    for (const { at, code } of ended.filter(({ id }) => hung.has(id))) {
      expect(code).toBe('still_running');
      expect(at).toBeGreaterThanOrEqual(600_000);
    }
    for (const id of hung) expect(pollsOf.get(id)).toBeLessThanOrEqual(600 / 5 + 8);
  });

  test('are not polled while the platform asks to wait', async () => {
    const { sentAt, ended } = await backups(40, () => 2_000, { prepare: ({ refuseAt }) => refuseAt(1_000, 30) });
    expect(ended.filter(({ code }) => code === undefined)).toHaveLength(40);
    const refusedAt = sentAt.find((at) => at >= 1_000) ?? 0;
    // Those that were sent before the answer was read.
    const afterwards = sentAt.filter((at) => at > refusedAt + 40);
    expect(Math.min(...afterwards)).toBeGreaterThan(refusedAt + 30_000);
  });
});

test.each([
  [{}, true, { requests: 4, running: 32 }],
  [{ concurrency: '64' }, true, { requests: 64, running: 512 }],
  [{ maxFailures: '1' }, true, { requests: 4, running: 4 }],
  [{ concurrency: '8' }, false, { requests: 8, running: 8 }],
])('with %j, waiting: %j, so many are under way and unfinished: %j', (argv, isWaiting, limits) => {
  const options = readRunOptions(new Map(Object.entries(argv).map(([key, text]) => [key, [String(text)]])));
  expect(limitsOf(options, isWaiting, 1_000)).toEqual(limits);
});
