import { quote, usageError } from '../errors.ts';
import { DECIMAL } from '../json/values.ts';
import { safeLine } from './safe-text.ts';

/** A table for `--csv`: cells are written as they are, without rounding or masking. */
export interface CsvTable {
  readonly head: readonly string[];
  readonly rows: Iterable<readonly unknown[]>;
}

const ROWS_PER_CHUNK = 5_000;

/**
 * Yields comma-separated values (RFC 4180, lines ended by \n) in chunks of many rows, with a row of
 * heads if asked.
 */
export function* toCsv({ head, rows }: CsvTable, header = true): Iterable<string> {
  let lines = header ? [toCsvLine(head)] : [];
  for (const row of rows) {
    lines.push(toCsvLine(row));
    if (lines.length < ROWS_PER_CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** The columns of a table of objects: their fields by their heads. */
export type ColumnFields<T> = Readonly<Record<string, keyof T & string>>;

/** Makes a table with a row for each object. */
export function createTable<T extends object>(
  objects: readonly T[],
  columns: ColumnFields<T>,
): CsvTable {
  const fields = Object.values(columns);
  return {
    head: Object.keys(columns),
    rows: objects.map((object) => fields.map((field) => object[field])),
  };
}

function toCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(toCsvCell).join(',')}\n`;
}

/** Writes a value on one line; an absent one is empty. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return '';
  return safeLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Spreadsheets run text that begins so as a formula; in Asia also behind signs of full width. */
const FORMULA_START = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]/;

function toCsvCell(value: unknown): string {
  const safe = cellText(value);
  if (typeof value === 'number' || DECIMAL.test(safe)) return safe;
  const text = safe.replace(FORMULA_START, "'$&");
  // In locales with a decimal comma spreadsheets split at semicolons too.
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** How to print a table, and nothing else. */
export interface TableForm {
  readonly csv: boolean;
  /** The columns to print, as they were typed; all without it. */
  readonly columns: readonly string[] | undefined;
  readonly header: boolean;
}

/**
 * Reads how to print a table from the texts of a line's options.
 * @param asked the option that asks for the table
 * @param known every column, if they are known before the answer
 * @throws CliError `usage` for an unknown column, and with `--json`
 */
export function readTableForm(
  asked: string,
  texts: ReadonlyMap<string, readonly string[]>,
  known: readonly string[] | undefined,
  isJson: boolean,
): TableForm {
  if (isJson) {
    throw usageError(`${asked} and --json cannot be used together.`, 'Use one of the two.');
  }
  const typedLists = new Set(texts.get('columns'));
  if (typedLists.size > 1) throw usageError('--columns is given twice.', 'Give --columns once.');
  const [typed] = typedLists;
  const columns = typed?.split(',').map((name) => name.trim());
  if (known !== undefined) for (const name of columns ?? []) requireColumn(name, known);
  return { csv: texts.has('csv'), columns, header: !texts.has('noHeader') };
}

/**
 * Returns the table with the chosen columns, in their order.
 * @throws CliError `usage` for an unknown one
 */
export function withColumns(table: CsvTable, { columns }: TableForm): CsvTable {
  if (columns === undefined) return table;
  const { head, rows } = table;
  const chosen = columns.map((name) => requireColumn(name, head));
  return { head: chosen.map((index) => head[index] ?? ''), rows: pickCells(rows, chosen) };
}

function* pickCells(rows: CsvTable['rows'], chosen: readonly number[]) {
  for (const row of rows) yield chosen.map((index) => row[index]);
}

/**
 * Finds a column by its head, `At the registry`, or its field, `atTheRegistry`.
 * @throws CliError `usage` for an unknown column
 */
function requireColumn(name: string, columns: readonly string[]): number {
  const normalize = (head: string) => head.replaceAll(' ', '').toLowerCase();
  const index = columns.map(normalize).indexOf(normalize(name));
  if (index >= 0) return index;
  const message = `There is no column ${quote(name)}. The columns are ${columns.join(', ')}.`;
  throw usageError(message, `For example: --columns ${columns.slice(0, 2).join(',')}`);
}
