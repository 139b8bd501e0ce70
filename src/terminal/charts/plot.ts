import type { Chart } from '../screen.ts';

/** The lowest and highest value in each column of a plot; NaN for a gap. */
interface Spans {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** A span in milliseconds since the epoch. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns the times of the first and the last point; 0 without points. */
export function getTimeSpan(charts: readonly Pick<Chart, 'points'>[]): TimeSpan {
  const ends = charts.flatMap(({ points }) => [...points.slice(0, 1), ...points.slice(-1)]);
  if (ends.length === 0) return { start: 0, end: 0 };
  const times = ends.map(({ time }) => time);
  return { start: Math.min(...times), end: Math.max(...times) };
}

/** Stands before the first point, and before that behind a gap: no line leads from it. */
const NO_POINT = { column: 0, time: Number.NEGATIVE_INFINITY, value: 0 };

/** Cuts the line through points into columns of equal time; keeps every peak. */
export function toSpans(
  { points, longestStepMs }: Pick<Chart, 'points' | 'longestStepMs'>,
  columns: number,
  { start, end }: TimeSpan,
): Spans {
  const low = new Float64Array(columns).fill(Number.NaN);
  const high = new Float64Array(columns).fill(Number.NaN);
  const scale = (columns - 1) / (end - start || 1);
  const cover = (column: number, value: number) => {
    if (!(value >= Number(low[column]))) low[column] = value;
    if (!(value <= Number(high[column]))) high[column] = value;
  };
  let before = NO_POINT;
  for (const { time, value } of points) {
    if (value === undefined) {
      before = NO_POINT;
      continue;
    }
    const column = Math.round((time - start) * scale);
    cover(column, value);
    const isJoined = time - before.time <= longestStepMs;
    for (let at = before.column; isJoined && at < column; at += 1) {
      // Neighbouring columns meet half-way, so that the line never breaks.
      const share = (at - before.column + 0.5) / (column - before.column);
      const between = before.value + (value - before.value) * share;
      cover(at, between);
      cover(at + 1, between);
    }
    before = { column, time, value };
  }
  return { low, high };
}

type Dots = (x: number, y: number) => boolean;

/** The bits of the eight dots, from top to bottom, first those on the left. */
const BRAILLE = [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80];

/** The glyphs of terminals with Unicode. */
export const UNICODE = {
  dotsWide: 2,
  dotsHigh: 4,
  character(isDrawn: Dots): string {
    const dots = BRAILLE.filter((_, index) => isDrawn(Math.floor(index / 4), index % 4));
    const bits = dots.reduce((sum, bit) => sum + bit, 0);
    return bits === 0 ? ' ' : String.fromCharCode(0x2800 + bits);
  },
  tick: ' ┤',
  wall: ' │',
  corner: ' └',
  floor: '─',
  mark: '┬',
};

/** The characters of plots and axes. */
export type Glyphs = typeof UNICODE;

export const ASCII: Glyphs = {
  dotsWide: 1,
  dotsHigh: 1,
  character: (isDrawn) => (isDrawn(0, 0) ? '*' : ' '),
  tick: ' +',
  wall: ' |',
  corner: ' +',
  floor: '-',
  mark: '+',
};

interface PlotSize {
  readonly rows: number;
  readonly bottom: number;
  readonly top: number;
}

/** Draws the rows of a plot, from the top down. */
export function rasterize(
  { low, high }: Spans,
  { dotsWide, dotsHigh, character }: Glyphs,
  { rows, bottom, top }: PlotSize,
): string[] {
  const last = rows * dotsHigh - 1;
  const toDot = (value: number) =>
    Math.min(last, Math.max(0, Math.round(((top - value) / (top - bottom || 1)) * last)));
  const highest = high.map(toDot);
  const lowest = low.map(toDot);
  const columns = Math.ceil(low.length / dotsWide);
  return Array.from({ length: rows }, (_row, row) =>
    Array.from({ length: columns }, (_column, column) =>
      character((x, y) => {
        const place = column * dotsWide + x;
        const dot = row * dotsHigh + y;
        // NaN is neither above nor below.
        return dot >= Number(highest[place]) && dot <= Number(lowest[place]);
      }),
    ).join(''),
  );
}
