import type { MetricSeries } from './points.ts';
import { type Span, usualSpacing } from './spacing.ts';

/** A point of a series with fewer points. */
export interface ThinPoint {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `undefined` in a gap. */
  readonly value: number | undefined;
}

/**
 * Reduces a series to at most `most` points without losing peaks: each stretch keeps its lowest and highest value in the
 * order of time. A stretch without values becomes one gap.
 */
export function downsample({ times, values }: MetricSeries, most: number): ThinPoint[] {
  if (times.length <= most) return Array.from(times, (time, index) => ({ time, value: known(values[index]) }));
  const stretches = Math.max(1, Math.floor(most / 2));
  return Array.from({ length: stretches }, (_, stretch) => {
    const start = Math.floor((stretch * times.length) / stretches);
    const end = Math.floor(((stretch + 1) * times.length) / stretches);
    return extremesIn(values, start, end).map((index) => ({ time: times[index] ?? 0, value: known(values[index]) }));
  }).flat();
}

/** Returns the indexes of the lowest and the highest value from `start` up to `end`, in order; `start` if all are gaps. */
function extremesIn(values: MetricSeries['values'], start: number, end: number): readonly number[] {
  let [low, high] = [-1, -1];
  for (let index = start; index < end; index += 1) {
    const value = known(values[index]);
    if (value === undefined) continue;
    if (low < 0 || value < (values[low] ?? 0)) low = index;
    if (high < 0 || value > (values[high] ?? 0)) high = index;
  }
  if (low < 0) return [start];
  return low === high ? [low] : [Math.min(low, high), Math.max(low, high)];
}

function known(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/**
 * Averages a series in at most `most` slots of equal time; a gap is `undefined`. No slot is shorter than the usual time
 * between two points, so that only missing points make gaps.
 * @param drawn the span of all slots; by default from the first point to the last.
 */
export function slotsOf({ times, values }: MetricSeries, most: number, drawn?: Span): (number | undefined)[] {
  const first = drawn?.start ?? times[0] ?? 0;
  const span = (drawn?.end ?? times.at(-1) ?? first) - first;
  const usual = usualSpacing(times) || 1;
  const count = Math.max(1, Math.min(most, Math.round(span / usual) + 1));
  const sums = new Float64Array(count);
  const counts = new Uint32Array(count);
  for (let index = 0; index < times.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const slot =
      span === 0 ? 0 : Math.min(count - 1, Math.floor((((times[index] ?? 0) - first) / (span + usual)) * count));
    sums[slot] = (sums[slot] ?? 0) + value;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return Array.from(sums, (sum, slot) => (counts[slot] ? sum / counts[slot] : undefined));
}
