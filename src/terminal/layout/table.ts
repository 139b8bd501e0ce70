import { stripVTControlCharacters } from 'node:util';
import widthOf from 'fast-string-width';
import { formatCount } from '../format.ts';
import { type Column, dim, type FieldRow, type TableOptions, type Text } from '../screen.ts';
import { cut, type DrawContext, drawFields, fold, INDENT, maxWidth, paintText } from './text.ts';

const GAP = 2;

/** Rows to draw with cli-table3 at a time: its time grows with their square. */
const BATCH = 200;

/** The least width of a column that is cut. */
const MIN_CELL = 8;

/** The least width of a column that wraps, as long as others can be left out. */
const MIN_WRAPPED = 20;

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle';
const NO_BORDERS = Object.fromEntries(BORDERS.split(' ').map((name) => [name, '']));

interface PaintedColumn extends Column {
  readonly texts: readonly Text[];
  readonly cells: readonly string[];
  /** The width at which nothing is shortened. */
  readonly natural: number;
}

/**
 * Draws rows under heads. Columns that do not fit are left out if they can be spared; else each row
 * becomes fields below each other. Off a terminal a row is one line, however long.
 */
export function drawTable(table: TableOptions, context: DrawContext): string[] {
  const { rows, max = rows.length, alone } = table;
  const { view } = context;
  const hasHead = alone?.header ?? true;
  const indent = alone === undefined ? INDENT : '';
  const count = Math.min(rows.length, max);
  const columns = paintColumns(table, rows.slice(0, count), hasHead, context);
  const room = view.tty && hasHead ? view.columns - indent.length : Number.POSITIVE_INFINITY;
  const layout = hasHead && view.accessible ? undefined : fitColumns(columns, room);

  const lines =
    layout === undefined
      ? drawStacked(columns, count, context)
      : drawRows(layout.fitted, count, hasHead, context).map((line) =>
          `${indent}${line}`.trimEnd(),
        );
  const addNote = (note: string) => lines.push(INDENT + paintText(dim(note), context));
  const omitted = layout?.omitted.map(({ name }) => name.toLowerCase()) ?? [];
  if (omitted.length > 0) addNote(`Left out: ${omitted.join(', ')} (--json)`);
  if (count < rows.length) addNote(`${formatCount(count)} of ${formatCount(rows.length)} shown`);
  return lines;
}

/** Paints the cells of each column; one that is empty is left out, unless it stands alone. */
function paintColumns(
  { head, alone }: TableOptions,
  rows: TableOptions['rows'],
  hasHead: boolean,
  context: DrawContext,
): PaintedColumn[] {
  const plain = { ...context, view: { ...context.view, links: false } };
  const columns = head.map((given, at): PaintedColumn => {
    const column: Column = typeof given === 'string' ? { name: given } : given;
    const texts = rows.map((row) => row[at] ?? '');
    const cells = texts.map((text, index) => {
      const isRepeated = column.once && plain.view.tty && text === texts[index - 1];
      return paintText(isRepeated ? '' : text, plain);
    });
    const natural = Math.max(hasHead ? column.name.length : 1, maxWidth(cells));
    return { ...column, texts, cells, natural };
  });
  return columns.filter(
    ({ texts }) => alone !== undefined || texts.length === 0 || texts.some((text) => text !== ''),
  );
}

interface FittedColumn extends PaintedColumn {
  width: number;
}

/** Leaves columns out until the others fit; undefined if too few can be spared. */
function fitColumns(columns: readonly PaintedColumn[], room: number) {
  const spare = columns
    .filter(({ spare }) => spare !== undefined)
    .sort(({ spare: one = 0 }, { spare: other = 0 }) => one - other);
  // The last try is one with narrower columns.
  for (let count = 0; count < spare.length + 2; count += 1) {
    const omitted = spare.slice(0, count);
    const kept = columns.filter((column) => !omitted.includes(column));
    const leastWrapped = count > spare.length ? MIN_CELL : MIN_WRAPPED;
    const fitted = shrinkColumns(kept, room - GAP * (kept.length - 1), leastWrapped);
    if (fitted !== undefined) return { fitted, omitted };
  }
  return undefined;
}

