import { formatCount } from '../numbers.ts';
import { INDENT, type Kit } from '../paint.ts';
import { type Column, dim, type FieldRow, type TableOptions } from '../screen.ts';
import { drawFields } from './fields.ts';
import { aligned, clustersOf, clusterWidth, fold, type Line, lineWidth, safePieces, shorten } from './flow.ts';

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
  const { view, paint } = kit;
  const first = rows.slice(0, max ?? rows.length);
  // Leave out empty columns.
  const used = head.map(
    (_, index) => alone !== undefined || first.length === 0 || first.some((row) => (row[index] ?? '') !== ''),
  );
  const columns = head.filter((_, index) => used[index]).map((name) => (typeof name === 'string' ? { name } : name));
  const shown = first.map((row) => row.filter((_, index) => used[index]));
  const look = { indent: alone === undefined ? INDENT : '', header: alone?.header ?? true };
  const table = look.header && view.accessible ? undefined : fitTable(columns, shown, kit, look);
  const lines = table?.lines ?? drawStacked(columns, shown, kit);
  const notes =
    table === undefined || table.leftOut.length === 0 ? [] : [`Left out: ${table.leftOut.join(', ')} (--json)`];
  if (rows.length > shown.length) notes.push(`${formatCount(shown.length)} of ${formatCount(rows.length)} shown`);
  return [...lines, ...notes.map((note) => INDENT + paint([dim(note)]))];
}

type Rows = ReadonlyArray<ReadonlyArray<TableOptions['rows'][number][number]>>;

/** Returns the lines of a table that fits, with the names of the columns that had to go; undefined if none fits. */
function fitTable(columns: readonly Column[], rows: Rows, kit: Kit, look: Look) {
  const spare = columns.filter((one) => one.spare !== undefined).sort((a, b) => (a.spare ?? 0) - (b.spare ?? 0));
  const ways = [...[0, ...spare.keys()].map((_, count) => [count, MIN_WRAPPED]), [spare.length, MIN_CELL]];
  for (const [count = 0, leastWrapped = MIN_CELL] of ways) {
    const out = spare.slice(0, count);
    const kept = columns.flatMap((column, index) => (out.includes(column) ? [] : [index]));
    const beside = rows.map((row) => kept.map((index) => row[index]));
    const of = kept.map((index) => columns[index] ?? { name: '' });
    const tried = { ...look, leastWrapped };
    const lines =
      drawBeside(of, beside, kit, tried) ??
      drawBeside(of, beside, { ...kit, view: { ...kit.view, areDatesBrief: true } }, tried);
    if (lines !== undefined) return { lines, leftOut: out.map(({ name }) => name.toLowerCase()) };
  }
  return undefined;
}

function drawBeside(columns: readonly Column[], rows: Rows, kit: Kit, look: Look & LeastWrapped): string[] | undefined {
  const cells = rows.map((row, above) =>
    columns.map(({ once }, index) => {
      const isAbove = once === true && kit.view.tty && row[index] === rows[above - 1]?.[index];
      return safePieces(isAbove ? '' : (row[index] ?? ''), kit.view);
    }),
  );
  const widths = widthsOf(columns, cells, kit, look);
  return widths && drawColumns(columns, cells, widths, kit, look);
}

interface LeastWrapped {
  /** See {@link MIN_WRAPPED}. */
  readonly leastWrapped: number;
}

interface Look {
  readonly indent: string;
  readonly header: boolean;
}

/**
 * Returns widths that fit, or `undefined` if the rows must be stacked, which needs names. Off a terminal a row is one line,
 * however long.
 */
function widthsOf(
  columns: readonly Column[],
  cells: readonly Line[][],
  { view }: Kit,
  { indent, header, leastWrapped }: Look & LeastWrapped,
): number[] | undefined {
  const room = view.columns - indent.length - GAP * (columns.length - 1);
  const needs = columns.map(({ name, whole, wraps }, index): ColumnNeed => {
    const natural = cells.reduce((most, row) => Math.max(most, lineWidth(row[index] ?? [])), header ? name.length : 1);
    if (whole || !view.tty) return { natural, least: natural };
    if (wraps) return { natural, least: Math.min(natural, Math.max(leastWrapped, name.length)), yields: true };
    return { natural, least: Math.min(natural, Math.max(MIN_CELL, name.length)) };
  });
  if (!view.tty || !header) return needs.map(({ natural }) => natural);
  return fitColumns(needs, room);
}

/** The widths that show all of a column, and no less than it needs. */
interface ColumnNeed {
  readonly natural: number;
  readonly least: number;
  /** Whether it shrinks before the others, as nothing of it is lost. */
  readonly yields?: true;
}

