import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asObject, parseJson } from '../../src/json/values.ts';
import type { PollResult } from '../../src/sign-in/exchange.ts';
import type { PollOptions } from '../../src/sign-in/poll.ts';
import { type FakeClock, fakeClock } from '../support/clock.ts';
import { tries } from '../support/property.ts';
import { answer, approved, cut, endOf, error, fault, pending, play, slowDown } from './score.ts';

const DONE = 'token svc_CANARY_1';
const EXPIRED = 'exit 9: The code expired before it was approved.';

type Change = (clock: FakeClock) => unknown;
test.each<[what: string, change: Change, waits: readonly number[], end: string, ...from: number[]]>(
  [
    ['a wall clock that jumps ahead', (clock) => clock.shiftWall(7_200_000), [5, 5], DONE],
    // It polls at once, and makes up for nothing.
    ['a process that was stopped for a minute', (clock) => clock.advance(60_000), [63, 5], DONE],
    ['a login that another process started long ago', () => {}, [5, 5, 5], EXPIRED, 50_000],
  ],
)('%s: waits, then the end', async (_what, change, waits, end, startedAgo = 0) => {
  const clock = fakeClock();
  clock.onSleep(() => clock.waits.length === 3 && change(clock));
  const startedAtMs = clock.now() - startedAgo;
  const answers = end === DONE ? [pending, approved] : [pending];
  const played = await play(answers, {
    clock,
    startedAtMs,
    intervalSeconds: 5,
    lifeSeconds: startedAgo ? 60 : 900,
  });
  expect([played.waits, endOf(played)]).toEqual([waits, end]);
});

test('after a sleep of the machine the countdown shows how long the code still lives', async () => {
  const clock = fakeClock();
  clock.onSleep(() => clock.waits.length === 2 && clock.shiftWall(600_000));
  const shown: unknown[] = [];
  const report: PollOptions['report'] = (event) => {
    if (event.kind === 'waiting') shown.push(event.remainingSeconds);
  };

  await play([approved], { clock, intervalSeconds: 5, options: { report } });

  expect(shown.slice(0, 3)).toEqual([900, 899, 298]);
});

const harmless = fc.constantFrom(
  ...[pending, slowDown, error('temporarily_unavailable')],
  ...[
    answer(503, '', { 'retry-after': '7' }),
    answer(429, '', { 'retry-after': '20' }),
    answer(500, '<html>'),
  ],
  ...[
    answer(200),
    cut(200, '{"a'),
    fault('not_sent', 'ECONNREFUSED'),
    fault('timeout', 'ETIMEDOUT'),
  ],
);
const anything = fc.oneof(
  { weight: 20, arbitrary: harmless },
  {
    weight: 1,
    arbitrary: fc.constantFrom(approved, error('access_denied'), answer(200, {}), answer(302)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 100, max: 599 }), fc.jsonValue())
      .map((one) => answer(...one)),
  },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: -5, max: 400 })
      .map((interval) => error('slow_down', 400, { interval })),
  },
);

test('whatever is answered, no poll comes before its interval and every login ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anything, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 1200 }),
      async (answers, intervalSeconds, lifeSeconds) => {
        const played = await play([...answers, pending], { intervalSeconds, lifeSeconds });
        let interval = intervalSeconds;
        let at = 0;
        for (const [index, wait] of played.waits.entries()) {
          at += wait;
          const isLong = interval > Math.min(60, lifeSeconds);
          const isLastLook = (index === 0 || isLong) && at <= lifeSeconds;
          if (!isLastLook) expect(wait).toBeGreaterThanOrEqual(interval);
          expect(wait).toBeGreaterThanOrEqual(pauseAsked(answers[index - 1]));
          interval += slowedBy(answers[index], interval);
        }
        expect(at).toBeLessThanOrEqual(lifeSeconds + 2 * interval + 30);
        expect(endOf(played)).toMatch(/^(token|exit [136789]:)/);
      },
    ),
    tries(400, 20260301),
  );
});

/**
 * What the answer adds to the interval, told from the answer itself and not from the code under
 * test.
 */
function slowedBy(one: PollResult | undefined, interval: number): number {
  if (one === undefined || !('status' in one)) return 0;
  const { error: said, interval: asked = 0 } = asObject(parseJson(one.text));
  const isSlowDown = said === 'slow_down' && !(one.status >= 300 && one.status < 400);
  const isKnown = said === 'authorization_pending' || said === 'temporarily_unavailable';
  if (!isSlowDown && (one.status !== 429 || isKnown)) return 0;
  return Math.max(5, (isSlowDown ? Number(asked) : 0) - interval);
}

function pauseAsked(one: PollResult | undefined): number {
  return one !== undefined && 'status' in one ? Number(one.headers['retry-after'] ?? 0) : 0;
}
