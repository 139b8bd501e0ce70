import type { Clock } from '../clock.ts';
import type { CliError } from '../errors.ts';
import type { PollVerdict } from './judge.ts';
import type { StartedLogin } from './start.ts';
import { answerLost, type LoginAttempt } from './texts.ts';

/** Seconds that every `slow_down` adds permanently. */
const SLOWER_BY_SECONDS = 5;
/** The longest back-off after problems, in seconds; a longer interval is kept. */
const MAX_BACKOFF_SECONDS = 30;
const MAX_FOREIGN = 3;
/** The number in a row from which a problem is shown; the first is often the only one. */
const SHOWN_FROM = 2;

/** The state of the polling between two polls. */
export interface PollPace {
  /** Seconds between polls; never decreases. */
  readonly intervalSeconds: number;
  /** The problem that the last answers had, and their number. */
  readonly streak: { readonly of: string; readonly count: number };
  /** Whether an answer was lost that may have had the token. */
  readonly maybeLost: boolean;
  /** Shown to the user, such as a network problem. */
  readonly problem: string | undefined;
}

const NO_STREAK = { of: '', count: 0 };

/** The pace before the first poll. */
export function firstPace(intervalSeconds: number): PollPace {
  return { intervalSeconds, streak: NO_STREAK, maybeLost: false, problem: undefined };
}

/** Seconds from an answer to the next poll. A back-off ends just before the code does, but not before the interval. */
export function delaySeconds({ intervalSeconds, streak }: PollPace, remainingMs: number): number {
  if (streak.count === 0) return intervalSeconds;
  const backoff = Math.min(intervalSeconds * 2 ** streak.count, MAX_BACKOFF_SECONDS);
  return Math.max(intervalSeconds, Math.min(backoff, (remainingMs - LAST_LOOK_MS) / 1000));
}

/**
 * The pace after an answer without a token.
 * @throws CliError if the answer ends the login.
 */
export function nextPace(
  pace: PollPace,
  verdict: Exclude<PollVerdict, { kind: 'token' }>,
  attempt: LoginAttempt,
): PollPace {
  const calm = { ...pace, streak: NO_STREAK, problem: undefined };
  switch (verdict.kind) {
    case 'pending':
      return calm;
    case 'slow_down': {
      // The interval that the platform asks for counts only if it is longer.
      const intervalSeconds = Math.max(pace.intervalSeconds + SLOWER_BY_SECONDS, verdict.intervalSeconds ?? 0);
      return { ...calm, intervalSeconds };
    }
    case 'transient':
      return troubled(pace, verdict.from, verdict);
    case 'foreign': {
      const next = troubled(pace, verdict.kind, verdict);
      if (next.streak.count < MAX_FOREIGN) return next;
      throw ending(next, verdict.error, attempt);
    }
    case 'stop':
      throw ending(pace, verdict.error, attempt, verdict.isSure);
  }
}

/**
 * The error that ends a login. An answer that may have had the token matters more than the reason of the end.
 * @param isSure whether no token was issued, whatever was lost
 */
export function ending({ maybeLost }: PollPace, error: CliError, attempt: LoginAttempt, isSure = false): CliError {
  return maybeLost && !isSure ? answerLost(attempt, error.message) : error;
}

function troubled(pace: PollPace, of: string, trouble: Readonly<{ problem: string; isLost: boolean }>): PollPace {
  const count = pace.streak.of === of ? pace.streak.count + 1 : 1;
  return {
    ...pace,
    streak: { of, count },
    maybeLost: pace.maybeLost || trouble.isLost,
    problem: count < SHOWN_FROM ? undefined : trouble.problem,
  };
}

/** Milliseconds of one sleep: short, to move the countdown. */
const TICK_MS = 1_000;
/** Milliseconds before the end of an attempt at which it is polled a last time. */
const LAST_LOOK_MS = 2_000;
/** A longer interval may skip the end of the attempt, so the last poll comes before it. */
const LONG_INTERVAL_SECONDS = 60;

/** See {@link ageOf}. */
export type Age = ReturnType<typeof ageOf>;

/** The age of an attempt, in milliseconds. */
export function ageOf(login: StartedLogin, clock: Clock) {
  const startedMs = clock.monotonic() - Math.max(0, clock.now() - login.startedAtMs);
  const monotonicMs = (): number => clock.monotonic() - startedMs;
  return {
    /** On the monotonic clock, which stops while the machine is suspended. */
    monotonicMs,
    /** Time until it expires, by the clock that shows less. */
    remainingMs: () => login.lifeSeconds * 1000 - Math.max(monotonicMs(), clock.now() - login.startedAtMs),
  };
}

/**
 * Plans the next poll. If the wait would end after the attempt, the first poll, or one with a very long interval, comes
 * two seconds before the end instead: an approval would otherwise be missed.
 */
export function planTurn(
  age: Age,
  plan: { delayMs: number; pauseMs: number; intervalSeconds: number; lifeSeconds: number; isFirst: boolean },
): { waitMs: number; isLastLook: boolean } {
  const remainingMs = age.remainingMs();
  const waitMs = Math.max(plan.delayMs, plan.pauseMs);
  const isLong = plan.intervalSeconds > Math.min(LONG_INTERVAL_SECONDS, plan.lifeSeconds);
  if (remainingMs <= 0 || waitMs < remainingMs || !(isLong || plan.isFirst)) return { waitMs, isLastLook: false };
  const lastLookMs = Math.max(remainingMs - LAST_LOOK_MS, remainingMs / 2);
  return { waitMs: Math.max(plan.pauseMs, Math.min(waitMs, lastLookMs)), isLastLook: isLong };
}

/** Waits until a poll is due, and calls `tick` about once a second. Throws the signal's reason when it aborts. */
export async function waitForTurn(waitMs: number, clock: Clock, signal: AbortSignal, tick: () => void): Promise<void> {
  signal.throwIfAborted();
  const dueMs = clock.monotonic() + waitMs;
  for (let leftMs = waitMs; leftMs > 0; leftMs = dueMs - clock.monotonic()) {
    tick();
    await clock.sleep(Math.min(TICK_MS, leftMs), signal);
  }
}
