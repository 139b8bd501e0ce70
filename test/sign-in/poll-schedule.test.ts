import { expect, test } from 'vitest';
import {
  getPollDelay,
  type PollState,
  planNextPoll,
  updatePollState,
} from '../../src/sign-in/poll-schedule.ts';

const LIFE_SECONDS = 900;

function createState(change: Partial<PollState> = {}): PollState {
  return { intervalSeconds: 5, retryAfterMs: 0, problemCount: 0, tokenMayBeLost: false, ...change };
}

/** Plans a poll of a login that lives 15 minutes, without jitter. */
function plan(change: Partial<PollState>, remainingSeconds: number, isFirst = false) {
  const { waitMs, isLast } = planNextPoll(createState(change), {
    lifeSeconds: LIFE_SECONDS,
    remainingMs: remainingSeconds * 1000,
    jitterMs: 0,
    isFirst,
  });
  return { waitSeconds: waitMs / 1000, isLast };
}

test.each<[what: string, planned: object, waitSeconds: number, isLast: boolean]>([
  ['a poll waits for the interval', plan({}, 900), 5, false],
  [
    'a first poll comes two seconds before the end',
    plan({ intervalSeconds: 20 }, 10, true),
    8,
    false,
  ],
  ['a later poll comes after the end', plan({ intervalSeconds: 20 }, 10), 20, false],
  ['a very long interval ends with a last poll', plan({ intervalSeconds: 600 }, 300), 298, true],
  ['a last poll comes after half of a short rest', plan({ intervalSeconds: 600 }, 2), 1, true],
  ['no poll is the last when the time is over', plan({ intervalSeconds: 600 }, -1), 600, false],
  [
    'a wait that the platform asked for is never cut short',
    plan({ intervalSeconds: 600, retryAfterMs: 400_000 }, 300),
    400,
    true,
  ],
])('%s', (_what, planned, waitSeconds, isLast) => {
  expect(planned).toEqual({ waitSeconds, isLast });
});

test.each<[what: string, problemCount: number, remainingSeconds: number, delaySeconds: number]>([
  ['the first problem doubles the interval', 1, 900, 10],
  ['many problems stop at 30 seconds', 9, 900, 30],
  ['a pause ends two seconds before the code', 9, 22, 20],
  ['no pause is shorter than the interval', 9, 3, 5],
])('%s', (_what, problemCount, remainingSeconds, delaySeconds) => {
  const delayMs = getPollDelay(createState({ problemCount }), remainingSeconds * 1000);

  expect(delayMs).toBe(delaySeconds * 1000);
});

test('a problem of another source begins a new row', () => {
  const problem = { kind: 'transient', problem: 'busy', isLost: false } as const;
  const once = updatePollState(createState(), { ...problem, from: 'service' }, 0);
  const twice = updatePollState(once, { ...problem, from: 'service' }, 0);
  const other = updatePollState(twice, { ...problem, from: 'network' }, 0);

  expect(once).toMatchObject({ problemCount: 1, shownProblem: undefined });
  expect(twice).toMatchObject({ problemCount: 2, shownProblem: 'busy' });
  expect(other).toMatchObject({ problemCount: 1, shownProblem: undefined });
});
