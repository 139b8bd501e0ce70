import { safeLine } from './safe-text.ts';

/** A table for `--csv`. */
export interface CsvTable {
  readonly head: readonly string[];
  readonly rows: Iterable<readonly unknown[]>;
}

/** Rows in one piece of text. */
const ROWS = 5_000;

/**
 * A table as comma-separated values (RFC 4180, lines ended by \n), in pieces: the head, then a line for each row; what is
 * absent is empty.
 */
export function* toCsv({ head, rows }: CsvTable): Iterable<string> {
  let lines = [lineOf(head)];
  for (const row of rows) {
    lines.push(lineOf(row));
    if (lines.length < ROWS) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** A table with a row for each object, and a column for each of these fields. */
export function tableOf<T extends object>(objects: readonly T[], fields: readonly (keyof T & string)[]): CsvTable {
  return { head: fields, rows: objects.map((object) => fields.map((field) => object[field])) };
}

function lineOf(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\n`;
}

function cell(value: unknown): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
  if (value === undefined || value === null) return '';
  return textCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/**
 * A text as one cell; a spreadsheet would run one that begins like a formula, so it gets an apostrophe. Where a comma is
 * the decimal point, spreadsheets split at semicolons, so that these need quotes too.
 */
function textCell(value: string): string {
  const text = safeLine(value).replace(/^[=+\-@]/, "'$&");
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
