import { widthOf } from '../layout/flow.ts';
import { drawTable } from '../layout/table.ts';
import { formatValue } from '../numbers.ts';
import { INDENT, type Kit } from '../paint.ts';
import type { Block, Column, Series } from '../screen.ts';
import type { Styled, Text } from '../text.ts';
import { drawCharts } from './chart.ts';

const FIGURES = ['last', 'min', 'avg', 'p95', 'max'] as const;
const WIDEST_SPARK = 40;
/** A drawing with fewer columns says nothing. */
const NARROWEST_SPARK = 8;
const GAP = 2;

/** The full block is left out: it would touch the row above. */
const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];
const ASCII_BARS = ['_', '.', '-', '=', '+', '*', '#'];

/** A table of series: a small drawing of each, and its figures. */
function drawSeries(series: readonly Series[], kit: Kit): string[] {
  const known = FIGURES.filter((figure) => series.some((row) => row[figure] !== undefined));
  const rows = series.map((row) => ({ row, figures: known.map((figure) => figureOf(row, figure)) }));
  const names = widest(series.map(({ name }) => name));
  const figureWidths = known.map((figure, index) =>
    widest([figure, ...rows.map(({ figures }) => figures[index] ?? '')]),
  );
  const used = INDENT.length + names + figureWidths.reduce((sum, width) => sum + width + GAP, 0);
  const room = Math.min(WIDEST_SPARK, kit.view.columns - used - GAP);
  const draws = room >= NARROWEST_SPARK && !kit.view.accessible;
  const head: (string | Column)[] = [
    { name: 'series', whole: true },
    ...(draws ? [{ name: '', whole: true }] : []),
    ...known.map((name): Column => ({ name, align: 'right', whole: true })),
  ];
  return drawTable(
    {
      head,
      rows: rows.map(({ row, figures }): Text[] => [
        row.name,
        ...(draws ? [sparkline(row.points, room, kit.view.unicode)] : []),
        ...figures,
      ]),
    },
    kit,
  );
}

/** A drawing one line high; a gap is a space. */
export function sparkline(points: readonly (number | undefined)[], columns: number, unicode: boolean): Styled {
  const levels = averages(points, Math.min(columns, points.length));
  const known = levels.filter((level) => level !== undefined);
  const low = known.reduce((least, level) => Math.min(least, level), Number.POSITIVE_INFINITY);
  const high = known.reduce((most, level) => Math.max(most, level), Number.NEGATIVE_INFINITY);
  const bars = unicode ? BARS : ASCII_BARS;
  const barOf = (level: number | undefined) => {
    if (level === undefined) return ' ';
    const share = high === low ? 0 : (level - low) / (high - low);
    return bars[Math.round(share * (bars.length - 1))];
  };
  return { text: levels.map(barOf).join(''), tone: 'accent' };
}

/** The mean of each part of the points, in `count` parts of equal length. */
function averages(points: readonly (number | undefined)[], count: number): (number | undefined)[] {
  return Array.from({ length: count }, (_, part) => {
    const end = Math.floor(((part + 1) * points.length) / count);
    let sum = 0;
    let values = 0;
    for (let index = Math.floor((part * points.length) / count); index < end; index += 1) {
      const value = points[index];
      if (value === undefined || !Number.isFinite(value)) continue;
      sum += value;
      values += 1;
    }
    return values === 0 ? undefined : sum / values;
  });
}

function figureOf(row: Series, figure: (typeof FIGURES)[number]): string {
  const value = row[figure];
  return value === undefined ? '' : formatValue(value, row.unit);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

/** Blocks that few results have, and that take the most code: loaded where there is one. */
export type Drawing = Extract<Block, { kind: 'table' | 'series' | 'charts' }>;

/** The lines of a drawing. */
export function drawDrawing(block: Drawing, kit: Kit): string[] {
  switch (block.kind) {
    case 'table':
      return drawTable(block.table, kit);
    case 'series':
      return drawSeries(block.rows, kit);
    case 'charts':
      return drawCharts(block.charts, kit);
  }
}
