import { formatTick, roundInstants } from '../dates.ts';
import { fill, type Line, safePieces, widthOf, wrap } from '../layout/flow.ts';
import { formatTicks, formatValue, niceTicks, plural } from '../numbers.ts';
import { INDENT, type Kit } from '../paint.ts';
import { safeLine } from '../safe-text.ts';
import type { Chart, ChartPoint, Figures } from '../screen.ts';
import { date, type Styled } from '../text.ts';
import { type Spans, spansOf, type TimeSpan, timeOf } from './plot.ts';

/** How values become characters: how many dots a character holds, and how its dots are written. */
interface Pen {
  readonly dotsWide: number;
  readonly dotsHigh: number;
  /** The character for its dots, bit 0 at the top left, then down, then the next column. */
  readonly glyph: (dots: number) => string;
}

/** Eight dots in a character. */
const braillePen: Pen = {
  dotsWide: 2,
  dotsHigh: 4,
  glyph: (dots) => (dots === 0 ? ' ' : String.fromCharCode(0x2800 + brailleBits(dots))),
};

/** One dot in a character, for terminals that know ASCII only. */
const asciiPen: Pen = { dotsWide: 1, dotsHigh: 1, glyph: (dots) => (dots === 0 ? ' ' : '*') };

/** The drawing of a line, from the top row down. */
function rasterize(spans: Spans, pen: Pen, rows: number, bottom: number, top: number): string[] {
  const columns = Math.ceil(spans.low.length / pen.dotsWide);
  const cells = Array.from({ length: rows }, () => new Uint8Array(columns));
  const dots = rows * pen.dotsHigh;
  const dotOf = (value: number) => {
    const share = (top - value) / (top - bottom || 1);
    return Math.min(dots - 1, Math.max(0, Math.round(share * (dots - 1))));
  };
  for (let x = 0; x < spans.low.length; x += 1) {
    const high = spans.high[x] ?? Number.NaN;
    if (Number.isNaN(high)) continue;
    const end = dotOf(spans.low[x] ?? high);
    for (let y = dotOf(high); y <= end; y += 1) {
      const row = cells[Math.floor(y / pen.dotsHigh)];
      const column = Math.floor(x / pen.dotsWide);
      const bit = (x % pen.dotsWide) * pen.dotsHigh + (y % pen.dotsHigh);
      if (row !== undefined) row[column] = (row[column] ?? 0) | (1 << bit);
    }
  }
  return cells.map((row) => Array.from(row, pen.glyph).join(''));
}

/** Braille numbers its dots 1, 2, 3, 7 down the left and 4, 5, 6, 8 down the right. */
const BRAILLE_ORDER = [0, 1, 2, 6, 3, 4, 5, 7];

function brailleBits(dots: number): number {
  return BRAILLE_ORDER.reduce((bits, place, index) => bits | (((dots >> index) & 1) << place), 0);
}

/** Lines of a drawing: a few charts may be tall, many should be seen together. */
const TALL_ROWS = 8;
const LOW_ROWS = 4;
const MOST_TALL = 3;

/** Steps of a scale; a low drawing has room for the first and the last. */
const STEPS = 4;

/** Columns that a drawing needs; with fewer, words must do. */
const NARROWEST = 12;
/** A scale starts at zero where the lowest value is not above this share of the highest. */
const FROM_ZERO = 0.6;

/** A chart with what its drawing needs; `scale` is absent where it has no value. */
interface Prepared {
  readonly chart: Chart;
  readonly scale: Scale | undefined;
}

interface Scale {
  readonly figures: Figures;
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
}

/** What the charts below each other have in common. */
interface Frame {
  readonly rows: number;
  readonly labelWidth: number;
  readonly columns: number;
  readonly time: TimeSpan;
}

/** Lines over one axis of time, below each other; in words where drawings are not wanted or have no room. */
export function drawCharts(charts: readonly Chart[], kit: Kit): string[] {
  const rows = charts.length > MOST_TALL ? LOW_ROWS : TALL_ROWS;
  const prepared = charts.map((chart): Prepared => ({ chart, scale: scaleOf(chart, rows === LOW_ROWS) }));
  const labels = prepared.flatMap(({ scale }) => scale?.labels ?? []);
  const labelWidth = labels.reduce((widest, label) => Math.max(widest, widthOf(label)), 0);
  const columns = kit.view.columns - INDENT.length - labelWidth - 2;
  if (kit.view.accessible || columns < NARROWEST) return prepared.flatMap((one, index) => drawInWords(one, index, kit));
  const time = timeOf(pointsOf(charts));
  const frame = { rows, labelWidth, columns, time };
  const drawn = prepared.flatMap((one) => drawChart(one, frame, kit));
  const axis = labels.length === 0 ? [] : drawTimeAxis(time, labelWidth, columns, kit);
  return [...drawn, ...axis];
}

function scaleOf({ figures, unit }: Chart, isLow: boolean): Scale | undefined {
  if (figures === undefined) return undefined;
  const { min, max } = figures;
  const steps = niceTicks(min >= 0 && min <= max * FROM_ZERO ? 0 : min, max, STEPS, unit);
  const ticks = isLow ? [...steps.slice(0, 1), ...steps.slice(-1)] : steps;
  return { figures, ticks, labels: formatTicks(ticks, unit).map(safeLine) };
}

