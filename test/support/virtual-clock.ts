import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/clock.ts';

/** A clock for many sleepers at once, without real input or output: it moves on only when everybody sleeps. */
export interface VirtualClock extends Clock {
  /** Lets time pass until the work has ended. */
  during<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** Turns of the event loop after which work that waits for nothing has come to its next sleep. */
const TURNS = 20;

/** Starts at 0. */
export function virtualClock(): VirtualClock {
  let now = 0;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => now,
    monotonic: () => now,
    sleep(ms, signal) {
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
    async during(work) {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      for (;;) {
        for (let turns = 0; turns < TURNS; turns += 1) await turn();
        if (isOver) return work;
        const [first] = [...sleepers].sort((one, other) => one.at - other.at);
        if (first === undefined) throw new Error('Nobody sleeps, and the work has not ended.');
        sleepers.delete(first);
        now = Math.max(now, first.at);
        first.wake();
      }
    },
  };
}
