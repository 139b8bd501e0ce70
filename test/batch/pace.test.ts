import { expect, test } from 'vitest';
import { createPace } from '../../src/batch/pace.ts';

/**
 * Sends for a minute's worth through a limiter, in virtual time: a bucket that holds the requests
 * of a second and fills steadily, and asks refused callers to wait a second.
 */
function send(perSecond: number, workers: number, latencyMs: number) {
  const pace = createPace(() => 0.5);
  const free: number[] = Array.from({ length: workers }, () => 0);
  let [held, at, through, refused] = [perSecond, 0, 0, 0];
  while (through < perSecond * 60) {
    const now = Math.min(...free);
    const waitMs = pace.take(now);
    free[free.indexOf(now)] = now + (waitMs || latencyMs);
    if (waitMs > 0) continue;
    held = Math.min(perSecond, held + ((now - at) / 1000) * perSecond);
    at = now;
    if (held >= 1) [held, through] = [held - 1, through + 1];
    else {
      refused += 1;
      pace.refused(now + latencyMs, now, 1000);
    }
  }
  return { ms: at, through, refused };
}

/** A pace of 100 requests a second for two seconds. */
function steady() {
  const pace = createPace(() => 0);
  for (let now = 0; now < 2_000; now += 10) pace.take(now);
  return pace;
}

test('a refusal stops all requests as long as the platform asks; they begin again at half the pace, which grows', () => {
  const pace = steady();
  pace.refused(2_000, 1_990, 3_000);
  expect([pace.pauseMs(2_000), pace.take(4_000), pace.take(5_000)]).toEqual([3_000, 1_000, 0]);
  const waitMs = pace.take(5_001);
  expect([waitMs > 15, waitMs < 25]).toEqual([true, true]);
  // A timer that fires late may make up for 50 ms.
  let sent = 0;
  while (pace.take(15_000) === 0) sent += 1;
  expect(sent).toBeGreaterThan(10);
});

test('a shorter pause does not end a longer one', () => {
  const pace = steady();
  pace.refused(2_000, 1_990, 3_000);
  pace.refused(2_001, 1_991, 1_000);
  expect(pace.pauseMs(2_001)).toBe(2_999);
});

test('the pace at which the refused request was sent is halved, however late its refusal is heard', () => {
  const pace = steady();
  pace.refused(3_500, 1_990, 1_000);
  expect(pace.take(4_500)).toBe(0);
  expect(pace.take(4_501)).toBeLessThan(25);
});

test('refusals of requests that were under way when the pause began count as one', () => {
  const [once, often] = [steady(), steady()];
  once.refused(2_000, 1_990, 1_000);
  for (const sentAt of [1_990, 1_992, 1_995]) often.refused(2_000, sentAt, 1_000);
  for (const pace of [once, often]) pace.take(3_000);
  expect(often.take(3_001)).toBe(once.take(3_001));
});

test.each([
  [50, 16, 20],
  [10, 4, 5],
])(
  'of a limiter of %d/s, %d workers with answers after %d ms reach nine tenths',
  (perSecond, workers, latencyMs) => {
    const { ms, through, refused } = send(perSecond, workers, latencyMs);
    // The full bucket at the start comes on top.
    expect(through / (ms / 1000 + 1) / perSecond).toBeGreaterThan(0.9);
    expect(refused / through).toBeLessThan(0.1);
  },
);
