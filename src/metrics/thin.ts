import type { Series } from './points.ts';

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
