import { drawCharts } from './chart.ts';
import type { Kit } from './kit.ts';
import type { Block } from './screen.ts';
import { drawSeries } from './series.ts';
import { drawTable } from './table.ts';

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
