import type { Series } from './points.ts';
import type { Span } from './spacing.ts';
import { usualSpacing } from './spacing.ts';

/** One measurement; an `undefined` value is a gap. */
export interface ThinPoint {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly value: number | undefined;
}

/**
 * A series with at most `most` points and every peak: where there are more, each stretch keeps its lowest and its
 * highest value, in the order of time. A stretch without any value is one gap.
 */
export function thin({ times, values }: Series, most: number): ThinPoint[] {
  if (times.length <= most) return Array.from(times, (time, index) => ({ time, value: known(values[index]) }));
  const stretches = Math.max(1, Math.floor(most / 2));
  const points: ThinPoint[] = [];
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const start = Math.floor((stretch * times.length) / stretches);
    const end = Math.floor(((stretch + 1) * times.length) / stretches);
    let low = -1;
    let high = -1;
    for (let index = start; index < end; index += 1) {
      const value = values[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      if (low < 0 || value < (values[low] ?? 0)) low = index;
      if (high < 0 || value > (values[high] ?? 0)) high = index;
    }
    const kept = low < 0 ? [start] : [...new Set([Math.min(low, high), Math.max(low, high)])];
    for (const index of kept) points.push({ time: times[index] ?? 0, value: known(values[index]) });
  }
  return points;
}

function known(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/**
 * A series in slots of equal time, at most `most` of them: the mean of the values in each, `undefined` in a gap. A slot
 * is never shorter than the usual time between two points, so that only what is missing is a gap.
 * @param drawn what the slots span; from the first point to the last unless told otherwise.
 */
export function slotsOf({ times, values }: Series, most: number, drawn?: Span): (number | undefined)[] {
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
