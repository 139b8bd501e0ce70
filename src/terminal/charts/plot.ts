import type { Chart } from '../screen.ts';

/** The lowest and highest value in each column of a plot; NaN for a gap. */
interface Spans {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** In milliseconds since the epoch. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** The times of the first and the last point; 0 without points. */
export function getTimeSpan(charts: readonly Pick<Chart, 'points'>[]): TimeSpan {
  const drawn = charts.flatMap(({ points }) =>
    points.length === 0 ? [] : [[points[0]?.time, points.at(-1)?.time]],
  );
  if (drawn.length === 0) return { start: 0, end: 0 };
  return {
    start: Math.min(...drawn.map(([first = 0]) => first)),
    end: Math.max(...drawn.map(([, last = 0]) => last)),
  };
}

/** Cuts the line through points into columns of equal time; keeps every peak. */
export function toSpans(
  { points, longestStepMs }: Pick<Chart, 'points' | 'longestStepMs'>,
  columns: number,
  time: TimeSpan,
): Spans {
  const low = new Float64Array(columns).fill(Number.NaN);
  const high = new Float64Array(columns).fill(Number.NaN);
  const scale = (columns - 1) / (time.end - time.start || 1);
  const cover = (column: number, value: number) => {
    if (!(value >= (low[column] ?? Number.NaN))) low[column] = value;
    if (!(value <= (high[column] ?? Number.NaN))) high[column] = value;
  };
  let before: { readonly column: number; readonly at: number; readonly value: number } | undefined;
  for (const { time: at, value } of points) {
    if (value === undefined) {
      before = undefined;
      continue;
    }
    const column = Math.round((at - time.start) * scale);
    cover(column, value);
    if (before !== undefined && at - before.at <= longestStepMs) {
      const steps = column - before.column;
      // Neighbouring columns meet half-way, so that the line never breaks.
      for (let step = 0; step < steps; step += 1) {
        const between = before.value + ((value - before.value) * (step + 0.5)) / steps;
        cover(before.column + step, between);
        cover(before.column + step + 1, between);
      }
    }
    before = { column, at, value };
  }
  return { low, high };
}

type Dots = (x: number, y: number) => boolean;

/** The places of the eight dots, as Unicode numbers them: the fourth row is last. */
const BRAILLE = [0, 1, 2, 3, 4, 5, 6, 7].map((dot) =>
  dot < 6 ? ([Math.floor(dot / 3), dot % 3] as const) : ([dot - 6, 3] as const),
);

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
type Glyphs = typeof UNICODE;
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

/** The characters for plots and axes. */
export function getGlyphs({ unicode }: { readonly unicode: boolean }): Glyphs {
  return unicode ? UNICODE : ASCII;
}

/** Draws the rows of a plot, from the top down. */
export function rasterize(
  { low, high }: Spans,
  glyphs: Glyphs,
  rows: number,
  bottom: number,
  top: number,
): string[] {
  const { dotsWide, dotsHigh, character } = glyphs;
  const last = rows * dotsHigh - 1;
  const dotOf = (value: number) =>
    Math.min(last, Math.max(0, Math.round(((top - value) / (top - bottom || 1)) * last)));
  const [from, to] = [high.map(dotOf), low.map(dotOf)];
  const rowOf = (row: number) =>
    Array.from({ length: Math.ceil(low.length / dotsWide) }, (_, column) =>
      character((x, y) => {
        const [place, dot] = [column * dotsWide + x, row * dotsHigh + y];
        // NaN is neither above nor below.
        return dot >= (from[place] ?? Number.NaN) && dot <= (to[place] ?? Number.NaN);
      }),
    );
  return Array.from({ length: rows }, (_, row) => rowOf(row).join(''));
}
