import { listNames, quote, usageError } from '../../errors.ts';
import { parseService } from './names.ts';
import { notBlank, parseChoice } from './text.ts';

/** Kinds of names that svc remembers (`name-cache.ts`). */
export const SAVED_KINDS = [
  'organizations',
  'services',
  'databases',
  'deployments',
  'plans',
  'series',
  'actions',
] as const;
/** Kinds of names that can be offered. */
export type NameKind = 'profiles' | 'jobs' | 'orders' | (typeof SAVED_KINDS)[number];

/** The kinds whose names are ids, with what people call them. */
export const NAMED_KINDS: readonly NameKind[] = ['services', 'organizations', 'databases'];

/** The kind of words that completion offers; `command` is another command line. */
type Offer = NameKind | 'files' | 'command' | 'help';

/** Returns the kind of names, if it is one. */
export function getNameKind({ offer }: Parameter): NameKind | undefined {
  return offer === 'files' || offer === 'command' || offer === 'help' ? undefined : offer;
}

/** A parser, which throws a usage error that calls the text `field`, such as `--step`. */
type Read<T> = (text: string, field: string) => T;

interface Common<T> {
  readonly meaning: string;
  /** Reads the texts, possibly none; a switch has an empty one. Throws a usage error. */
  readonly read: (texts: readonly string[], field: string) => T;
  readonly offer?: Offer;
  /** Asked for on a terminal if nothing names it, as a required argument with names to offer is. */
  readonly asked?: boolean;
  /** The only words it takes. */
  readonly choices?: readonly string[];
  readonly commas?: boolean;
}

/** An argument, whose key in the literal is its name in the help. */
export interface Argument<T> extends Common<T> {
  readonly required: boolean;
  readonly variadic: boolean;
}

/** An option, whose key `waitTimeout` is typed `--wait-timeout`. */
export interface Option<T> extends Common<T> {
  /** `negated` is `--no-name`, `value` and `list` take a text, `optional` may take one. */
  readonly form: 'switch' | 'negated' | 'value' | 'optional' | 'list';
  /** The name of the value in the help; empty for a switch. */
  readonly value: string;
  readonly short?: string;
  readonly heading?: string;
  /** Equal values are refused, too; a text is the hint of the error. */
  readonly twice?: string | true;
}

/** An argument or an option. */
export type Parameter = Argument<unknown> | Option<unknown>;

/** Arguments in the order of the line, by their names in the help. */
export type Arguments = Readonly<Record<string, Argument<unknown>>>;
/** Options in the order of the help. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The parsed values of arguments or options. */
export type Values<P> = {
  readonly [K in keyof P]: P[K] extends { readonly read: (...given: never) => infer T } ? T : never;
};

type More = Omit<Common<unknown>, 'meaning' | 'read'>;
type OptionMore = More & Pick<Option<unknown>, 'short' | 'twice'>;
type ArgumentMore<T> = More & { readonly read?: Read<T> };

function first<T>(read: Read<T> = (text) => text as T): Common<T | undefined>['read'] {
  return ([text], field) => (text === undefined ? undefined : read(text, field));
}

/** Defines a switch: `--dry-run`. */
export function flag(meaning: string, more: Pick<Option<unknown>, 'short'> = {}): Option<boolean> {
  return { ...more, meaning, form: 'switch', value: '', read: (texts) => texts.length > 0 };
}

/** Defines a switch that is on: `browser` is false with `--no-browser`. */
export function off(meaning: string): Option<boolean> {
  return { meaning, form: 'negated', value: '', read: (texts) => texts.length === 0 };
}

/** Defines `--org <id>`; without `read` the text stays as it is. */
export function option<T = string>(
  value: string,
  meaning: string,
  read?: Read<T>,
  more: OptionMore = {},
): Option<NoInfer<T> | undefined> {
  return { ...more, meaning, form: 'value', value, read: first(read) };
}

/** Defines an option that names a file. */
export function fileOption(value: string, meaning: string, more: Pick<OptionMore, 'twice'> = {}) {
  return option(value, meaning, notBlank, { ...more, offer: 'files' });
}

/** Defines an option that takes one of a few words. */
export function choice<const Word extends string>(
  value: string,
  meaning: string,
  choices: readonly Word[],
  more: OptionMore = {},
): Option<Word | undefined> {
  return option(value, meaning, (text, field) => parseChoice(text, field, choices), {
    ...more,
    choices,
  });
}

/** Defines an option that is given several times; its value has all texts in their order. */
export function list<T = readonly string[]>(
  value: string,
  meaning: string,
  more: OptionMore & Partial<Pick<Option<T>, 'read'>> = {},
): Option<NoInfer<T>> {
  return { read: (texts) => texts as T, ...more, meaning, form: 'list', value };
}

/** Defines `--resume <key>`, or `--resume`, which is true. */
export function optionalValue(value: string, meaning: string): Option<string | true | undefined> {
  return { meaning, form: 'optional', value, read: ([text]) => (text === '' ? true : text) };
}

/** The heading of options that `--help` only names. */
export const LESS_USED = 'Less used';

/** Puts options under a heading of the help. */
export function under<const O extends Options>(heading: string, options: O): O {
  const entries = Object.entries(options).map(([key, one]) => [key, { ...one, heading }]);
  return Object.fromEntries(entries);
}

/** Defines an argument that must be there; without `read` the text stays as it is. */
export function required<T = string>(
  meaning: string,
  more: ArgumentMore<T> = {},
): Argument<NoInfer<T>> {
  const read: Argument<T>['read'] = ([text = ''], field) => first(more.read)([text], field) as T;
  return { ...more, meaning, required: true, variadic: false, read };
}

/** Defines an argument that may be left out. */
export function optional<T = string>(
  meaning: string,
  more: ArgumentMore<T> = {},
): Argument<NoInfer<T> | undefined> {
  return { ...more, meaning, required: false, variadic: false, read: first(more.read) };
}

/** Defines an argument of all words that follow, at least `least` of them. */
export function rest(meaning: string, least: 0 | 1, more: More = {}): Argument<readonly string[]> {
  return { ...more, meaning, required: least > 0, variadic: true, read: (texts) => texts };
}

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
  for (const key of Object.keys(args)) {
    const given = [...new Set(texts.get(key))];
    if (given.length < 2 || !(key in options)) continue;
    throw usageError(
      `The ${key} is given twice: ${listNames(given.map(quote))}.`,
      'Give one of the two.',
    );
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
  const offered = columns ? { choices: columns } : { offer: 'series' as const };
  return {
    ...(what !== '' && { csv: flag(`print ${what}, as comma-separated values`) }),
    ...(columns !== false && {
      columns: option('names', `print only these columns${names}`, undefined, {
        commas: true,
        ...offered,
      }),
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

/** The meaning of a service in the help. */
const SERVICE_MEANING = 'its id (default: SVC_SERVICE, or the linked one)';

/** The option of commands that also work without a service. */
export const OPTIONAL_SERVICE_OPTION = {
  service: option('id', SERVICE_MEANING, parseService, { offer: 'services', short: 's' }),
};
/** The option of commands that need a service: a terminal asks if no setting names one. */
export const SERVICE_OPTION = { service: { ...OPTIONAL_SERVICE_OPTION.service, asked: true } };

/** The argument of commands that take the id in both ways. */
export const SERVICE_ARGUMENT = {
  service: optional(SERVICE_MEANING, { read: parseService, offer: 'services', asked: true }),
};
