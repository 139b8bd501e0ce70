import { drawTable } from '../layout/table.ts';
import { INDENT, type Kit, maxWidth } from '../layout/text.ts';
import { formatRange, formatValue, isPercent } from '../numbers.ts';
import type { Block, Column, Series, Styled, Text } from '../screen.ts';
import { drawCharts } from './chart.ts';

/** Rare blocks that take much code to draw; this module is loaded only for them. */
export type HeavyBlock = Extract<Block, { kind: 'table' | 'series' | 'charts' }>;

/** Draws a block as lines. */
export function drawHeavyBlock(block: HeavyBlock, kit: Kit): string[] {
  switch (block.kind) {
    case 'table':
      return drawTable(block.table, kit);
    case 'series':
      return drawSeries(block, kit);
    case 'charts':
      return drawCharts(block.charts, block.options, kit);
  }
}

const FIGURES = ['last', 'min', 'avg', 'p95', 'max'] as const;
type Figure = (typeof FIGURES)[number];
const MAX_SPARKLINE = 40;
const MIN_SPARKLINE = 8;
const GAP = 2;

/** Draws a table of series, each with a sparkline and its figures. */
function drawSeries({ rows: series, span, what }: Extract<Block, { kind: 'series' }>, kit: Kit): string[] {
  const textOf = (row: Series, figure: Figure) => {
    const value = row[figure];
    return value === undefined ? '' : formatValue(value, row.unit);
  };
  const nameWidth = maxWidth(series.map(({ name }) => name));
  const usedBy = (figures: readonly Figure[]) => {
    const widths = figures.map((figure) => maxWidth([figure, ...series.map((row) => textOf(row, figure))]));
    return INDENT.length + nameWidth + widths.reduce((sum, width) => sum + width + GAP, 0);
  };
  const all = FIGURES.filter((figure) => series.some((row) => row[figure] !== undefined));
  const fewer = all.filter((figure) => figure !== 'avg' && figure !== 'p95');
  const isNarrow = usedBy(all) > kit.view.columns && usedBy(fewer) <= kit.view.columns;
  const known = isNarrow && !kit.view.accessible ? fewer : all;
  const used = usedBy(known);
  const dash = kit.view.unicode ? '–' : '-';
  const ranges = known.includes('min') ? [] : series.map(({ range, unit }) => range && formatRange(range, unit, dash));
  const rangeName = `min${dash}max`;
  const rangeWidth = maxWidth([rangeName, ...ranges.map((range = '') => range)]) + GAP;
  const free = kit.view.columns - used - GAP;
  const least = Math.max(MIN_SPARKLINE, span.length);
  const hasSparklines = free >= least && !kit.view.accessible;
  const hasRanges = ranges.some(Boolean) && (kit.view.accessible || free - rangeWidth >= least);
  const room = Math.min(MAX_SPARKLINE, hasRanges ? free - rangeWidth : free);
  const head: Column[] = [
    { name: what, whole: true },
    ...(hasSparklines ? [{ name: span, whole: true }] : []),
    ...(hasRanges ? [{ name: rangeName, align: 'right', whole: true } as const] : []),
    ...known.map((name): Column => ({ name, align: 'right', whole: true })),
  ];
  const rows = series.map((row, index): Text[] => [
    row.name,
    ...(hasSparklines ? [sparkline(row.points, room, kit.view.unicode, row.unit)] : []),
    ...(hasRanges ? [ranges[index] ?? ''] : []),
    ...known.map((figure) => textOf(row, figure)),
  ]);
  return drawTable({ head, rows }, kit);
}

/** Without the full block, which would touch the row above. */
const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];
const ASCII_BARS = ['_', '.', '-', '=', '+', '*', '#'];

/** Draws points in one line of at most `columns` characters, percentages from 0 to 100; a gap is a space. */
export function sparkline(
  points: readonly (number | undefined)[],
  columns: number,
  unicode: boolean,
  unit?: string,
): Styled {
  const levels = averages(points, Math.min(columns, points.length));
  const known = levels.filter((level) => level !== undefined);
  const ends = isPercent(unit) ? [0, 100] : [];
  const [low, high] = [Math.min(...known, ...ends), Math.max(...known, ...ends)];
  const bars = unicode ? BARS : ASCII_BARS;
  const barOf = (level: number | undefined) => {
    if (level === undefined) return ' ';
    const share = high === low ? 0 : (level - low) / (high - low);
    return bars[Math.round(share * (bars.length - 1))];
  };
  return { text: levels.map(barOf).join(''), tone: 'accent' };
}

/** Returns the means of `count` equal parts of the points. */
function averages(points: readonly (number | undefined)[], count: number): (number | undefined)[] {
  return Array.from({ length: count }, (_, part) => {
    const [start, end] = [part, part + 1].map((index) => Math.floor((index * points.length) / count));
    const values = points.slice(start, end).filter((value) => value !== undefined && Number.isFinite(value));
    return values.length === 0
      ? undefined
      : values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;
  });
}
