import { setImmediate as turn } from 'node:timers/promises';

/** Turns of the event loop after which work that waits for nothing has come to its next sleep. */
const TURNS = 20;

/**
 * A clock for many sleepers at once, without real input or output: it starts at 0, and moves on
 * when everybody sleeps.
 */
export function virtualClock() {
  let now = 0;
  const sleepers = new Set<{ readonly at: number; wake(): void }>();
  return {
    now: () => now,
    monotonic: () => now,
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper = {
          at: now + ms,
          wake() {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', stop, { once: true });
      });
    },
    /** Lets time pass until the work has ended. */
    async during(work: Promise<unknown>): Promise<void> {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      for (;;) {
        for (let turns = 0; turns < TURNS; turns += 1) await turn();
        if (isOver) return;
        if (sleepers.size === 0) throw new Error('Nobody sleeps, and the work has not ended.');
        const nextAt = Math.min(...[...sleepers].map(({ at }) => at));
        now = Math.max(now, nextAt);
        for (const sleeper of [...sleepers].filter(({ at }) => at <= now)) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      }
    },
  };
}
