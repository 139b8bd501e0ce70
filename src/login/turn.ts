import type { Clock } from '../clock.ts';
import type { DeviceLogin } from './device-start.ts';

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
export interface Turn {
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
