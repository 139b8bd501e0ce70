import { quoted, usageError } from '../../errors.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { flag, type Options, option } from '../parameters.ts';
import type { Texts } from '../read-values.ts';
import { closest, notBlank } from './choice.ts';
import { splitAtCommas } from './commas.ts';

/** How to print a table, and nothing else. */
export interface TableForm {
  /** Comma-separated values instead of aligned columns. */
  readonly csv: boolean;
  /** The columns to print, as they were typed; all without it. */
  readonly columns: readonly string[] | undefined;
  readonly header: boolean;
}

/**
 * Returns the options of a command with a table.
 * @param what the table prints
 * @param columns their names as far as they are known before the answer, for completion
 */
export function tableOptions(what: string, columns: readonly string[] | undefined): Options {
  const names = columns === undefined ? '' : `: ${columns.join(', ')}`;
  return {
    csv: flag(`print ${what}, as comma-separated values`),
    columns: option('names', `print a table of these columns only${names}`, splitColumns, {
      commas: true,
      ...(columns === undefined ? { offer: 'series' } : { choices: columns }),
    }),
    noHeader: flag('print the table without the names of its columns'),
  };
}

/** The options of a table, by key and as they are typed. */
const TYPED = { csv: '--csv', columns: '--columns', noHeader: '--no-header' } as const;

/** The keys of the options that ask for a table. */
export const TABLE_KEYS = Object.keys(TYPED) as ReadonlyArray<keyof typeof TYPED>;

/** Returns the option, as it is typed, by which a line asks for a table and nothing else; undefined if it does not. */
export function askedTable(texts: Texts): string | undefined {
  const key = TABLE_KEYS.find((one) => texts.has(one));
  return key === undefined ? undefined : TYPED[key];
}

/**
 * Reads how to print the table; undefined if the line asks for none.
 * @param known every column that there is, if that is known before the answer
 * @throws CliError `usage` for an unknown column, and with `--json`
 */
export function readTableForm(
  texts: Texts,
  known: readonly string[] | undefined,
  isJson: boolean,
): TableForm | undefined {
  const asked = askedTable(texts);
  if (asked === undefined) return undefined;
  if (isJson) throw usageError(`${asked} and --json cannot be used together.`, 'Use one of the two.');
  const [text] = texts.get('columns') ?? [];
  const columns = text === undefined ? undefined : splitColumns(text, TYPED.columns);
  if (known !== undefined) for (const name of columns ?? []) indexOf(name, known);
  return { csv: texts.has('csv'), columns, header: !texts.has('noHeader') };
}

/** Returns the table with the chosen columns only, in their order. Throws a usage error for an unknown one. */
export function withColumns(table: CsvTable, { columns }: Pick<TableForm, 'columns'>): CsvTable {
  if (columns === undefined) return table;
  const { head, rows } = table;
  const chosen = columns.map((name) => indexOf(name, head));
  return { head: chosen.map((index) => head[index] ?? ''), rows: pickedFrom(rows, chosen) };
}

function* pickedFrom(rows: CsvTable['rows'], chosen: readonly number[]): CsvTable['rows'] {
  for (const row of rows) yield chosen.map((index) => row[index]);
}

function indexOf(name: string, columns: readonly string[]): number {
  const index = columns.findIndex((column) => column.toLowerCase() === name.toLowerCase());
  if (index >= 0) return index;
  const meant = closest(name, columns) ?? columns.slice(0, 2).join(',');
  throw usageError(
    `There is no column ${quoted(name)}. The columns are ${columns.join(', ')}.`,
    `For example: ${TYPED.columns} ${meant}`,
  );
}

function splitColumns(text: string, field: string): readonly string[] {
  return splitAtCommas(text, field).map((name) => notBlank(name, field).trim());
}
