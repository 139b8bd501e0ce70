import { expect, test } from 'vitest';
import type { usageHistory } from '../../sandbox/usage.ts';
import { type Visitor, visitSandbox } from './visit.ts';

const WORDPRESS = 'svc_wp_7k2m9qx4';

function history({ signedIn }: Visitor, query: Record<string, string>, service = WORDPRESS) {
  return signedIn('GET', `/v1/services/${service}/metrics/history?${new URLSearchParams(query)}`);
}

type UsagePoint = ReturnType<typeof usageHistory>[number];

async function points(visitor: Visitor, query: Record<string, string>, service = WORDPRESS): Promise<UsagePoint[]> {
  const { status, json } = await history(visitor, query, service);
  expect(status).toBe(200);
  return json.points;
}

const DAY = { start: '2026-02-26T00:00:00Z', end: '2026-02-27T00:00:00Z' };

test('usage comes in buckets from start to end', async () => {
  const visitor = await visitSandbox();
  const { json } = await history(visitor, { start: '2026-03-01T11:00:00Z', end: '2026-03-01T12:00:00Z', step: '60' });
  const { points: found, ...rest } = json;
  expect(rest).toEqual({
    serviceId: WORDPRESS,
    start: '2026-03-01T11:00:00.000Z',
    end: '2026-03-01T12:00:00.000Z',
    step: 60,
  });
  const starts = Array.from({ length: 60 }, (_, minute) => Date.parse('2026-03-01T11:00:00Z') + minute * 60_000);
  expect(found.map(({ timestamp }: UsagePoint) => Date.parse(timestamp))).toEqual(starts);
});

test('the same question has the same answer, from another sandbox as well', async () => {
  const [first, second] = [await visitSandbox(), await visitSandbox()];
  const query = { ...DAY, step: '300' };
  expect(await points(first, query)).toEqual(await points(second, query));
});

test('usage is known for 30 days, and not for the future', async () => {
  const visitor = await visitSandbox();
  const all = await points(visitor, { start: '2025-01-01', end: '2027-01-01', step: '86400' });
  expect(all[0]?.timestamp).toBe('2026-01-31T00:00:00.000Z');
  expect(all.at(-1)?.timestamp).toBe('2026-03-01T00:00:00.000Z');
  const future = await points(visitor, { start: '2026-03-02T00:00:00Z', end: '2026-03-03T00:00:00Z', step: '60' });
  expect(future).toEqual([]);
});

test.each([
  [{}, { start: 'is required', end: 'is required', step: 'is required' }],
  [{ ...DAY, step: '0' }, { step: 'must be a whole number of seconds' }],
  [{ ...DAY, step: '1.5' }, { step: 'must be a whole number of seconds' }],
  [{ ...DAY, start: 'yesterday', step: '60' }, { start: expect.stringContaining('ISO 8601') }],
  [{ ...DAY, start: '2026-02-26T00:00:00', step: '60' }, { start: expect.stringContaining('ISO 8601') }],
  [{ ...DAY, end: '2026-13-01', step: '60' }, { end: expect.stringContaining('ISO 8601') }],
  [{ start: DAY.end, end: DAY.start, step: '60' }, { end: 'must be later than start' }],
  [{ ...DAY, end: DAY.start, step: '60' }, { end: 'must be later than start' }],
  [{ ...DAY, step: '8' }, { step: 'must be at least 9 for this range (10000 points)' }],
])('a range like %j is refused, field by field', async (query, faults) => {
  const visitor = await visitSandbox();
  const { status, json } = await history(visitor, query as Record<string, string>);
  expect([status, json]).toEqual([400, { error: faults }]);
});
