import { figure } from './figure.ts';

/** Settings of a property: an everyday number of tries, times `SVC_SOAK`, with a seed of its own that stays the same. */
export function tries(count: number, seed: number): { numRuns: number; seed: number } {
  const factor = Number(process.env['SVC_SOAK'] ?? '1');
  const numRuns = Math.ceil(count * (factor > 0 ? factor : 1));
  figure('tries', numRuns, `seed ${seed}`);
  return { numRuns, seed };
}
