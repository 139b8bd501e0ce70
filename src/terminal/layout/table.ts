import { stripVTControlCharacters } from 'node:util';
import widthOf from 'fast-string-width';
import { formatCount } from '../numbers.ts';
import { type Column, dim, type FieldRow, type TableOptions, type Text } from '../screen.ts';
import { cut, type DrawContext, drawFields, fold, INDENT, maxWidth, paintText } from './text.ts';

const GAP = 2;
/** Rows to draw with cli-table3 at a time: its time grows with their square. */
const BATCH = 200;
const MIN_CELL = 8;
/** Of a column that wraps, as long as others can be left out. */
const MIN_WRAPPED = 20;

const NO_BORDERS = Object.fromEntries(
  [
    ...[
      'top',
      'top-mid',
      'top-left',
      'top-right',
      'bottom',
      'bottom-mid',
      'bottom-left',
      'bottom-right',
    ],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);

interface Painted extends Column {
  readonly texts: readonly Text[];
  readonly cells: readonly string[];
  /** The width at which nothing is shortened. */
  readonly natural: number;
}

/**
 * Draws rows under heads. Columns that do not fit are left out if they can be spared; else each row
 * becomes fields below each other. Off a terminal a row is one line, however long.
 */
export function drawTable(
  { head, rows, max, alone }: TableOptions,
  context: DrawContext,
): string[] {
  const { view } = context;
  const hasHead = alone?.header ?? true;
  const indent = alone === undefined ? INDENT : '';
  const shown = rows.slice(0, max ?? rows.length);
  const columns = paintColumns(head, shown, hasHead, context).filter(
    ({ texts }) => alone !== undefined || texts.length === 0 || texts.some((text) => text !== ''),
  );
  const room = view.tty && hasHead ? view.columns - indent.length : Number.POSITIVE_INFINITY;
  const fitting = hasHead && view.accessible ? undefined : fitColumns(columns, room);
  const notes: string[] = [];
  if (fitting !== undefined && fitting.out.length > 0) {
    notes.push(
      `Left out: ${fitting.out.map(({ name }) => name.toLowerCase()).join(', ')} (--json)`,
    );
  }
  if (rows.length > shown.length)
    notes.push(`${formatCount(shown.length)} of ${formatCount(rows.length)} shown`);
  const lines =
    fitting === undefined
      ? drawStacked(columns, shown.length, context)
      : drawRows(fitting, shown.length, hasHead, context).map((line) =>
          `${indent}${line}`.trimEnd(),
        );
  return [...lines, ...notes.map((note) => INDENT + paintText(dim(note), context))];
}

function paintColumns(
  head: TableOptions['head'],
  rows: TableOptions['rows'],
  hasHead: boolean,
  context: DrawContext,
): Painted[] {
  const columns = head.map(
    (column): Column => (typeof column === 'string' ? { name: column } : column),
  );
  const plain = { ...context, view: { ...context.view, links: false } };
  const painted = rows.map((row, index) =>
    columns.map(({ once }, at) => {
      const isAbove = once === true && context.view.tty && row[at] === rows[index - 1]?.[at];
      return paintText(isAbove ? '' : (row[at] ?? ''), plain);
    }),
  );
  return columns.map((column, at) => {
    const cells = painted.map((row) => row[at] ?? '');
    const natural = Math.max(hasHead ? column.name.length : 1, maxWidth(cells));
    return { ...column, texts: rows.map((row) => row[at] ?? ''), cells, natural };
  });
}

interface Fitting {
  readonly kept: readonly Painted[];
  readonly out: readonly Painted[];
  readonly widths: readonly number[];
}

/** Returns undefined if too few columns can be spared. */
function fitColumns(columns: readonly Painted[], room: number): Fitting | undefined {
  const spare = columns
    .filter((one) => one.spare !== undefined)
    .sort((a, b) => (a.spare ?? 0) - (b.spare ?? 0));
  for (const leastWrapped of [MIN_WRAPPED, MIN_CELL]) {
    const first = leastWrapped === MIN_WRAPPED ? 0 : spare.length;
    for (let count = first; count <= spare.length; count += 1) {
      const out = spare.slice(0, count);
      const kept = columns.filter((column) => !out.includes(column));
      const widths = shrink(kept, room - GAP * (kept.length - 1), leastWrapped);
      if (widths !== undefined) return { kept, out, widths };
    }
  }
  return undefined;
}

/**
 * Shrinks columns that wrap first, as nothing of them is lost, then the widest. Undefined if they
 * cannot.
 */
function shrink(
  columns: readonly Painted[],
  room: number,
  leastWrapped: number,
): number[] | undefined {
  const least = columns.map(({ name, natural, whole, wraps }) => {
    return whole
      ? natural
      : Math.min(natural, Math.max(wraps ? leastWrapped : MIN_CELL, name.length));
  });
  const widths = columns.map(({ natural }, at) =>
    Math.max(least[at] ?? 0, Math.min(natural, room)),
  );
  const canShrink = (width: number, at: number) => width > (least[at] ?? 0);
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess -= 1) {
    const yielding = widths.findLastIndex(
      (width, at) => columns[at]?.wraps && canShrink(width, at),
    );
    const widest = Math.max(...widths.filter(canShrink));
    const index =
      yielding >= 0
        ? yielding
        : widths.findIndex((width, at) => width === widest && canShrink(width, at));
    if (index === -1) return undefined;
    widths[index] = (widths[index] ?? 0) - 1;
  }
  return widths;
}

