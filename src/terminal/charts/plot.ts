import type { Chart, ChartPoint } from '../screen.ts';

/** For each column of a drawing, the lowest and the highest value in it; NaN where the line has a gap. */
export interface Spans {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** What of a chart becomes a line. */
type Drawn = Pick<Chart, 'points' | 'longestStepMs'>;

/** The time that a drawing spans, in milliseconds since the epoch. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** From the first point to the last, whatever their order; both 0 where there is none. */
export function timeOf(points: Iterable<ChartPoint>): TimeSpan {
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { time } of points) {
    if (!Number.isFinite(time)) continue;
    start = Math.min(start, time);
    end = Math.max(end, time);
  }
  return start <= end ? { start, end } : { start: 0, end: 0 };
}

/**
 * The line through the points of a chart, cut into columns of equal time; every peak is kept, however many points a
 * column holds.
 */
export function spansOf({ points, longestStepMs }: Drawn, columns: number, time = timeOf(points)): Spans {
  const low = new Float64Array(columns).fill(Number.NaN);
  const high = new Float64Array(columns).fill(Number.NaN);
  const sorted = inOrder(points);
  const { start, end } = time;
  const scale = (columns - 1) / (end - start || 1);

  const cover = (column: number, value: number) => {
    if (!(value >= (low[column] ?? Number.NaN))) low[column] = value;
    if (!(value <= (high[column] ?? Number.NaN))) high[column] = value;
  };
  let before: { column: number; time: number; value: number } | undefined;
  for (const { time, value } of sorted) {
    if (value === undefined || !Number.isFinite(value)) {
      before = undefined;
      continue;
    }
    const column = Math.round((time - start) * scale);
    cover(column, value);
    if (before !== undefined && time - before.time <= longestStepMs) join(before, { column, value }, cover);
    before = { column, time, value };
  }
  return { low, high };
}

interface Place {
  readonly column: number;
  readonly value: number;
}

/** Covers what a straight line passes; neighbouring columns meet half-way, so that the line never breaks. */
function join(from: Place, to: Place, cover: (column: number, value: number) => void): void {
  const steps = to.column - from.column;
  for (let step = 0; step < steps; step += 1) {
    const here = from.value + ((to.value - from.value) * step) / steps;
    const next = from.value + ((to.value - from.value) * (step + 1)) / steps;
    cover(from.column + step, here);
    cover(from.column + step, (here + next) / 2);
    cover(from.column + step + 1, (here + next) / 2);
  }
}

function inOrder(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const known = points.every(({ time }) => Number.isFinite(time))
    ? points
    : points.filter(({ time }) => Number.isFinite(time));
  const ordered = known.every(({ time }, index) => index === 0 || time >= (known[index - 1]?.time ?? time));
  return ordered ? known : [...known].sort((one, other) => one.time - other.time);
}
