/** Figures of the values of a series, without the missing ones. */
export interface Statistics {
  readonly last: number;
  readonly min: number;
  readonly avg: number;
  /** By nearest rank: one of the values. */
  readonly p95: number;
  readonly max: number;
}

/** Takes values in the order of time, NaN if missing; returns undefined if all are missing. */
export function statisticsOf(values: Float64Array): Statistics | undefined {
  const numbers = values.filter((value) => !Number.isNaN(value));
  const last = numbers.at(-1);
  if (last === undefined) return undefined;
  const sorted = numbers.sort();
  const [min = last, max = last] = [sorted[0], sorted.at(-1)];
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? max;
  const avg = Math.min(max, Math.max(min, sumOf(sorted) / sorted.length));
  return { last, min, avg, p95, max };
}

/** Adds what each addition lost (Neumaier), so that an average at a limit is not above it: ten times 0.1 are 1. */
function sumOf(numbers: Float64Array): number {
  let [sum, lost] = [0, 0];
  for (const number of numbers) {
    const next = sum + number;
    lost += Math.abs(sum) < Math.abs(number) ? number - next + sum : sum - next + number;
    sum = next;
  }
  // A sum that is too large for a number lost it all.
  return Number.isFinite(sum) ? sum + lost : sum;
}
