import fc from 'fast-check';
import { figure } from './figure.ts';

const SOAK = Number(process.env['SVC_SOAK'] ?? 0);

/** Whether everything is tried, as `npm run test:soak` does. */
export const isSoak: boolean = SOAK > 0;

/**
 * Settings of a property: so many tries, times `SVC_SOAK`, with a seed; without it a fortieth of
 * them, at least five.
 */
export function tries(count: number, seed: number): { numRuns: number; seed: number } {
  const numRuns =
    SOAK > 0 ? Math.ceil(count * SOAK) : Math.min(count, Math.max(Math.ceil(count / 40), 5));
  figure('tries', numRuns, `seed ${seed}`);
  return { numRuns, seed };
}

/** All of the values in the soak; in `npm test` one of them, the next one for each turn. */
export function inTurn<T>(values: readonly T[], turn: number): readonly T[] {
  const first = turn % values.length;
  return SOAK > 0 ? values : values.slice(first, first + 1);
}

/** The length of a very long input: all of it in the soak, a tenth of it in `npm test`. */
export function lengthOf(full: number): number {
  return SOAK > 0 ? full : Math.ceil(full / 10);
}

const SURROGATES = 0xe000 - 0xd800;

/**
 * Any character of Unicode, as a unit of strings; fast-check's own `binary` takes a second to make.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES)
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + SURROGATES));
