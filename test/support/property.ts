import { figure } from './figure.ts';

/** The part of its tries that a property gets in `npm test`, and how many it keeps at least. */
const EVERYDAY = { part: 1 / 10, atLeast: 10 };

/** What the soak multiplies tries by; 0 in `npm test`. */
const SOAK = Number(process.env['SVC_SOAK'] ?? 0);

/**
 * Settings of a property: so many tries, times `SVC_SOAK`, with a seed of its own that stays the same. Without
 * `SVC_SOAK` it is a part of them.
 */
export function tries(count: number, seed: number): { numRuns: number; seed: number } {
  const numRuns = SOAK > 0 ? Math.ceil(count * SOAK) : Math.min(count, Math.max(lengthOf(count), EVERYDAY.atLeast));
  figure('tries', numRuns, `seed ${seed}`);
  return { numRuns, seed };
}

/** The length of a very long input: all of it in the soak, a part of it in `npm test`. */
export function lengthOf(full: number): number {
  return SOAK > 0 ? full : Math.ceil(full * EVERYDAY.part);
}
