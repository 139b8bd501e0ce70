import type { Chart } from '../screen.ts';

/** The lowest and highest value in each column of a plot; NaN for a gap. */
export interface Spans {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

interface Place {
  readonly column: number;
  readonly time: number;
  readonly value: number;
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
  let before: Place | undefined;
  for (const { time, value } of points) {
    if (value === undefined || !Number.isFinite(value)) {
      before = undefined;
      continue;
    }
    const column = Math.round((time - start) * scale);
    cover(column, value);
    const here = { column, time, value };
    if (before !== undefined && time - before.time <= chart.longestStepMs) join(before, here, cover);
    before = here;
  }
  return { low, high };
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

/** A character has `dotsWide` × `dotsHigh` dots; bit 0 of `cell` is the top left, counting down, then right. */
const UNICODE = {
  dotsWide: 2,
  dotsHigh: 4,
  cell: (dots: number) => (dots === 0 ? ' ' : String.fromCharCode(0x2800 + brailleBits(dots))),
  ...{ tick: ' ┤', wall: ' │', corner: ' └', floor: '─', mark: '┬' },
};
type Glyphs = typeof UNICODE;
const ASCII: Glyphs = {
  dotsWide: 1,
  dotsHigh: 1,
  cell: (dots) => (dots === 0 ? ' ' : '*'),
  ...{ tick: ' +', wall: ' |', corner: ' +', floor: '-', mark: '+' },
};

/** Returns the characters that the terminal has for plots and axes. */
export function glyphsOf({ unicode }: { readonly unicode: boolean }): Glyphs {
  return unicode ? UNICODE : ASCII;
}

/** Returns the rows of characters from the top down. */
export function rasterize(spans: Spans, glyphs: Glyphs, rows: number, bottom: number, top: number): string[] {
  const { dotsWide, dotsHigh } = glyphs;
  const cells = Array.from({ length: rows }, () => new Uint8Array(Math.ceil(spans.low.length / dotsWide)));
  const dots = rows * dotsHigh;
  const dotOf = (value: number) => {
    const share = (top - value) / (top - bottom || 1);
    return Math.min(dots - 1, Math.max(0, Math.round(share * (dots - 1))));
  };
  for (let x = 0; x < spans.low.length; x += 1) {
    const high = spans.high[x] ?? Number.NaN;
    if (Number.isNaN(high)) continue;
    const end = dotOf(spans.low[x] ?? high);
    for (let y = dotOf(high); y <= end; y += 1) {
      const row = cells[Math.floor(y / dotsHigh)];
      const column = Math.floor(x / dotsWide);
      const bit = (x % dotsWide) * dotsHigh + (y % dotsHigh);
      if (row !== undefined) row[column] = (row[column] ?? 0) | (1 << bit);
    }
  }
  return cells.map((row) => Array.from(row, glyphs.cell).join(''));
}

/** Braille numbers its dots 1, 2, 3, 7 down the left and 4, 5, 6, 8 down the right. */
const BRAILLE_ORDER = [0, 1, 2, 6, 3, 4, 5, 7];

function brailleBits(dots: number): number {
  return BRAILLE_ORDER.reduce((bits, place, index) => bits | (((dots >> index) & 1) << place), 0);
}
