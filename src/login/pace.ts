import type { Clock } from '../clock.ts';
import type { Verdict } from './poll-answer.ts';
import type { DeviceLogin } from './start.ts';
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

/** Longest sleep at a time, so that a suspended machine is noticed and the countdown moves. */
const TICK_MS = 1_000;
/** How far the wall clock may run ahead in one tick before that counts as time spent suspended. */
const SUSPENDED_MS = 5_000;
/** Milliseconds before the end of an attempt for a last look. */
const LAST_LOOK_MS = 2_000;
/** An interval above this may miss the rest of the attempt's life, so the last look comes before it is over. */
const LONG_INTERVAL_SECONDS = 60;

/** How old an attempt is. */
export interface Age {
  /** On the monotonic clock, which stands still while the machine is suspended. */
  monotonicMs(): number;
  /** What is left of its life, as far as either clock tells. */
  remainingMs(): number;
}

/** Follows the age of an attempt from now on. */
export function ageOf(login: DeviceLogin, clock: Clock): Age {
  const startedMs = clock.monotonic() - Math.max(0, clock.now() - login.startedAtMs);
  const monotonicMs = (): number => clock.monotonic() - startedMs;
  const wallMs = (): number => clock.now() - login.startedAtMs;
  return {
    monotonicMs,
    remainingMs: () => login.lifeSeconds * 1000 - Math.max(monotonicMs(), wallMs()),
  };
}

/** When the next poll is due, and whether it is the last one that makes sense. */
interface Turn {
  readonly waitMs: number;
  readonly isLastLook: boolean;
}

/**
 * Plans the next poll. Where the interval would lead past the end of the attempt, a first poll, or one of a very long
 * interval, comes two seconds before the end instead: what is approved until then would be lost otherwise.
 */
export function planTurn(
  age: Age,
  plan: { delayMs: number; pauseMs: number; intervalSeconds: number; isFirst: boolean },
): Turn {
  const remainingMs = age.remainingMs();
  const waitMs = Math.max(plan.delayMs, plan.pauseMs);
  const isLong = plan.intervalSeconds > LONG_INTERVAL_SECONDS;
  if (remainingMs <= 0 || waitMs < remainingMs || !(isLong || plan.isFirst)) return { waitMs, isLastLook: false };
  const lastLookMs = Math.max(remainingMs - LAST_LOOK_MS, remainingMs / 2);
  return { waitMs: Math.max(plan.pauseMs, Math.min(waitMs, lastLookMs)), isLastLook: isLong };
}

/**
 * Waits until a poll is due. Time in which the machine was suspended counts as waited, so that a login that was
 * approved meanwhile is seen at once; polls that were missed are not made up for.
 * @throws the signal's reason when it is aborted.
 */
export async function waitForTurn(
  waitMs: number,
  age: Age,
  clock: Clock,
  signal: AbortSignal,
  tick: () => void,
): Promise<void> {
  signal.throwIfAborted();
  let waitedMs = 0;
  while (waitedMs < waitMs) {
    tick();
    const before = { wall: clock.now(), monotonic: clock.monotonic() };
    await clock.sleep(Math.min(TICK_MS, waitMs - waitedMs), signal);
    const monotonicMs = clock.monotonic() - before.monotonic;
    const wallMs = clock.now() - before.wall;
    const wasSuspended = wallMs - monotonicMs > SUSPENDED_MS;
    if (wasSuspended && age.remainingMs() <= 0) return;
    waitedMs += wasSuspended ? wallMs : monotonicMs;
  }
}
