import { listed, quoted, usageError } from '../errors.ts';
import { type Arguments, flag, type Option, type Options, option, type Values } from './parameters.ts';

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
  const values = Object.entries(options).map(([key, option]) => {
    const [given, name] = [texts.get(key) ?? [], longName(key, option)];
    checkOnce(option, name, given);
    return [key, option.read(given, name)];
  });
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

/**
 * Returns the options that ask for a table.
 * @param what what `--csv` prints; empty without `--csv`
 * @param columns their names, undefined if they are not known before the answer; false without `--columns`
 */
export function tableOptions(
  what: string,
  columns: { readonly names: readonly string[] | undefined } | false,
): Options {
  const names = columns === false ? undefined : columns.names;
  const meaning = `print only these columns${names === undefined ? '' : `: ${names.join(', ')}`}`;
  const offered = names === undefined ? { offer: 'series' as const } : { choices: names };
  return {
    ...(what !== '' && { csv: flag(`print ${what}, as comma-separated values`) }),
    ...(columns !== false && {
      columns: option('names', meaning, undefined, { commas: true, ...offered }),
      noHeader: flag('leave out the column names'),
    }),
  };
}

/** The keys of the options that ask for a table. */
export const TABLE_KEYS: readonly string[] = ['csv', 'columns', 'noHeader'];

/** Returns the option, as it is typed, by which a line asks for a table and nothing else; undefined if it does not. */
export function askedTable(texts: Texts): string | undefined {
  const key = TABLE_KEYS.find((one) => texts.has(one));
  return key === undefined ? undefined : longName(key, { form: 'switch' });
}
