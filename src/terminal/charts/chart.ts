import { textColumns, type View } from '../capabilities.ts';
import { formatTick, roundInstants } from '../dates.ts';
import { fill, type Line, lineWidth, maxWidth, safePieces, wrap } from '../layout/flow.ts';
import { formatTicks, formatValue, plural, scaleTicks } from '../numbers.ts';
import { INDENT, type Kit } from '../paint.ts';
import { safeLine } from '../safe-text.ts';
import { type Chart, date, dim, type Figures, type Styled } from '../screen.ts';
import { mostVarying, type Spans, spansOf, type TimeSpan, timeOf } from './plot.ts';

const TALL_ROWS = 8;
const LOW_ROWS = 4;
/** More charts than this are low. */
const MAX_TALL = 3;
/** Rows of a terminal for what stands around the charts: headings, the span of the points, the prompt. */
const ROWS_AROUND = 7;
/** From this width on, two charts stand beside each other. */
const TWO_COLUMNS = 120;
const BETWEEN = 2;
/** Most titles fit on one line of this width. */
const ONE_LINE_TITLE = 80;

/** Intervals of a scale; a low chart shows only its first and last tick. */
const INTERVALS = 4;

/** Fewer columns than this are described in words. */
const MIN_COLUMNS = 12;
/** Columns for one label of the time axis and the space around it. */
const TIME_LABEL_COLUMNS = 12;

/** A character has `dotsWide` × `dotsHigh` dots; bit 0 of `cell` is the top left, counting down, then right. */
const UNICODE = {
  dotsWide: 2,
  dotsHigh: 4,
  cell: (dots: number) => (dots === 0 ? ' ' : String.fromCharCode(0x2800 + brailleBits(dots))),
  ...{ tick: ' ┤', wall: ' │', corner: ' └', floor: '─', mark: '┬' },
};
const ASCII: typeof UNICODE = {
  dotsWide: 1,
  dotsHigh: 1,
  cell: (dots) => (dots === 0 ? ' ' : '*'),
  ...{ tick: ' +', wall: ' |', corner: ' +', floor: '-', mark: '+' },
};

/** `scale` is absent if the chart has no values, or only zeros. */
interface ScaledChart {
  readonly chart: Chart;
  readonly scale: Scale | undefined;
}

interface Scale {
  readonly figures: Figures;
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
}

/** Shared by all charts of a block, so that they line up. */
interface Frame {
  readonly rows: number;
  /** Columns of a whole chart. */
  readonly width: number;
  readonly labelWidth: number;
  readonly columns: number;
  readonly time: TimeSpan;
}

/**
 * Draws charts over one time axis, or describes them if drawings are unwanted or do not fit. With `all`, which says how
 * to see every chart, a terminal too low for them shows those that vary most.
 */
export function drawCharts(given: readonly Chart[], all: string | undefined, kit: Kit): string[] {
  const { view, paint } = kit;
  const side = view.columns >= TWO_COLUMNS && given.length > 1 ? 2 : 1;
  const room = view.tty && view.rows ? view.rows - ROWS_AROUND : Number.POSITIVE_INFINITY;
  const width = Math.floor((view.columns - (side - 1) * BETWEEN) / side);
  const titleRows = width < ONE_LINE_TITLE ? 2 : 1;
  const fits = (count: number, rows: number) => Math.ceil(count / side) * (titleRows + rows) + 2 <= room;
  const charts = all === undefined || view.accessible || fits(given.length, LOW_ROWS) ? given : mostVarying(given);
  const rows = charts.length <= MAX_TALL && fits(charts.length, TALL_ROWS + 1) ? TALL_ROWS : LOW_ROWS;
  const scaled = charts.map((chart): ScaledChart => ({ chart, scale: scaleOf(chart, rows === LOW_ROWS) }));
  const labelWidth = maxWidth(scaled.flatMap(({ scale }) => scale?.labels ?? []));
  const frame = { rows, width, labelWidth, columns: width - INDENT.length - labelWidth - 2, time: timeOf(charts) };
  if (view.accessible || frame.columns < MIN_COLUMNS) {
    return scaled.flatMap((one, index) => [
      ...(index === 0 ? [] : ['']),
      ...describe(one, view.tty ? width : textColumns(view), view).map(paint),
    ]);
  }
  const omitted = dim(`${charts.length} of ${given.length} series, those that vary most. ${all}`);
  const below = charts.length === given.length ? [] : wrap(safePieces(omitted, view), textColumns(view));
  return [...arrange(scaled, side, frame, view), ...below].map(paint);
}

/** Draws the charts row by row, `side` of them beside each other, with a time axis below the last of each column. */
function arrange(charts: readonly ScaledChart[], side: number, frame: Frame, view: View): Line[] {
  const lines: Line[] = [];
  const hasAxis = charts.some(({ scale }) => scale !== undefined);
  for (let start = 0; start < charts.length; start += side) {
    const row = charts.slice(start, start + side);
    const titles = row.map((one) => drawTitle(one, frame, view));
    const height = Math.max(...titles.map((title) => title.length));
    const blocks = row.map(({ chart, scale }, column) => [
      ...(titles[column] ?? []),
      ...Array.from({ length: height - (titles[column]?.length ?? 0) }, () => []),
      ...(scale === undefined ? [] : drawPlot(chart, scale, frame, view)),
      ...(hasAxis && start + column + side >= charts.length ? drawTimeAxis(frame, view) : []),
    ]);
    lines.push(...besideEachOther(blocks, frame.width + BETWEEN));
  }
  return lines;
}

