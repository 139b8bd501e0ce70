import type { PollVerdict } from './judge.ts';

/** RFC 8628 (3.5) adds these seconds to the interval for each `slow_down`, for good. */
const SLOW_DOWN_SECONDS = 5;

/** The pause after repeated problems grows up to this; a longer interval of the platform counts. */
const MAX_BACKOFF_SECONDS = 30;

/** A longer interval may skip the end of the login, so one last poll is made before it. */
const LONG_INTERVAL_SECONDS = 60;

/** The last poll comes so long before the code expires. */
const LAST_POLL_BEFORE_END_MS = 2_000;

/** A problem is shown when it comes the second time: the first is often the only one. */
const PROBLEMS_BEFORE_SHOWN = 2;

/** A login between two polls. */
export interface PollState {
  /** The seconds between two polls: `slow_down` adds to them, and nothing takes any away. */
  readonly intervalSeconds: number;
  /** The milliseconds that the last answer asked svc to wait, or 0. */
  readonly retryAfterMs: number;
  /** How many answers in a row had a problem of the same source. */
  readonly problemCount: number;
  readonly problemSource?: string | undefined;
  /** The problem as people see it; undefined as long as polling works. */
  readonly shownProblem?: string | undefined;
  /** Whether an answer was lost that may have had the token. */
  readonly tokenMayBeLost: boolean;
}

/** Returns the milliseconds from one poll to the next, if the code lives so long. */
export function getPollDelay(state: PollState, remainingMs: number): number {
  const { intervalSeconds, problemCount } = state;
  const backoffSeconds = Math.min(intervalSeconds * 2 ** problemCount, MAX_BACKOFF_SECONDS);
  const backoffMs = Math.min(backoffSeconds * 1000, remainingMs - LAST_POLL_BEFORE_END_MS);
  return Math.max(intervalSeconds * 1000, state.retryAfterMs, backoffMs);
}

interface PollMoment {
  readonly lifeSeconds: number;
  readonly remainingMs: number;
  readonly jitterMs: number;
  readonly isFirst: boolean;
}

/**
 * Decides how long to wait for the next poll. A first poll, and one with a very long interval, that
 * would come after the end of the login is made shortly before it. `isLast` says that no other
 * poll fits in.
 */
export function planNextPoll(state: PollState, moment: PollMoment) {
  const { remainingMs } = moment;
  const delayMs = getPollDelay(state, remainingMs) + moment.jitterMs;
  const isLongInterval =
    state.intervalSeconds > Math.min(LONG_INTERVAL_SECONDS, moment.lifeSeconds);
  const isTooLate = remainingMs > 0 && delayMs >= remainingMs;
  if (!isTooLate || !(moment.isFirst || isLongInterval)) return { waitMs: delayMs, isLast: false };

  const beforeEndMs = Math.max(remainingMs - LAST_POLL_BEFORE_END_MS, remainingMs / 2);
  return { waitMs: Math.max(state.retryAfterMs, beforeEndMs), isLast: isLongInterval };
}

/** Returns the state after an answer that does not end the login. */
export function updatePollState(
  state: PollState,
  verdict: Exclude<PollVerdict, { kind: 'token' | 'stop' }>,
  retryAfterMs = 0,
): PollState {
  const withoutProblem = {
    ...state,
    problemCount: 0,
    problemSource: undefined,
    shownProblem: undefined,
    retryAfterMs,
  };
  if (verdict.kind === 'pending') return withoutProblem;
  if (verdict.kind === 'slow_down') {
    const slowerSeconds = state.intervalSeconds + SLOW_DOWN_SECONDS;
    // The answer may name a longer interval.
    const intervalSeconds = Math.max(slowerSeconds, verdict.intervalSeconds ?? 0);
    return { ...withoutProblem, intervalSeconds };
  }

  const problemCount = state.problemSource === verdict.from ? state.problemCount + 1 : 1;
  return {
    ...withoutProblem,
    problemCount,
    problemSource: verdict.from,
    shownProblem: problemCount < PROBLEMS_BEFORE_SHOWN ? undefined : verdict.problem,
    tokenMayBeLost: state.tokenMayBeLost || verdict.isLost,
  };
}
