import type { Verdict } from './poll-answer.ts';
import { type Attempt, answerLost } from './texts.ts';

/** Seconds that every `slow_down` adds, for good. */
const SLOWER_BY_SECONDS = 5;
/** Longest back-off after problems, in seconds; an interval above it stands. */
const LONGEST_BACKOFF_SECONDS = 30;
/** How often in a row something else may answer in place of the service. */
const MOST_FOREIGN = 3;
/** A problem is shown from this one in a row on; the first is often the only one. */
const SHOWN_FROM = 2;

/** How the polling goes: what one answer leaves behind for the next poll. */
export interface Pace {
  /** Seconds between polls; only ever grows. */
  readonly intervalSeconds: number;
  /** Which problem the last answers had, and how many of them. */
  readonly streak: { readonly of: string; readonly count: number };
  /** Whether an answer that may have held the token was not read whole. */
  readonly maybeLost: boolean;
  /** Successes without a usable token so far. */
  readonly tokenless: number;
  /** What the user should see, such as a network problem. */
  readonly problem: string | undefined;
}

const NO_STREAK = { of: '', count: 0 };

/** The pace before the first poll. */
export function firstPace(intervalSeconds: number): Pace {
  return { intervalSeconds, streak: NO_STREAK, maybeLost: false, tokenless: 0, problem: undefined };
}

/** Seconds to wait from the end of an answer to the next poll. */
export function delaySeconds({ intervalSeconds, streak }: Pace): number {
  if (streak.count === 0) return intervalSeconds;
  return Math.max(intervalSeconds, Math.min(intervalSeconds * 2 ** streak.count, LONGEST_BACKOFF_SECONDS));
}

/**
 * The pace after an answer that brought no token.
 * @throws CliError when it is the end of the login.
 */
export function nextPace(pace: Pace, verdict: Exclude<Verdict, { kind: 'token' }>, attempt: Attempt): Pace {
  const calm = { ...pace, streak: NO_STREAK, problem: undefined };
  switch (verdict.kind) {
    case 'pending':
      return calm;
    case 'slow_down':
      return { ...calm, intervalSeconds: slower(pace.intervalSeconds, verdict.intervalSeconds) };
    case 'tokenless':
      if (pace.tokenless > 0) throw answerLost(attempt);
      return { ...calm, maybeLost: true, tokenless: 1 };
    case 'transient':
      return troubled(pace, verdict.from, verdict);
    case 'foreign': {
      const next = troubled(pace, verdict.kind, verdict);
      if (next.streak.count < MOST_FOREIGN) return next;
      throw next.maybeLost ? answerLost(attempt, verdict.error.message) : verdict.error;
    }
    case 'stop':
      throw pace.maybeLost && !verdict.isSure ? answerLost(attempt, verdict.error.message) : verdict.error;
  }
}

function troubled(pace: Pace, of: string, trouble: { readonly problem: string; readonly isLost: boolean }): Pace {
  const count = pace.streak.of === of ? pace.streak.count + 1 : 1;
  return {
    ...pace,
    streak: { of, count },
    maybeLost: pace.maybeLost || trouble.isLost,
    problem: count < SHOWN_FROM ? undefined : trouble.problem,
  };
}

/** A figure of the service's counts where it is the slower one; it never makes the polling quicker. */
function slower(intervalSeconds: number, asked: number | undefined): number {
  return Math.max(intervalSeconds + SLOWER_BY_SECONDS, asked ?? 0);
}
