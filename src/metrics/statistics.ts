import { valueOfRank } from './rank.ts';

/** Figures of a series; missing values count for nothing. */
export interface Statistics {
  /** How many values there are. */
  readonly count: number;
  /** Runs of missing values between values. */
  readonly gaps: number;
  readonly min: number;
  readonly avg: number;
  /** The value that 95 of 100 do not exceed (nearest rank). */
  readonly p95: number;
  readonly max: number;
  /** The latest value. */
  readonly last: number;
}

/** The figures of a series in the order of time; `undefined` where it has gaps only (NaN). */
export function statisticsOf(values: ArrayLike<number>): Statistics | undefined {
  const numbers = new Float64Array(values.length);
  let count = 0;
  let gaps = 0;
  let isMissing = false;
  let last = Number.NaN;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let avg = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) {
      isMissing = true;
      continue;
    }
    if (isMissing && count > 0) gaps += 1;
    isMissing = false;
    numbers[count] = value;
    count += 1;
    last = value;
    if (value < min) min = value;
    if (value > max) max = value;
    // A running average: the sum of large values could overflow.
    avg += value / count - avg / count;
  }
  if (count === 0) return undefined;
  const p95 = valueOfRank(numbers.subarray(0, count), Math.ceil(count * 0.95) - 1);
  return { count, gaps, min, avg: Math.min(max, Math.max(min, avg)), p95, max, last };
}
