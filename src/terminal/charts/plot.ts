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
  const starts = charts.flatMap(({ points }) => points[0]?.time ?? []);
  const ends = charts.flatMap(({ points }) => points.at(-1)?.time ?? []);
  if (starts.length === 0) return { start: 0, end: 0 };
  return { start: Math.min(...starts), end: Math.max(...ends) };
}

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
    if (!(value >= (low[column] ?? Number.NaN))) low[column] = value;
    if (!(value <= (high[column] ?? Number.NaN))) high[column] = value;
  };
  let before:
    | { readonly column: number; readonly time: number; readonly value: number }
    | undefined;
  for (const { time, value } of points) {
    if (value === undefined) {
      before = undefined;
      continue;
    }
    const column = Math.round((time - start) * scale);
    cover(column, value);
    const isJoined = before !== undefined && time - before.time <= longestStepMs;
    for (let at = before?.column ?? 0; isJoined && before && at < column; at += 1) {
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

/** The places of the eight dots, as Unicode numbers them: the fourth row is last. */
const BRAILLE = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const;

const UNICODE = {
  dotsWide: 2,
  dotsHigh: 4,
  character(isDrawn: Dots): string {
    const bits = BRAILLE.reduce((sum, [x, y], index) => sum + (isDrawn(x, y) ? 1 << index : 0), 0);
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

const ASCII: Glyphs = {
  dotsWide: 1,
  dotsHigh: 1,
  character: (isDrawn) => (isDrawn(0, 0) ? '*' : ' '),
  tick: ' +',
  wall: ' |',
  corner: ' +',
  floor: '-',
  mark: '+',
};

export function getGlyphs({ unicode }: { readonly unicode: boolean }): Glyphs {
  return unicode ? UNICODE : ASCII;
}

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
        return dot >= (highest[place] ?? Number.NaN) && dot <= (lowest[place] ?? Number.NaN);
      }),
    ).join(''),
  );
}
