import type { Clock } from '../../clock.ts';

/** Allows so many uses per minute for each key. */
export interface RateLimit {
  /** Counts one use. Answers 0 where it is allowed, else the whole seconds to wait; a refused use is not counted. */
  secondsToWait(key: string): number;
}

const MINUTE_MS = 60_000;
/** Keys that are remembered at once; beyond it the oldest is forgotten. */
const KEY_LIMIT = 1_000;

/** A limit that slides with the clock. */
export function rateLimit(clock: Clock, usesPerMinute: number): RateLimit {
  const usesByKey = new Map<string, readonly number[]>();
  return {
    secondsToWait(key) {
      const now = clock.monotonic();
      const recent = (usesByKey.get(key) ?? []).filter((use) => now - use < MINUTE_MS);
      const [first] = recent;
      if (first !== undefined && recent.length >= usesPerMinute) return Math.ceil((first + MINUTE_MS - now) / 1_000);
      usesByKey.delete(key);
      usesByKey.set(key, [...recent, now]);
      const [oldest] = usesByKey.keys();
      if (usesByKey.size > KEY_LIMIT && oldest !== undefined) usesByKey.delete(oldest);
      return 0;
    },
  };
}
