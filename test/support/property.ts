import { figure } from './figure.ts';

/** The part of its tries that a property gets in `npm test`, and how many it keeps at least. */
const EVERYDAY = { part: 1 / 5, atLeast: 10 };

/**
 * Settings of a property: so many tries, times `SVC_SOAK`, with a seed of its own that stays the same. Without
 * `SVC_SOAK` it is a part of them.
 */
export function tries(count: number, seed: number): { numRuns: number; seed: number } {
  const factor = Number(process.env['SVC_SOAK'] ?? 0);
  const everyday = Math.max(count * EVERYDAY.part, Math.min(count, EVERYDAY.atLeast));
  const numRuns = Math.ceil(factor > 0 ? count * factor : everyday);
  figure('tries', numRuns, `seed ${seed}`);
  return { numRuns, seed };
}