function drawRows(
  fitting: Fitting,
  count: number,
  hasHead: boolean,
  context: DrawContext,
): string[] {
  const { kept, widths } = fitting;
  const linesOf = ({ cells, wraps }: Painted, row: number, width: number) => {
    const cell = cells[row] ?? '';
    const folds = wraps === true && context.view.tty && widthOf(cell) > width;
    return folds ? fold(stripVTControlCharacters(cell), width) : [cut(cell, width, context)];
  };
  const rows = hasHead ? [kept.map(({ name }) => paintText(dim(name.toUpperCase()), context))] : [];
  for (let row = 0; row < count; row += 1) {
    const beside = kept.map((column, at) => linesOf(column, row, widths[at] ?? 0));
    const height = Math.max(1, ...beside.map((lines) => lines.length));
    for (let at = 0; at < height; at += 1) rows.push(beside.map((lines) => lines[at] ?? ''));
  }
  const lines: string[] = [];
  for (let at = 0; at < rows.length; at += BATCH)
    lines.push(...drawBatch(rows.slice(at, at + BATCH), fitting, context));
  return lines;
}

/**
 * Lays cells out with cli-table3. It measures marks, emoji and wide letters wrongly, so it gets
 * other characters in their place, which safe text never contains.
 */
function drawBatch(
  rows: readonly (readonly string[])[],
  { kept, widths }: Fitting,
  { Table }: DrawContext,
): string[] {
  if (Table === undefined) throw new Error('cli-table3 was not loaded for a table');
  const table = new Table({
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
    colWidths: widths.map((width) => width + GAP),
    colAligns: kept.map(({ align = 'left' }) => align),
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

function drawStacked(columns: readonly Painted[], count: number, context: DrawContext): string[] {
  return Array.from({ length: count }, (_, row) => {
    const fields = columns
      .map(({ name, texts }): FieldRow => [name, texts[row] ?? ''])
      .filter(([, text]) => text !== '');
    const marks = fields
      .filter(([name]) => name === '')
      .map(([, text]) => INDENT + paintText(text, context));
    const named = fields.filter(([name]) => name !== '');
    return [...(row === 0 ? [] : ['']), ...marks, ...drawFields(named, context)];
  }).flat();
}
