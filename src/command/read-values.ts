import { listed, quoted, usageError } from '../errors.ts';
import type { Arguments, Option, Options, Values } from './parameters.ts';

/**
 * The texts that a command line gives to each argument and option, by key; a switch is given an empty text. If an
 * argument and an option have the same key, the text of the argument comes first.
 */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** The name of an option or an argument: `waitTimeout` is `wait-timeout`. */
function kebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An option as it is typed: `--wait-timeout`, `--no-browser`. */
export function longName(key: string, { form }: Pick<Option<unknown>, 'form'>): string {
  return `--${form === 'negated' ? 'no-' : ''}${kebabCase(key)}`;
}

/** The values of options. Throws a usage error for a text that makes no sense, and for two values of an option with one. */
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

/** The values of arguments. Throws a usage error for a text that makes no sense. */
export function readArguments(args: Arguments, texts: Texts): Readonly<Record<string, unknown>> {
  const values = Object.entries(args).map(([key, { read }]) => [key, read(texts.get(key) ?? [], `The ${key}`)]);
  return Object.fromEntries(values);
}

/** Throws a usage error if a value is given both as an argument and as the option with its key, and the two differ. */
export function checkAgreement(args: Arguments, options: Options, texts: Texts): void {
  for (const key of Object.keys(args).filter((name) => Object.hasOwn(options, name))) {
    const given = [...new Set(texts.get(key))];
    if (given.length > 1)
      throw usageError(`The ${key} is given twice: ${listed(given.map(quoted))}.`, 'one of the two');
  }
}

/** Does not let the last of two values win. */
function checkOnce({ form, twice }: Option<unknown>, name: string, texts: readonly string[]): void {
  if (form === 'list' || texts.length < 2) return;
  if (form === 'switch' || form === 'negated') return;
  if (twice === undefined && texts.every((text) => text === texts[0])) return;
  throw usageError(`${name} is given twice.`, twice ?? `${name} once`);
}
