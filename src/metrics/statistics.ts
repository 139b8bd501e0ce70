import { exactSum } from './exact-sum.ts';

/** Figures of the values of a series, without the missing ones. */
export interface Statistics {
  readonly count: number;
  /** Runs of missing values between values. */
  readonly gaps: number;
  /** Rounded once: as near to the true sum as a number can be. */
  readonly sum: number;
  readonly min: number;
  readonly avg: number;
  /** By nearest rank, as the other percentiles. */
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly last: number;
}

/** Takes values in the order of time, NaN if missing; returns undefined if all are missing. */
export function statisticsOf(values: ArrayLike<number>): Statistics | undefined {
  const numbers = new Float64Array(values.length);
  let count = 0;
  let gaps = 0;
  let isMissing = false;
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
  }
  const last = numbers[count - 1];
  if (last === undefined) return undefined;
  const sorted = numbers.subarray(0, count).sort();
  const rank = (percent: number) => sorted[Math.ceil((count * percent) / 100) - 1] ?? last;
  const [min, max] = [sorted[0] ?? last, sorted[count - 1] ?? last];
  const exact = exactSum(sorted);
  // The sum of very large values may be too large for a number, although their average is not.
  const mean = Number.isFinite(exact) ? exact / count : exactSum(sorted.map((value) => value / count));
  const sum = Number.isFinite(exact) ? exact : mean * count;
  const avg = Math.min(max, Math.max(min, mean));
  return { count, gaps, sum, min, avg, p50: rank(50), p90: rank(90), p95: rank(95), p99: rank(99), max, last };
}
