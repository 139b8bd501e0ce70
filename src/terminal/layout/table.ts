import { stripVTControlCharacters } from 'node:util';
import { formatCount } from '../numbers.ts';
import { type Column, dim, type FieldRow, type TableOptions } from '../screen.ts';
import { drawFields } from './fields.ts';
import { cut, fold, INDENT, type Kit, maxWidth, paintText, widthOf } from './text.ts';

const GAP = 2;
/** Rows to draw with cli-table3 at a time: its time grows with their square. */
const BATCH = 200;
/** Columns are not shortened below this. */
const MIN_CELL = 8;
/** Columns whose texts go on below are not made narrower than this as long as others can be left out. */
const MIN_WRAPPED = 20;

const NO_BORDERS = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);

/**
 * Draws rows under heads without borders. If the columns do not fit, leaves out those that can be spared, and says so; if
 * they still do not, draws the rows as fields below each other.
 */
export function drawTable({ head, rows, max, alone }: TableOptions, kit: Kit): string[] {
  const first = rows.slice(0, max ?? rows.length);
  // Leave out empty columns.
  const used = head.map(
    (_, index) => alone !== undefined || first.length === 0 || first.some((row) => (row[index] ?? '') !== ''),
  );
  const columns = head.filter((_, index) => used[index]).map((name) => (typeof name === 'string' ? { name } : name));
  const shown = first.map((row) => row.filter((_, index) => used[index]));
  const look = { indent: alone === undefined ? INDENT : '', header: alone?.header ?? true };
  const table = look.header && kit.view.accessible ? undefined : fitTable(columns, shown, kit, look);
  const lines = table?.lines ?? drawStacked(columns, shown, kit);
  const notes =
    table === undefined || table.leftOut.length === 0 ? [] : [`Left out: ${table.leftOut.join(', ')} (--json)`];
  if (rows.length > shown.length) notes.push(`${formatCount(shown.length)} of ${formatCount(rows.length)} shown`);
  return [...lines, ...notes.map((note) => INDENT + paintText(dim(note), kit))];
}

type Rows = ReadonlyArray<ReadonlyArray<TableOptions['rows'][number][number]>>;

/** Returns the lines of a table that fits, with the names of the columns that had to go; undefined if none fits. */
function fitTable(columns: readonly Column[], rows: Rows, kit: Kit, look: Omit<Look, 'leastWrapped'>) {
  const spare = columns.filter((one) => one.spare !== undefined).sort((a, b) => (a.spare ?? 0) - (b.spare ?? 0));
  const ways = [...[0, ...spare.keys()].map((_, count) => [count, MIN_WRAPPED]), [spare.length, MIN_CELL]];
  for (const [count = 0, leastWrapped = MIN_CELL] of ways) {
    const out = spare.slice(0, count);
    const kept = columns.flatMap((column, index) => (out.includes(column) ? [] : [index]));
    const beside = rows.map((row) => kept.map((index) => row[index]));
    const of = kept.map((index) => columns[index] ?? { name: '' });
    const lines = drawBeside(of, beside, kit, { ...look, leastWrapped });
    if (lines !== undefined) return { lines, leftOut: out.map(({ name }) => name.toLowerCase()) };
  }
  return undefined;
}

function drawBeside(columns: readonly Column[], rows: Rows, kit: Kit, look: Look): string[] | undefined {
  const cells = rows.map((row, above) =>
    columns.map(({ once }, index) => {
      const isAbove = once === true && kit.view.tty && row[index] === rows[above - 1]?.[index];
      return paintText(isAbove ? '' : (row[index] ?? ''), { ...kit, view: { ...kit.view, links: false } });
    }),
  );
  const widths = widthsOf(columns, cells, kit, look);
  return widths && drawColumns(columns, cells, widths, kit, look);
}

interface Look {
  readonly indent: string;
  readonly header: boolean;
  /** See {@link MIN_WRAPPED}. */
  readonly leastWrapped: number;
}

/**
 * Returns widths that fit, or `undefined` if the rows must be stacked, which needs names. Off a terminal a row is one line,
 * however long.
 */