function* pointsOf(charts: readonly Chart[]): Iterable<ChartPoint> {
  for (const { points } of charts) yield* points;
}

function drawChart({ chart, scale }: Prepared, frame: Frame, kit: Kit): string[] {
  const name = safePieces({ text: chart.name, tone: 'strong' }, kit.view);
  if (scale === undefined) return drawWords([...name, '  no values'], kit);
  const title = fill([name, ...linesOf(scale.figures, chart.unit)], kit.view.columns - INDENT.length);
  return [...title.map((line) => INDENT + kit.paint(line)), ...drawPlot(chart, scale, frame, kit)];
}

function linesOf({ min, max, avg, last }: Figures, unit: string | undefined): Line[] {
  return Object.entries({ last, min, avg, max }).map(([label, value]) => [
    { text: `${label} `, tone: 'dim' },
    { text: safeLine(formatValue(value, unit)), tone: 'plain' },
  ]);
}

function drawInWords(one: Prepared, index: number, kit: Kit): string[] {
  return [...(index === 0 ? [] : ['']), ...drawWords(inWords(one), kit)];
}

function inWords({ chart, scale }: Prepared): (string | Styled)[] {
  const { name, unit, points } = chart;
  if (scale === undefined) return [{ text: name, tone: 'strong' }, '  no values'];
  const { count, gaps, min, avg, max, last } = scale.figures;
  const measured = points.filter(({ value }) => value !== undefined);
  const [low, mean, high, end] = [min, avg, max, last].map((value) => formatValue(value, unit));
  return [
    { text: name, tone: 'strong' },
    `: ${plural(count, 'value')} from `,
    date(measured[0]?.time),
    ' to ',
    date(measured.at(-1)?.time),
    `. Lowest ${low}, average ${mean}, highest ${high}, last ${end}.`,
    gaps > 0 ? ` ${plural(gaps, 'gap')}.` : '',
  ];
}

function drawWords(words: readonly (string | Styled)[], { view, paint }: Kit): string[] {
  return wrap(safePieces(words, view), view.columns - INDENT.length).map((line) => INDENT + paint(line));
}

function drawPlot(chart: Chart, { ticks, labels }: Scale, frame: Frame, { view, paint }: Kit): string[] {
  const { rows, labelWidth, columns, time } = frame;
  const pen = view.unicode ? braillePen : asciiPen;
  // As many rows between two ticks everywhere, so that the scale is even.
  const stride = Math.max(1, Math.round((rows - 1) / (ticks.length - 1)));
  const spans = spansOf(chart, columns * pen.dotsWide, time);
  const lines = rasterize(spans, pen, stride * (ticks.length - 1) + 1, ticks[0] ?? 0, ticks.at(-1) ?? 1);
  const { tick, wall } = view.unicode ? EDGES : ASCII_EDGES;
  return lines.map((line, index) => {
    const label = index % stride === 0 ? labels.at(-1 - index / stride) : undefined;
    const edge = (label ?? '').padStart(labelWidth) + (label === undefined ? wall : tick);
    const pieces = [
      { text: edge, tone: 'dim' },
      { text: line.trimEnd(), tone: 'accent' },
    ] as const;
    return INDENT + paint(pieces);
  });
}

const EDGES = { tick: ' ┤', wall: ' │' };
const ASCII_EDGES = { tick: ' +', wall: ' |' };

/** Columns for an instant's name and the space beside it. */
const ROOM = 12;

const LINES = { corner: ' └', floor: '─', mark: '┬' };
const ASCII_LINES = { corner: ' +', floor: '-', mark: '+' };

/** The ground of charts, with round instants below it as far as there is room. */
function drawTimeAxis({ start, end }: TimeSpan, labelWidth: number, columns: number, kit: Kit): string[] {
  const { corner, floor, mark } = kit.view.unicode ? LINES : ASCII_LINES;
  // A pipe shows every time in UTC.
  const timeZone = kit.view.tty ? kit.view.timeZone : 'UTC';
  const { instants, stepMs } = roundInstants(start, end, Math.floor(columns / ROOM), timeZone);
  const ground = Array.from({ length: columns }, () => floor);
  let names = '';
  // A time too short for a round instant is named after its start.
  for (const at of instants.length === 0 ? [start] : instants) {
    const column = Math.round(((at - start) / (end - start || 1)) * (columns - 1));
    const name = formatTick(at, stepMs, timeZone);
    const left = Math.min(columns - name.length, Math.max(0, Math.round(column - name.length / 2)));
    if (names !== '' && left <= names.length) continue;
    ground[column] = mark;
    names = names.padEnd(left) + name;
  }
  const edge = ' '.repeat(labelWidth);
  const lines = [`${edge}${corner}${ground.join('')}`, `${edge}  ${names}`];
  return lines.map((text) => INDENT + kit.paint([{ text, tone: 'dim' }]));
}
