import type { Chart } from '../screen.ts';

/** The lowest and highest value in each column of a plot; NaN for a gap. */
export interface Spans {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** In milliseconds since the epoch. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns the times of the first and the last point in any order; both are 0 without points. */
export function timeOf(charts: readonly Pick<Chart, 'points'>[]): TimeSpan {
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { points } of charts) {
    for (const { time } of points) {
      if (!Number.isFinite(time)) continue;
      start = Math.min(start, time);
      end = Math.max(end, time);
    }
  }
  return start <= end ? { start, end } : { start: 0, end: 0 };
}

const MAX_VARYING = 3;

/** Returns the three charts with the largest standard deviation in relation to their average. */
export function mostVarying(charts: readonly Chart[]): readonly Chart[] {
  const variation = ({ points, figures }: Chart) => {
    const values = points.flatMap(({ value }) => value ?? []);
    const avg = figures?.avg ?? 0;
    const square = values.reduce((sum, value) => sum + (value - avg) ** 2, 0) / (values.length || 1);
    return Math.sqrt(square) / Math.abs(avg || 1);
  };
  const most = [...charts].sort((one, other) => variation(other) - variation(one)).slice(0, MAX_VARYING);
  return charts.filter((chart) => most.includes(chart));
}

/** Returns the page of so many charts that has the chosen one; the last page is as full as the others. */
export function pageWith(chosen: number, charts: readonly Chart[], count: number): readonly Chart[] {
  const first = Math.min(Math.floor(chosen / count) * count, Math.max(0, charts.length - count));
  return charts.slice(first, first + count);
}

/** Cuts the line through the points into columns of equal time, keeping every peak. */
export function spansOf(
  chart: Pick<Chart, 'points' | 'longestStepMs'>,
  columns: number,
  { start, end } = timeOf([chart]),
): Spans {
  const low = new Float64Array(columns).fill(Number.NaN);
  const high = new Float64Array(columns).fill(Number.NaN);
  const points = chart.points.filter(({ time }) => Number.isFinite(time)).sort((one, other) => one.time - other.time);
  const scale = (columns - 1) / (end - start || 1);
  const cover = (column: number, value: number) => {
    if (!(value >= (low[column] ?? Number.NaN))) low[column] = value;
    if (!(value <= (high[column] ?? Number.NaN))) high[column] = value;
  };
  let before: { column: number; time: number; value: number } | undefined;
  for (const { time, value } of points) {
    if (value === undefined || !Number.isFinite(value)) {
      before = undefined;
      continue;
    }
    const column = Math.round((time - start) * scale);
    cover(column, value);
    if (before !== undefined && time - before.time <= chart.longestStepMs) join(before, { column, value }, cover);
    before = { column, time, value };
  }
  return { low, high };
}

interface Place {
  readonly column: number;
  readonly value: number;
}

/** Covers a straight line. Neighbouring columns meet half-way, so that the line never breaks. */
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
