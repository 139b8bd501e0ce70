import { formatCount } from '../numbers.ts';
import { INDENT, type Kit } from '../paint.ts';
import type { Column, Field, TableOptions } from '../screen.ts';
import { dim } from '../text.ts';
import { drawFields } from './fields.ts';
import { clustersOf, clusterWidth, type Line, lineWidth, safePieces, shorten, widestWord, wrap } from './flow.ts';

/**
 * cli-table3 measures text in its own, older way and would set columns askew where a cell holds marks, emoji or wide
 * letters. So it is given stand-ins that both measure alike, and they are taken back when the table is drawn.
 */
interface StandIns {
  /** The text with one private character in place of each column that is not ASCII. */
  hide(text: string): string;
  /** The drawn text with the real characters back in their places. */
  show(drawn: string): string;
}

/**
 * Private use; safe text never holds these. Those of the first area are one code unit each, and cli-table3 shortens what
 * has more units than columns in a time that grows with the square of its length.
 */
const AREAS = [
  { first: 0xe000, room: 6_399 },
  { first: 0xf0000, room: 65_534 },
] as const;
const FILLER = '\uf8ff';
const PRIVATE = /[\ue000-\uf8ff\u{f0000}-\u{ffffd}]/gu;
const NOT_ASCII = /[^\x20-\x7e]/;

/** Stand-ins for one table. */
function createStandIns(): StandIns {
  const clusters: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (cluster: string) => {
    const known = numbers.get(cluster);
    if (known !== undefined) return known;
    numbers.set(cluster, clusters.length);
    return clusters.push(cluster) - 1;
  };
  const hideCluster = (cluster: string) => {
    const width = clusterWidth(cluster);
    // A mark without a letter has no column to stand in.
    if (width === 0) return '';
    const standIn = standInOf(numberOf(cluster));
    return standIn === undefined ? '' : standIn + FILLER.repeat(width - 1);
  };
  return {
    hide(text) {
      if (!NOT_ASCII.test(text)) return text;
      return clustersOf(text)
        .map((cluster) => (NOT_ASCII.test(cluster) ? hideCluster(cluster) : cluster))
        .join('');
    },
    show: (drawn) => drawn.replace(PRIVATE, (character) => clusters[numberIn(character)] ?? ''),
  };
}

function standInOf(number: number): string | undefined {
  const [near, far] = AREAS;
  if (number < near.room) return String.fromCodePoint(near.first + number);
  return number < near.room + far.room ? String.fromCodePoint(far.first + number - near.room) : undefined;
}

/** The number of a stand-in; one that nothing has for the filler. */
function numberIn(standIn: string): number {
  const [near, far] = AREAS;
  const code = standIn.codePointAt(0) ?? 0;
  if (standIn === FILLER) return -1;
  return code < far.first ? code - near.first : near.room + code - far.first;
}

const GAP = 2;
/** Rows that cli-table3 draws at a time; its work grows with their square. */
const BATCH = 200;
/** A column that is shortened keeps at least this many columns. */
const SHORTEST_CELL = 8;

/** No border anywhere, and no line between rows. */
const BORDERLESS = Object.fromEntries(
  (
    'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right ' +
    'right-mid middle'
  )
    .split(' ')
    .map((name) => [name, '']),
);

/** Rows under heads, without lines; below each other as fields where the terminal is too narrow for columns. */
export function drawTable({ head, rows, max }: TableOptions, kit: Kit): string[] {
  const first = rows.slice(0, max ?? rows.length);
  // A column that holds nothing takes the room of those that do.
  const used = head.map((_, index) => first.length === 0 || first.some((row) => (row[index] ?? '') !== ''));
  const columns = head.filter((_, index) => used[index]).map((name) => (typeof name === 'string' ? { name } : name));
  const shown = first.map((row) => row.filter((_, index) => used[index]));
  const cells = shown.map((row, above) =>
    columns.map(({ once }, index) => {
      const isAbove = once === true && row[index] === shown[above - 1]?.[index];
      return safePieces(isAbove ? '' : (row[index] ?? ''), kit.view);
    }),
  );
  const widths = kit.view.accessible ? undefined : widthsOf(columns, cells, kit);
  const drawn = widths === undefined ? drawStacked(columns, shown, kit) : drawColumns(columns, cells, widths, kit);
  return rows.length > shown.length ? [...drawn, INDENT + kit.paint([countOf(shown.length, rows.length)])] : drawn;
}

