/** Figures of a series; gaps count for nothing. */
export interface Statistics {
  /** How many values there are. */
  readonly count: number;
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
  const numbers = Float64Array.from(values).filter((value) => !Number.isNaN(value));
  const last = numbers.at(-1);
  if (last === undefined) return undefined;
  let avg = 0;
  // A running average: the sum of large values could overflow.
  for (const [index, value] of numbers.entries()) avg += value / (index + 1) - avg / (index + 1);
  const sorted = numbers.sort();
  const min = sorted.at(0) ?? last;
  const max = sorted.at(-1) ?? last;
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? last;
  return { count: sorted.length, min, avg: Math.min(max, Math.max(min, avg)), p95, max, last };
}