/** Shrinks the widest columns first until all fit into `room`. Returns `undefined` if they cannot. */
function fitColumns(needs: readonly ColumnNeed[], room: number): number[] | undefined {
  const widths = needs.map(({ natural, least }) => Math.max(least, Math.min(natural, room)));
  const canShrink = (width: number, index: number) => width > (needs[index]?.least ?? 0);
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess -= 1) {
    const yields = widths.some((width, at) => needs[at]?.yields && canShrink(width, at));
    const isNext = (width: number, at: number) => canShrink(width, at) && (!yields || needs[at]?.yields === true);
    const widest = Math.max(...widths.filter(isNext));
    const index = yields
      ? widths.findLastIndex(isNext)
      : widths.findIndex((width, at) => width === widest && isNext(width, at));
    if (index === -1) return undefined;
    widths[index] = (widths[index] ?? 0) - 1;
  }
  return widths;
}

function drawColumns(
  columns: readonly Column[],
  cells: readonly Line[][],
  widths: readonly number[],
  kit: Kit,
  { indent: edge, header }: Look,
): string[] {
  const { view, paint, Table } = kit;
  if (Table === undefined) throw new Error('cli-table3 was not loaded for a table');
  const standIns = createStandIns();
  const draw = (line: Line) => paint(line.map(({ text, tone }) => ({ tone, text: standIns.hide(text) })));
  const partsOf = (cell: Line, index: number) => {
    const width = widths[index] ?? 0;
    const wraps = columns[index]?.wraps === true && view.tty && lineWidth(cell) > width;
    return (wraps ? fold(cell, width) : [shorten(cell, width, view)]).map(draw);
  };
  const heads = columns.map(({ name }) => draw(safePieces(dim(name.toUpperCase()), view)));
  const rows = [...(header ? [heads] : []), ...cells.flatMap((row) => beside(row.map(partsOf)))];
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += BATCH) {
    const table = new Table({
      chars: NO_BORDERS,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
      colWidths: widths.map((width) => width + GAP),
      colAligns: columns.map(({ align = 'left' }) => align),
    });
    table.push(...rows.slice(start, start + BATCH));
    lines.push(...standIns.show(table.toString()).split('\n'));
  }
  const place = (line: string) => (view.tty && view.colorLevel > 0 ? aligned(line) : line);
  return lines.map((line) => place(`${edge}${line}`.trimEnd()));
}

/** Puts cells of several lines beside each other: as many rows as the longest has lines. */
function beside(cells: readonly (readonly string[])[]): string[][] {
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => cells.map((lines) => lines[at] ?? ''));
}

function drawStacked(columns: readonly Column[], rows: TableOptions['rows'], kit: Kit): string[] {
  return rows.flatMap((row, index) => {
    const fields = columns
      .map(({ name }, column): FieldRow => [name, row[column] ?? ''])
      .filter(([, value]) => value !== '');
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

/**
 * Private-use characters, which safe text never contains. Those of the first area are single code units, so they come
 * first: cli-table3 shortens text with more units than columns in a time that grows with the square of its length.
 */
const AREAS = { near: { first: 0xe000, size: 6_399 }, far: { first: 0xf0000, size: 65_534 } };
const FILLER = '\uf8ff';
const PRIVATE = /[\ue000-\uf8ff\u{f0000}-\u{ffffd}]/gu;
const NOT_ASCII = /[^\x20-\x7e]/;

/**
 * Creates stand-ins for the characters of a table. cli-table3 measures marks, emoji and wide letters wrongly, so `hide`
 * puts one private-use character in place of each of their columns, and `show` puts them back into the drawn table.
 */
function createStandIns() {
  const { near, far } = AREAS;
  const clusters: string[] = [];
  const standIns = new Map<string, string>();
  const nextStandIn = () => {
    const number = clusters.length;
    if (number < near.size) return String.fromCodePoint(near.first + number);
    return number < near.size + far.size ? String.fromCodePoint(far.first + number - near.size) : '';
  };
  const hideCluster = (cluster: string) => {
    const width = clusterWidth(cluster);
    // A mark without a letter takes no column.
    if (width === 0) return '';
    const standIn = standIns.get(cluster) ?? nextStandIn();
    if (!standIns.has(cluster)) clusters.push(cluster);
    standIns.set(cluster, standIn);
    return standIn === '' ? '' : standIn + FILLER.repeat(width - 1);
  };
  const showCharacter = (character: string) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === FILLER) return '';
    return clusters[code < far.first ? code - near.first : near.size + code - far.first] ?? '';
  };
  return {
    hide: (text: string) =>
      NOT_ASCII.test(text)
        ? clustersOf(text)
            .map((cluster) => (NOT_ASCII.test(cluster) ? hideCluster(cluster) : cluster))
            .join('')
        : text,
    show: (drawn: string) => drawn.replace(PRIVATE, showCharacter),
  };
}
