import { drawTable } from '../layout/table.ts';
import { type DrawContext, INDENT, maxWidth } from '../layout/text.ts';
import { formatRange, formatValue, isPercent, widenScale } from '../numbers.ts';
import type { Block, Column, Series, Styled, Text } from '../screen.ts';
import { drawCharts } from './chart.ts';

/** Blocks that are rare and take much code to draw: this module is loaded for them only. */
export type HeavyBlock = Extract<Block, { kind: 'table' | 'series' | 'charts' }>;

/** Draws a block as lines. */
export function drawHeavyBlock(block: HeavyBlock, context: DrawContext): string[] {
  switch (block.kind) {
    case 'table':
      return drawTable(block.table, context);
    case 'series':
      return drawSeries(block, context);
    case 'charts':
      return drawCharts(block.charts, block.options, context);
  }
}

const FIGURES = ['last', 'min', 'avg', 'p95', 'max'] as const;
const MAX_SPARKLINE = 40;
const MIN_SPARKLINE = 8;
const GAP = 2;

interface Part extends Column {
  readonly cells: readonly Text[];
}

function drawSeries(
  { rows: series, span, what }: Extract<Block, { kind: 'series' }>,
  context: DrawContext,
): string[] {
  const { columns, accessible, unicode } = context.view;
  const partOf = (
    name: string,
    textOf: (row: Series) => string,
    align: Column['align'] = 'right',
  ) => {
    const cells = series.map(textOf);
    return { name, align, whole: true, cells, width: maxWidth([name, ...cells]) + GAP };
  };
  const names = partOf(what, ({ name }) => name, 'left');
  const all = FIGURES.filter((figure) => series.some((row) => row[figure] !== undefined)).map(
    (figure) =>
      partOf(figure, ({ [figure]: value, unit }) =>
        value === undefined ? '' : formatValue(value, unit),
      ),
  );
  const fewer = all.filter(({ name }) => name !== 'avg' && name !== 'p95');
  const freeBeside = (parts: readonly { readonly width: number }[]) =>
    parts.reduce((free, { width }) => free - width, columns - INDENT.length - names.width);
  const isNarrow = !accessible && freeBeside(all) < -GAP && freeBeside(fewer) >= -GAP;
  const figures = isNarrow ? fewer : all;
  const dash = unicode ? '–' : '-';
  const ranges = partOf(`min${dash}max`, ({ range, unit }) =>
    range ? formatRange(range, unit, dash) : '',
  );
  const [free, least] = [freeBeside(figures), Math.max(MIN_SPARKLINE, span.length)];
  const isRange = ranges.cells.some(Boolean) && !figures.some(({ name }) => name === 'min');
  const hasRanges = isRange && (accessible || free - ranges.width >= least);
  const room = Math.min(MAX_SPARKLINE, hasRanges ? free - ranges.width : free);
  const lines = series.map((row) => sparkline(row.points, room, unicode, row));
  const parts: Part[] = [
    names,
    ...(free >= least && !accessible ? [{ name: span, whole: true, cells: lines }] : []),
    ...(hasRanges ? [ranges] : []),
    ...figures,
  ];
  return drawTable(
    { head: parts, rows: series.map((_, index) => parts.map(({ cells }) => cells[index])) },
    context,
  );
}

/** Without the full block, which would touch the row above. */
const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];
const ASCII_BARS = ['_', '.', '-', '=', '+', '*', '#'];

/** Draws points in one line, percentages from 0 to 100; a gap is a space. */
export function sparkline(
  points: readonly (number | undefined)[],
  columns: number,
  unicode: boolean,
  { unit, areErrors = false }: Pick<Series, 'unit' | 'areErrors'> = {},
): Styled {
  const levels = averages(points, Math.min(columns, points.length));
  const known = levels.filter((level) => level !== undefined);
  const ends = isPercent(unit) ? [0, 100] : [];
  const zero = areErrors ? [0] : [];
  const all = [...known, ...ends, ...zero];
  const [low, high] = widenScale(Math.min(...all), Math.max(...all));
  const bars = unicode ? BARS : ASCII_BARS;
  const barOf = (level: number | undefined) => {
    if (level === undefined) return ' ';
    const share = high === low ? 0 : (level - low) / (high - low);
    return bars[Math.round(share * (bars.length - 1))];
  };
  const isBad = areErrors && known.some((level) => level > 0);
  return { text: levels.map(barOf).join(''), tone: isBad ? 'bad' : 'accent' };
}

function averages(points: readonly (number | undefined)[], count: number): (number | undefined)[] {
  const startOf = (part: number) => Math.floor((part * points.length) / count);
  return Array.from({ length: count }, (_, part) => {
    const values = points.slice(startOf(part), startOf(part + 1)).flatMap((value) => value ?? []);
    return values.length === 0
      ? undefined
      : values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}
