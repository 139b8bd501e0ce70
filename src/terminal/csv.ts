import { safeLine } from './safe-text.ts';

/** A table for `--csv`: cells are written as they are, without rounding or masking. */
export interface CsvTable {
  readonly head: readonly string[];
  readonly rows: Iterable<readonly unknown[]>;
}

const ROWS_PER_CHUNK = 5_000;

/** Yields comma-separated values (RFC 4180, lines ended by \n) in chunks of many rows. Absent values are empty cells. */
export function* toCsv({ head, rows }: CsvTable): Iterable<string> {
  let lines = [csvLine(head)];
  for (const row of rows) {
    lines.push(csvLine(row));
    if (lines.length < ROWS_PER_CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** Makes a table with a row for each object and a column for each field. */
export function tableOf<T extends object>(objects: readonly T[], fields: readonly (keyof T & string)[]): CsvTable {
  return { head: fields, rows: objects.map((object) => fields.map((field) => object[field])) };
}

/** Writes one row. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\n`;
}

function cell(value: unknown): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
  if (value === undefined || value === null) return '';
  const safe = safeLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
  // Spreadsheets would run text that begins like a formula.
  const text = safe.replace(/^[=+\-@]/, "'$&");
  // In locales with a decimal comma spreadsheets split at semicolons too.
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
