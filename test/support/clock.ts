import type { Clock } from '../../src/clock.ts';

/** A clock that stands still until someone sleeps on it; a sleep moves it on at once. */
export interface FakeClock extends Clock {
  /** Every sleep that was asked for, in milliseconds, in order. */
  readonly waits: number[];
  /** Moves both clocks on without a wait being recorded: time that work or a person took. */
  advance(ms: number): void;
  /** Moves the wall clock alone, as a user or a resume from suspend does. */
  shiftWall(ms: number): void;
  /** Called at the end of each sleep, with its length, before the sleeper wakes. */
  onSleep(listener: (ms: number) => void): void;
}

/** Starts at the given wall time (an ISO 8601 instant) and at 0 on the monotonic clock. */
export function fakeClock(startsAt = '2026-03-01T12:00:00.000Z'): FakeClock {
  let wallMs = Date.parse(startsAt);
  let monotonicMs = 0;
  const listeners: Array<(ms: number) => void> = [];
  const waits: number[] = [];
  const advance = (ms: number) => {
    wallMs += ms;
    monotonicMs += ms;
  };
  return {
    waits,
    advance,
    now: () => wallMs,
    monotonic: () => monotonicMs,
    shiftWall: (ms) => {
      wallMs += ms;
    },
    onSleep: (listener) => listeners.push(listener),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      advance(ms);
      for (const listener of listeners) listener(ms);
      await Promise.resolve();
      signal?.throwIfAborted();
    },
  };
}