/**
 * Shrinks columns that wrap first, as nothing of them is lost, then the widest. Returns undefined
 * if they cannot.
 */
function shrinkColumns(
  columns: readonly PaintedColumn[],
  room: number,
  leastWrapped: number,
): FittedColumn[] | undefined {
  const fitted = columns.map((column) => {
    const { name, natural, whole, wraps } = column;
    const usual = Math.max(wraps ? leastWrapped : MIN_CELL, name.length);
    const least = whole ? natural : Math.min(natural, usual);
    return { ...column, least, width: Math.max(least, Math.min(natural, room)) };
  });
  const excess = fitted.reduce((sum, { width }) => sum + width, 0) - room;
  for (let count = 0; count < excess; count += 1) {
    const wide = fitted.filter(({ width, least }) => width > least);
    const [widest] = wide.toSorted((one, other) => other.width - one.width);
    const column = wide.find(({ wraps }) => wraps) ?? widest;
    if (column === undefined) return undefined;
    column.width -= 1;
  }
  return fitted;
}

function drawRows(
  columns: readonly FittedColumn[],
  count: number,
  hasHead: boolean,
  context: DrawContext,
): string[] {
  const rows: string[][] = [];
  if (hasHead) rows.push(columns.map(({ name }) => paintText(dim(name.toUpperCase()), context)));
  for (let row = 0; row < count; row += 1) {
    const cells = columns.map((column) => drawCell(column, row, context));
    const height = Math.max(1, ...cells.map((lines) => lines.length));
    for (let at = 0; at < height; at += 1) rows.push(cells.map((lines) => lines[at] ?? ''));
  }

  const lines: string[] = [];
  for (let at = 0; at < rows.length; at += BATCH) {
    lines.push(...drawBatch(rows.slice(at, at + BATCH), columns, context));
  }
  return lines;
}

/** Draws a cell as lines, of which only a column that wraps has several. */
function drawCell(
  { cells, wraps, width }: FittedColumn,
  row: number,
  context: DrawContext,
): string[] {
  const cell = cells[row] ?? '';
  const folds = wraps && context.view.tty && widthOf(cell) > width;
  return folds ? fold(stripVTControlCharacters(cell), width) : [cut(cell, width, context)];
}

const STAND_IN = '\ue001';
const STAND_INS = /\ue001+/g;

/**
 * Lays cells out with cli-table3. It measures marks, emoji and wide letters wrongly, so it gets
 * other characters in their place, which safe text never contains.
 */
function drawBatch(
  rows: readonly (readonly string[])[],
  columns: readonly FittedColumn[],
  { Table }: DrawContext,
): string[] {
  if (Table === undefined) throw new Error('cli-table3 was not loaded for a table');
  const table = new Table({
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
    colWidths: columns.map(({ width }) => width + GAP),
    colAligns: columns.map(({ align = 'left' }) => align),
  });
  const cells = rows
    .flat()
    .filter((cell) => widthOf(cell) > 0)
    .values();
  table.push(...rows.map((row) => row.map((cell) => STAND_IN.repeat(widthOf(cell)))));
  return table
    .toString()
    .replace(STAND_INS, () => cells.next().value ?? '')
    .split('\n');
}

/** Draws each row as fields below each other. */
function drawStacked(
  columns: readonly PaintedColumn[],
  count: number,
  context: DrawContext,
): string[] {
  return Array.from({ length: count }, (_, row) => {
    const fields = columns
      .map(({ name, texts }): FieldRow => [name, texts[row] ?? ''])
      .filter(([, text]) => text !== '');
    const marks = fields.filter(([name]) => name === '');
    return [
      ...(row === 0 ? [] : ['']),
      ...marks.map(([, text]) => INDENT + paintText(text, context)),
      ...drawFields(
        fields.filter(([name]) => name !== ''),
        context,
      ),
    ];
  }).flat();
}
