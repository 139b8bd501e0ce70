import type { Clock } from '../clock.ts';

/** The time that requests and the waits between them may take. */
export interface Budget {
  /** Milliseconds that are left for requests and waits. */
  remainingMs(): number;
  /** Milliseconds that may be waited before the next attempt. */
  waitableMs(): number;
  /** Counts the time of the work. Time between two pieces of work, such as a person's answer, does not count. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Waits; throws the signal's reason when it aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** How long svc waits for others in one command, in milliseconds, whatever they ask for. */
const PATIENCE_MS = 60_000;

/** A budget on the monotonic clock. */
export function createBudget(clock: Clock, totalMs: number): Budget {
  let usedMs = 0;
  let waitedMs = 0;
  let running = 0;
  let startedAt = 0;
  const remainingMs = () => totalMs - usedMs - (running > 0 ? clock.monotonic() - startedAt : 0);
  return {
    remainingMs,
    waitableMs: () => Math.min(remainingMs(), PATIENCE_MS - waitedMs),
    async during(work) {
      if (running === 0) startedAt = clock.monotonic();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) usedMs += clock.monotonic() - startedAt;
      }
    },
    async wait(ms, signal) {
      waitedMs += ms;
      await clock.sleep(ms, signal);
    },
  };
}
