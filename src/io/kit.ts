import type Table from 'cli-table3';
import type { Paint } from './paint.ts';
import type { View } from './view.ts';

/** What drawing a block needs. */
export interface Kit {
  readonly view: View;
  readonly paint: Paint;
  /** cli-table3, where a block is a table. */
  readonly Table: typeof Table | undefined;
}

/** Columns that everything below a heading stands in. */
export const INDENT = '  ';
