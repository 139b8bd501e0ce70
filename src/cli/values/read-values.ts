import { listNames, quote, usageError } from '../../errors.ts';
import {
  type Arguments,
  flag,
  type Option,
  type Options,
  option,
  type Values,
} from './parameters.ts';

/** The texts of a line, by the keys of arguments and options; a switch has an empty text. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** Returns an option as it is typed: `--wait-timeout`, `--no-browser`. */
export function longName(key: string, { form }: Pick<Option<unknown>, 'form'>): string {
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return form === 'negated' ? `--no-${name}` : `--${name}`;
}

/** Throws a usage error for an invalid text, and for a value too many. */
export function readOptions<O extends Options>(options: O, texts: Texts): Values<O> {
  const values = Object.entries(options).map(([key, option]) => {
    const given = texts.get(key) ?? [];
    const name = longName(key, option);
    const { form, twice } = option;
    const isOne = form === 'value' || form === 'optional';
    const isRefused = twice !== undefined || given.some((text) => text !== given[0]);
    if (isOne && given.length > 1 && isRefused) {
      const hint = typeof twice === 'string' ? twice : `Give ${name} once.`;
      throw usageError(`${name} is given twice.`, hint);
    }
    return [key, option.read(given, name)];
  });
  return Object.fromEntries(values) as Values<O>;
}

/** Throws a usage error if an argument and the option of its name differ. */
export function checkAgreement(args: Arguments, options: Options, texts: Texts): void {
  for (const key of Object.keys(args).filter((name) => Object.hasOwn(options, name))) {
    const given = [...new Set(texts.get(key))];
    if (given.length < 2) continue;
    const message = `The ${key} is given twice: ${listNames(given.map(quote))}.`;
    throw usageError(message, 'Give one of the two.');
  }
}

/**
 * Returns the options that ask for a table.
 * @param what what `--csv` prints; empty without `--csv`
 * @param columns their names, undefined if they are not known before the answer; false without
 * `--columns`
 */
export function tableOptions(
  what: string,
  columns: readonly string[] | undefined | false,
): Options {
  const names = columns ? `: ${columns.join(', ')}` : '';
  const meaning = `print only these columns${names}`;
  const offered = columns ? { choices: columns } : { offer: 'series' as const };
  return {
    ...(what !== '' && { csv: flag(`print ${what}, as comma-separated values`) }),
    ...(columns !== false && {
      columns: option('names', meaning, undefined, { commas: true, ...offered }),
      noHeader: flag('leave out the column names'),
    }),
  };
}

/** Each of them asks for a table. */
export const TABLE_KEYS: readonly string[] = ['csv', 'columns', 'noHeader'];

/** Finds the typed option that asks for a table. */
export function findTableOption(texts: Texts): string | undefined {
  const key = TABLE_KEYS.find((one) => texts.has(one));
  return key === undefined ? undefined : longName(key, { form: 'switch' });
}