function widthsOf(
  columns: readonly Column[],
  cells: readonly string[][],
  { view }: Kit,
  { indent, header, leastWrapped }: Look,
): number[] | undefined {
  const room = view.columns - indent.length - GAP * (columns.length - 1);
  const needs = columns.map(({ name, whole, wraps }, index) => {
    const natural = Math.max(header ? name.length : 1, maxWidth(cells.map((row) => row[index] ?? '')));
    if (whole || !view.tty) return { natural, least: natural };
    const least = Math.min(natural, Math.max(wraps ? leastWrapped : MIN_CELL, name.length));
    return { natural, least };
  });
  if (!view.tty || !header) return needs.map(({ natural }) => natural);
  return fitColumns(columns, needs, room);
}

/**
 * Shrinks columns until all fit into `room`: first those that wrap, as nothing of them is lost, then the widest. Returns
 * `undefined` if they cannot.
 */
function fitColumns(
  columns: readonly Column[],
  needs: ReadonlyArray<{ readonly natural: number; readonly least: number }>,
  room: number,
): number[] | undefined {
  const widths = needs.map(({ natural, least }) => Math.max(least, Math.min(natural, room)));
  const canShrink = (width: number, index: number) => width > (needs[index]?.least ?? 0);
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess -= 1) {
    const yielding = widths.findLastIndex((width, at) => columns[at]?.wraps && canShrink(width, at));
    const widest = Math.max(...widths.filter(canShrink));
    const index = yielding >= 0 ? yielding : widths.findIndex((width, at) => width === widest && canShrink(width, at));
    if (index === -1) return undefined;
    widths[index] = (widths[index] ?? 0) - 1;
  }
  return widths;
}

function drawColumns(
  columns: readonly Column[],
  cells: readonly string[][],
  widths: readonly number[],
  kit: Kit,
  { indent, header }: Look,
): string[] {
  const linesOf = (cell: string, index: number) => {
    const width = widths[index] ?? 0;
    const wraps = columns[index]?.wraps === true && kit.view.tty && widthOf(cell) > width;
    return wraps ? fold(stripVTControlCharacters(cell), width) : [cut(cell, width, kit)];
  };
  const heads = columns.map(({ name }) => paintText(dim(name.toUpperCase()), kit));
  const rows = [...(header ? [heads] : []), ...cells.flatMap((row) => beside(row.map(linesOf)))];
  const lines: string[] = [];
  for (let at = 0; at < rows.length; at += BATCH) {
    for (const line of drawBatch(rows.slice(at, at + BATCH), columns, widths, kit)) lines.push(line);
  }
  return lines.map((line) => `${indent}${line}`.trimEnd());
}

/**
 * Lays cells out with cli-table3. It measures marks, emoji and wide letters wrongly, so it gets characters of one column
 * in place of each cell, which safe text never contains.
 */
function drawBatch(
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
  widths: readonly number[],
  { Table }: Kit,
): string[] {
  if (Table === undefined) throw new Error('cli-table3 was not loaded for a table');
  const table = new Table({
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
    colWidths: widths.map((width) => width + GAP),
    colAligns: columns.map(({ align = 'left' }) => align),
  });
  const all = rows.flat();
  const cells = all.filter((cell) => widthOf(cell) > 0).values();
  table.push(...rows.map((row) => row.map((cell) => standInOf(widthOf(cell)))));
  return table
    .toString()
    .replace(STAND_IN, () => cells.next().value ?? '')
    .split('\n');
}

const STAND_IN = /\ue001\ue002*/g;

function standInOf(width: number): string {
  return width === 0 ? '' : `\ue001${'\ue002'.repeat(width - 1)}`;
}

/** Puts cells of several lines beside each other: as many rows as the longest has lines. */
function beside(cells: readonly (readonly string[])[]): string[][] {
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => cells.map((lines) => lines[at] ?? ''));
}

function drawStacked(columns: readonly Column[], rows: TableOptions['rows'], kit: Kit): string[] {
  return rows.flatMap((row, index) => {
    const fields = columns.map(({ name }, at): FieldRow => [name, row[at] ?? '']).filter(([, value]) => value !== '');
    const marks = fields.filter(([name]) => name === '').map(([, value]) => INDENT + paintText(value, kit));
    const named = fields.filter(([name]) => name !== '');
    return [...(index === 0 ? [] : ['']), ...marks, ...drawFields(named, kit)];
  });
}
