import { listed, quoted, usageError } from '../errors.ts';
import type { CsvTable } from '../terminal/csv.ts';
import { type Arguments, flag, type Option, type Options, option, type Values } from './parameters.ts';
import { closest, notBlank } from './values/choice.ts';
import { splitAtCommas } from './values/commas.ts';

/**
 * The texts that a command line gives to each argument and option, by key; a switch is given an empty text. If an
 * argument and an option have the same key, the text of the argument comes first.
 */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** Returns an option as it is typed: `--wait-timeout` for `waitTimeout`, `--no-browser`. */
export function longName(key: string, { form }: Pick<Option<unknown>, 'form'>): string {
  return `--${form === 'negated' ? 'no-' : ''}${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Reads the values of options. Throws a usage error for an invalid text, and for two values of an option with one. */
export function readOptions<O extends Options>(options: O, texts: Texts): Values<O>;
export function readOptions(options: Options, texts: Texts): Values<Options> {
  return Object.fromEntries(
    Object.entries(options).map(([key, option]) => {
      const given = texts.get(key) ?? [];
      const name = longName(key, option);
      checkOnce(option, name, given);
      return [key, option.read(given, name)];
    }),
  );
}

/** Reads the values of arguments. Throws a usage error for an invalid text. */
export function readArguments(args: Arguments, texts: Texts): Readonly<Record<string, unknown>> {
  const values = Object.entries(args).map(([key, { read }]) => [key, read(texts.get(key) ?? [], `The ${key}`)]);
  return Object.fromEntries(values);
}

/** Throws a usage error if an argument and the option with its key are given different values. */
export function checkAgreement(args: Arguments, options: Options, texts: Texts): void {
  for (const key of Object.keys(args).filter((name) => Object.hasOwn(options, name))) {
    const given = [...new Set(texts.get(key))];
    if (given.length > 1)
      throw usageError(`The ${key} is given twice: ${listed(given.map(quoted))}.`, 'Give one of the two.');
  }
}

function checkOnce({ form, twice }: Option<unknown>, name: string, texts: readonly string[]): void {
  if (texts.length < 2 || (form !== 'value' && form !== 'optional')) return;
  if (twice === undefined && texts.every((text) => text === texts[0])) return;
  throw usageError(`${name} is given twice.`, typeof twice === 'string' ? twice : `Give ${name} once.`);
}

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
