import type { Clock } from '../clock.ts';

/** The time that a command may still take, in milliseconds. */
export type Budget = ReturnType<typeof createBudget>;

/** Limits the time that requests and the waits between them take together, in milliseconds. */
export function createBudget(clock: Clock, totalMs: number) {
  let usedMs = 0;
  let waitedMs = 0;
  let running = 0;
  let startedAt = 0;
  return {
    remainingMs: () => totalMs - usedMs - (running > 0 ? clock.monotonic() - startedAt : 0),
    waitedMs: () => waitedMs,
    /** Counts the time of the work. Time between two pieces of work, such as a person's answer, is free. */
    async during<T>(work: () => Promise<T>): Promise<T> {
      if (running === 0) startedAt = clock.monotonic();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) usedMs += clock.monotonic() - startedAt;
      }
    },
    /** Does not count the time of the work. */
    async outside<T>(work: () => Promise<T>): Promise<T> {
      const from = clock.monotonic();
      try {
        return await work();
      } finally {
        usedMs -= clock.monotonic() - from;
      }
    },
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      waitedMs += ms;
      await clock.sleep(ms, signal);
    },
  };
}