function besideEachOther([left = [], right]: readonly (readonly Line[])[], width: number): readonly Line[] {
  if (right === undefined) return left;
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index): Line => {
    const line = left[index] ?? [];
    const gap: Styled = { text: ' '.repeat(Math.max(BETWEEN, width - lineWidth(line))), tone: 'plain' };
    return right[index] === undefined || right[index].length === 0 ? line : [...line, gap, ...right[index]];
  });
}

function scaleOf({ figures, unit }: Chart, isLow: boolean): Scale | undefined {
  if (figures === undefined) return undefined;
  const { min, max } = figures;
  if (min === 0 && max === 0) return undefined;
  const all = scaleTicks(min, max, INTERVALS, unit);
  const ticks = isLow ? [...all.slice(0, 1), ...all.slice(-1)] : all;
  return { figures, ticks, labels: formatTicks(ticks, unit).map(safeLine) };
}

function describe({ chart, scale }: ScaledChart, width: number, view: View): Line[] {
  const name: Styled = { text: chart.name, tone: 'strong' };
  const figures = chart.figures === undefined ? ['  no values'] : ['  always ', formatValue(0, chart.unit)];
  const words = scale === undefined ? [name, ...figures] : [name, ...describeFigures(chart, scale.figures)];
  return wrap(safePieces(words, view), width - INDENT.length).map(indented);
}

function describeFigures(
  { unit, points }: Chart,
  { count, gaps, min, avg, p95, max, last }: Figures,
): (string | Styled)[] {
  const measured = points.filter(({ value }) => value !== undefined);
  const [low, mean, most, high, end] = [min, avg, p95, max, last].map((value) => formatValue(value, unit));
  return [
    `: ${plural(count, 'value')} from `,
    date(measured[0]?.time),
    ' to ',
    date(measured.at(-1)?.time),
    `. Lowest ${low}, average ${mean}, 95% up to ${most}, highest ${high}, last ${end}.`,
    gaps > 0 ? ` ${plural(gaps, 'gap')}.` : '',
  ];
}

function drawTitle({ chart, scale }: ScaledChart, { width }: Frame, view: View): Line[] {
  if (scale === undefined) return describe({ chart, scale }, width, view);
  const { min, max, avg, p95, last } = scale.figures;
  const figures = Object.entries({ last, min, avg, p95, max }).map(
    ([label, value]): Line => [
      { text: `${label} `, tone: 'dim' },
      { text: safeLine(formatValue(value, chart.unit)), tone: 'plain' },
    ],
  );
  const name = safePieces({ text: chart.name, tone: 'strong' }, view);
  return fill([name, ...figures], width - INDENT.length).map(indented);
}

function indented(line: Line): Line {
  return [{ text: INDENT, tone: 'plain' }, ...line];
}

function drawPlot(chart: Chart, { ticks, labels }: Scale, frame: Frame, view: View): Line[] {
  const { rows, labelWidth, columns, time } = frame;
  const glyphs = view.unicode ? UNICODE : ASCII;
  // The same number of rows between any two ticks keeps the scale even.
  const stride = Math.max(1, Math.round((rows - 1) / (ticks.length - 1)));
  const spans = spansOf(chart, columns * glyphs.dotsWide, time);
  const lines = rasterize(spans, glyphs, stride * (ticks.length - 1) + 1, ticks[0] ?? 0, ticks.at(-1) ?? 1);
  return lines.map((line, index) => {
    const label = index % stride === 0 ? labels.at(-1 - index / stride) : undefined;
    const edge = (label ?? '').padStart(labelWidth) + (label === undefined ? glyphs.wall : glyphs.tick);
    return indented([
      { text: edge, tone: 'dim' },
      { text: line.trimEnd(), tone: 'accent' },
    ]);
  });
}

/** Returns the rows of characters from the top down. */
function rasterize(spans: Spans, glyphs: typeof UNICODE, rows: number, bottom: number, top: number): string[] {
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

/** Draws the line below the charts, with as many labels of round times as fit. */
function drawTimeAxis({ time: { start, end }, labelWidth, columns }: Frame, view: View): Line[] {
  const { corner, floor, mark } = view.unicode ? UNICODE : ASCII;
  // Off a terminal all times are UTC.
  const timeZone = view.tty ? view.timeZone : 'UTC';
  const { instants, stepMs } = roundInstants(start, end, Math.floor(columns / TIME_LABEL_COLUMNS), timeZone);
  const line = Array.from({ length: columns }, () => floor);
  let labels = '';
  // A span too short for a round time is labelled with its start.
  for (const at of instants.length === 0 ? [start] : instants) {
    const column = Math.round(((at - start) / (end - start || 1)) * (columns - 1));
    const label = formatTick(at, stepMs, timeZone);
    const left = Math.min(columns - label.length, Math.max(0, Math.round(column - label.length / 2)));
    if (labels !== '' && left <= labels.length) continue;
    line[column] = mark;
    labels = labels.padEnd(left) + label;
  }
  const edge = ' '.repeat(labelWidth);
  const lines = [`${edge}${corner}${line.join('')}`, `${edge}  ${labels}`];
  return lines.map((text) => indented([{ text, tone: 'dim' }]));
}
