import type { Clock } from '../src/clock.ts';

const MINUTE_MS = 60_000;

/**
 * Limits the uses of each key within the last minute. The function it returns counts a use and returns 0, or else the
 * whole seconds to wait without counting it.
 */
export function minuteLimit(clock: Clock, usesPerMinute: number): (key: string) => number {
  const usesByKey = new Map<string, readonly number[]>();
  return (key) => {
    const now = clock.monotonic();
    const recent = (usesByKey.get(key) ?? []).filter((use) => now - use < MINUTE_MS);
    const [first] = recent;
    if (first !== undefined && recent.length >= usesPerMinute) return Math.ceil((first + MINUTE_MS - now) / 1_000);
    usesByKey.set(key, [...recent, now]);
    return 0;
  };
}

/**
 * Limits uses with a bucket that holds the uses of one second, starts full and fills steadily. The function it returns
 * takes a use and returns 0, or else the whole seconds until there is one without taking it.
 */
export function tokenBucket(clock: Pick<Clock, 'monotonic'>, usesPerSecond: number): () => number {
  let uses = usesPerSecond;
  let filledAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    uses = Math.min(usesPerSecond, uses + ((now - filledAt) / 1_000) * usesPerSecond);
    filledAt = now;
    if (uses < 1) return Math.ceil((1 - uses) / usesPerSecond);
    uses -= 1;
    return 0;
  };
}