function countOf(shown: number, all: number) {
  return dim(`${formatCount(shown)} of ${formatCount(all)} shown`);
}

/** Widths that fit, or `undefined` where the rows had better stand below each other. */
function widthsOf(columns: readonly Column[], cells: readonly Line[][], { view }: Kit): number[] | undefined {
  const room = view.columns - INDENT.length - GAP * (columns.length - 1);
  const needs = columns.map((column, index) =>
    needOf(
      column,
      cells.map((row) => row[index] ?? []),
      view.tty,
    ),
  );
  const widths = fitColumns(needs, room);
  // A pipe has no edge: whole words matter more than 80 columns.
  return widths ?? (view.tty ? undefined : needs.map(({ least }) => least));
}

function needOf(column: Column, cells: readonly Line[], tty: boolean): ColumnNeed {
  const name = column.name.length;
  const natural = cells.reduce((widest, cell) => Math.max(widest, lineWidth(cell)), name);
  if (column.whole) return { natural, least: natural };
  if (tty) return { natural, least: Math.min(natural, Math.max(SHORTEST_CELL, name)) };
  return { natural, least: cells.reduce((widest, cell) => Math.max(widest, widestWord(cell)), name) };
}

function drawColumns(
  columns: readonly Column[],
  cells: readonly Line[][],
  widths: readonly number[],
  kit: Kit,
): string[] {
  const { view, paint, Table } = kit;
  if (Table === undefined) throw new Error('cli-table3 was not loaded for a table');
  const standIns = createStandIns();
  const draw = (line: Line) => paint(line.map(({ text, tone }) => ({ tone, text: standIns.hide(text) })));
  const place = (cell: Line, width: number) => (view.tty ? [shorten(cell, width, view)] : wrap(cell, width)).map(draw);
  const heads = columns.map(({ name }) => draw(safePieces(dim(name.toUpperCase()), view)));
  const rows = [heads, ...cells.flatMap((row) => beside(row.map((cell, index) => place(cell, widths[index] ?? 0))))];
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += BATCH) {
    const table = new Table({
      chars: BORDERLESS,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
      colWidths: widths.map((width) => width + GAP),
      colAligns: columns.map(({ align = 'left' }) => align),
    });
    table.push(...rows.slice(start, start + BATCH));
    lines.push(...standIns.show(table.toString()).split('\n'));
  }
  return lines.map((line) => `${INDENT}${line}`.trimEnd());
}

/** The lines of a row whose cells have several: cli-table3 takes very long over cells of more than one line. */
function beside(cells: readonly (readonly string[])[]): string[][] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ''));
}

function drawStacked(columns: readonly Column[], rows: TableOptions['rows'], kit: Kit): string[] {
  return rows.flatMap((row, index) => {
    const fields = columns.map(({ name }, column): Field => [name, row[column] ?? '']).filter(isFilled);
    const marks = fields
      .filter(([name]) => name === '')
      .map(([, value]) => INDENT + kit.paint(safePieces(value, kit.view)));
    const named = drawFields(
      fields.filter(([name]) => name !== ''),
      kit,
    );
    return [...(index === 0 ? [] : ['']), ...marks, ...named];
  });
}

function isFilled([, value]: Field): boolean {
  return value !== '';
}

/** What a column would like, and what it can do with. */
interface ColumnNeed {
  /** Columns of its widest cell. */
  readonly natural: number;
  /** Columns that it cannot do without. */
  readonly least: number;
}

/** Widths for the columns of a table so that they fit into `room`, taken from the widest first; `undefined` if they cannot. */
function fitColumns(needs: readonly ColumnNeed[], room: number): number[] | undefined {
  const widths = needs.map(({ natural, least }) => Math.max(least, Math.min(natural, room)));
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = indexOfWidest(widths, needs);
    if (widest === undefined) return undefined;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function indexOfWidest(widths: readonly number[], needs: readonly ColumnNeed[]): number | undefined {
  let widest: number | undefined;
  widths.forEach((width, index) => {
    if (width <= (needs[index]?.least ?? 0)) return;
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index;
  });
  return widest;
}
