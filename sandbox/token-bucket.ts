import type { Clock } from '../src/clock.ts';

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
