/** What is known of a row of values. */
export interface Summary {
  /** Values that there are. */
  readonly count: number;
  /** Runs of missing values between values. */
  readonly gaps: number;
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly last: number;
}

/** The summary of values, in one pass; `undefined` where there is no value at all. */
export function summarize(values: Iterable<number | undefined>): Summary | undefined {
  let count = 0;
  let gaps = 0;
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let last = Number.NaN;
  let missing = false;
  for (const value of values) {
    if (value === undefined || !Number.isFinite(value)) {
      missing = true;
      continue;
    }
    if (missing && count > 0) gaps += 1;
    missing = false;
    count += 1;
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
    last = value;
  }
  return count === 0 ? undefined : { count, gaps, min, max, avg: sum / count, last };
}
