import type { Span } from './edges.ts';
import type { Series } from './points.ts';
import { usualSpacing } from './spacing.ts';

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
