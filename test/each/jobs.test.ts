import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import wpRun from '../../src/commands/wp/run.ts';
import { runForSeveral } from '../../src/each/run.ts';
import type { HttpRequest, Send } from '../../src/http/send.ts';
import type { Context } from '../../src/kit/context.ts';
import type { Command } from '../../src/kit/define.ts';
import { createClient } from '../../src/service/client.ts';
import { createRedactor } from '../../src/service/redact.ts';
import { assumeFrom } from '../../src/spec/assumptions.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';
import { idsOf } from './counting-service.ts';

type JobMs = (id: string) => number;

/** A platform in virtual time: each answer takes 20 ms, and a job as long as its service says. It refuses once. */
function jobService(clock: VirtualClock, jobMs: JobMs, refusal: { readonly at: number; readonly seconds: number }) {
  const queuedAt = new Map<string, number>();
  const pollsOf = new Map<string, number>();
  const sentAt: number[] = [];
  const seen = { posts: 0, polls: 0, underWay: 0, mostUnderWay: 0, mostUnfinished: 0 };
  const isDone = (id: string) => clock.now() - (queuedAt.get(id) ?? 0) >= jobMs(id);
  let isRefused = false;
  const answer = ({ method, url }: HttpRequest): readonly [status: number, body: object, retryAfter?: string] => {
    const id = url.pathname.split('/')[3] ?? '';
    sentAt.push(clock.now());
    if (!isRefused && clock.now() >= refusal.at) {
      isRefused = true;
      return [429, { error: 'slow' }, String(refusal.seconds)];
    }
    if (method === 'POST') {
      seen.posts += 1;
      queuedAt.set(id, clock.now());
      return [202, { jobId: `job_${id}`, status: 'queued', action: 'backup' }];
    }
    seen.polls += 1;
    pollsOf.set(id, (pollsOf.get(id) ?? 0) + 1);
    return [200, { jobId: `job_${id}`, status: isDone(id) ? 'completed' : 'running' }];
  };
  const send: Send = async (request) => {
    seen.underWay += 1;
    seen.mostUnderWay = Math.max(seen.mostUnderWay, seen.underWay);
    const [status, body, retryAfter] = answer(request);
    seen.mostUnfinished = Math.max(seen.mostUnfinished, [...queuedAt.keys()].filter((id) => !isDone(id)).length);
    await clock.sleep(20);
    seen.underWay -= 1;
    const headers = {
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    };
    return { status, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
  };
  return { send, seen, sentAt, pollsOf };
}

const NEVER = { at: Number.POSITIVE_INFINITY, seconds: 0 };

/** Runs `wp run backup --wait` for so many services, in virtual time. */
async function backups(count: number, jobMs: JobMs, argv: Readonly<Record<string, string>> = {}, refusal = NEVER) {
  const [clock, baseUrl] = [virtualClock(), 'http://svc.test'];
  const service = jobService(clock, jobMs, refusal);
  const { signal } = new AbortController();
  const time = { clock, random: () => 0.5, signal };
  const credential = { kind: 'bearer', token: 'svc_test', source: 'SVC_TOKEN' } as const;
  const common = { ...time, baseUrl, credential, send: service.send, retry: true, allowHttp: true, userAgent: 'svc' };
  const ended: Array<{ readonly id: string; readonly at: number; readonly code: string | null }> = [];
  const write = async (text: string) => {
    const { item: id, code } = JSON.parse(text);
    ended.push({ id, at: clock.now(), code });
  };
  const settings = {
    serviceId: (id: string) => id,
    org: () => undefined,
    apiUrl: () => ({ value: baseUrl }),
    globals: { json: true, yes: true },
  };
  const context = {
    io: { json: true, out: { write }, err: { write: async () => {}, isTty: false }, redactor: createRedactor() },
    ...{ ...time, hurry: signal, settings, assume: assumeFrom(new Map()) },
    gatedClients: async () => (own: object) => createClient({ ...common, ...own }),
  } as unknown as Context;
  const texts = new Map(Object.entries({ action: 'backup', wait: '', ...argv }).map(([key, text]) => [key, [text]]));
  const line = { command: wpRun as unknown as Command, texts, items: idsOf(count), tree: [], globals: new Map() };
  const run = runForSeveral({ ...line, missing: new Map(), values: undefined }, context);
  await clock.during(run.catch(() => undefined));
  return { ...service, ended, ms: clock.now() };
}

describe('jobs that a run waits for', () => {
  // Loaded on demand, which takes real time.
  beforeAll(async () => {
    await import('../../src/commands/wp/wait-for-job.ts');
    await import('../../src/service/retry.ts');
    await import('../../src/service/failures.ts');
  });

  test('leave their places to others: 200 of 0.25 s take one poll each, and 1 s', async () => {
    const { seen, ended, ms } = await backups(200, () => 250, { concurrency: '16' });
    expect(ended.filter(({ code }) => code === null)).toHaveLength(200);
    expect(seen).toMatchObject({ posts: 200, polls: 200 });
    expect(seen.mostUnderWay).toBeLessThanOrEqual(16);
    expect(seen.mostUnfinished).toBeLessThanOrEqual(128);
    expect(ms).toBeLessThanOrEqual(1_000);
  });

  test.each([
    [{}, 32],
    [{ concurrency: '5' }, 40],
    [{ maxFailures: '9' }, 4],
  ])('with %j are at most %i at a time', async (argv, most) => {
    const { seen, ended } = await backups(60, () => 10_000, argv);
    expect([seen.mostUnfinished, ended.length]).toEqual([most, 60]);
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
    const { sentAt, ended } = await backups(40, () => 2_000, {}, { at: 1_000, seconds: 30 });
    expect(ended.filter(({ code }) => code === null)).toHaveLength(40);
    const refusedAt = sentAt.find((at) => at >= 1_000) ?? 0;
    // Those that were sent before the answer was read.
    const afterwards = sentAt.filter((at) => at > refusedAt + 40);
    expect(Math.min(...afterwards)).toBeGreaterThan(refusedAt + 30_000);
  });
});
