import { formatValue, isPercent, widenScale } from '../format.ts';
import { drawTable } from '../layout/table.ts';
import { type DrawContext, INDENT, maxWidth } from '../layout/text.ts';
import {
  type ChartOptions,
  type Column,
  FIGURE_SETS,
  type Series,
  type SeriesOptions,
  type Styled,
  type Text,
} from '../screen.ts';

const MIN_SPARKLINE = 8;
const MAX_SPARKLINE = 40;
const GAP = 2;

interface SeriesColumn extends Column {
  readonly cells: readonly Text[];
  /** The width of the widest cell, and of the gap behind it. */
  readonly width: number;
}

/** Draws the figures of charts in place of their plots. */
export function drawFigures({ charts }: ChartOptions, context: DrawContext): string[] {
  const rows = charts.map(({ name, unit, figures }) => ({ name, unit, points: [], ...figures }));
  return drawSeries({ rows }, context);
}

/** Draws a row for each series: its name, a line that shows its course, and its figures. */
export function drawSeries(
  { rows, span = '', what = 'series' }: SeriesOptions,
  context: DrawContext,
): string[] {
  const { columns, accessible, unicode } = context.view;
  const names = rows.map(({ name }) => name);
  const parts = [createColumn(what, names, 'left')];
  const hasLine = !accessible && rows.some(({ points }) => points.length > 0);
  const least = hasLine ? Math.max(MIN_SPARKLINE, span.length) : 0;
  const room = accessible ? Number.POSITIVE_INFINITY : columns - INDENT.length - sumWidths(parts);
  const figures = chooseFigures(rows, room - least);

  const free = Math.min(MAX_SPARKLINE, room - sumWidths(figures));
  if (hasLine && free >= least) {
    const cells = rows.map((row) => drawSparkline(row, free, unicode));
    parts.push({ name: span, whole: true, cells, width: free });
  }
  parts.push(...figures);

  const cells = rows.map((_, index) => parts.map((part) => part.cells[index]));
  return drawTable({ head: parts, rows: cells }, context);
}

/** Returns a column for each figure that some series has, or fewer if not all have room. */
function chooseFigures(rows: readonly Series[], room: number): SeriesColumn[] {
  const sets = FIGURE_SETS.map((names) =>
    names
      .filter((figure) => rows.some((row) => row[figure] !== undefined))
      .map((figure) => {
        const cells = rows.map(({ [figure]: value, unit }) =>
          value === undefined ? '' : formatValue(value, unit),
        );
        return createColumn(figure, cells);
      }),
  );
  return sets.find((columns) => sumWidths(columns) <= room) ?? sets.at(-1) ?? [];
}

function createColumn(
  name: string,
  cells: readonly string[],
  align: Column['align'] = 'right',
): SeriesColumn {
  return { name, align, whole: true, cells, width: maxWidth([name, ...cells]) + GAP };
}

function sumWidths(columns: readonly SeriesColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** The full block is left out, because it would touch the row above. */
const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];
const ASCII_BARS = ['_', '.', '-', '=', '+', '*', '#'];

type Points = Series['points'];

/** Draws points as bars in one line, percentages from 0 to 100; a gap is a space. */
export function drawSparkline(
  { points, unit, areErrors = false }: Omit<Series, 'name'>,
  columns: number,
  unicode: boolean,
): Styled {
  const bars = unicode ? BARS : ASCII_BARS;
  const levels = averageParts(points, Math.min(columns, points.length));
  const scale = levels.filter((level) => level !== undefined);
  const isBad = areErrors && scale.some((level) => level > 0);
  if (isPercent(unit)) scale.push(0, 100);
  if (areErrors) scale.push(0);
  const [low, high] = widenScale(Math.min(...scale), Math.max(...scale));

  const characters = levels.map((level) => {
    if (level === undefined) return ' ';
    const share = high === low ? 0 : (level - low) / (high - low);
    return bars[Math.round(share * (bars.length - 1))];
  });
  return { text: characters.join(''), tone: isBad ? 'bad' : 'accent' };
}

/** Cuts points into parts of about the same size, and averages each; a part of gaps stays one. */
function averageParts(points: Points, count: number): Points {
  return Array.from({ length: count }, (_, part) => {
    const start = Math.floor((part * points.length) / count);
    const end = Math.floor(((part + 1) * points.length) / count);
    const values = points.slice(start, end).filter((value) => value !== undefined);
    if (values.length === 0) return undefined;
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}
