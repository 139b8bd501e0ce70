import { parseChoice } from './values/choice.ts';

/** What a value names. Tab offers the names of this kind that this machine has seen (`known.ts`). */
export type NameKind =
  | 'profiles'
  | 'organizations'
  | 'services'
  | 'databases'
  | 'deployments'
  | 'plans'
  | 'series'
  | 'actions';

/** What Tab offers for a value: names that this machine has seen, file names, the words of another command, or help topics. */
export type Offer = NameKind | 'files' | 'command' | 'help';

/** Reads one text of the command line. Throws a usage error that calls it `field`, such as `--step`. */
export type Read<T> = (text: string, field: string) => T;

/** What every parameter may say beside its meaning. */
interface More {
  readonly offer?: Offer;
  /** The words it takes, where it takes no others. */
  readonly choices?: readonly string[];
}

/** An argument of a command. Its key in the literal is its name in the help. */
export interface Argument<T> extends More {
  readonly meaning: string;
  readonly required: boolean;
  /** Whether it takes all words that follow. */
  readonly variadic: boolean;
  /** Makes a value of the words it was given, possibly none. Throws a usage error that calls it `field`. */
  readonly read: (texts: readonly string[], field: string) => T;
}

/** An option of a command. Its key in the literal is its name: `waitTimeout` is typed `--wait-timeout`. */
export interface Option<T> extends More {
  readonly meaning: string;
  /** `switch` is `--name`, `negated` is `--no-name`, `value` and `list` take a text, `optional` may take one. */
  readonly form: 'switch' | 'negated' | 'value' | 'optional' | 'list';
  /** The name of its value in the help, such as `duration`; empty for a switch. */
  readonly value: string;
  readonly short?: string;
  /** The heading above it in the help. */
  readonly heading?: string;
  /** The hint of the error if it is given twice, even with equal values. Without it, equal values are accepted. */
  readonly twice?: string;
  /** Makes a value of the texts it was given, possibly none; a switch is given an empty text. */
  readonly read: (texts: readonly string[], field: string) => T;
}

/** The arguments of a command, in their order. */
export type Arguments = Readonly<Record<string, Argument<unknown>>>;
/** The options of a command, in the order of the help. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values that a command gets for its arguments or options. */
export type Values<P> = {
  readonly [K in keyof P]: P[K] extends { readonly read: (texts: readonly string[], field: string) => infer T }
    ? T
    : never;
};

const asText: Read<string> = (text) => text;

/** A switch: `--dry-run`. */
export function flag(meaning: string, more: Pick<Option<unknown>, 'short'> = {}): Option<boolean> {
  return { ...more, meaning, form: 'switch', value: '', read: (texts) => texts.length > 0 };
}

/** A switch that turns something off: the value of `browser` is false with `--no-browser`. */
export function off(meaning: string): Option<boolean> {
  return { meaning, form: 'negated', value: '', read: (texts) => texts.length === 0 };
}

/** What an option with a value may say beside its meaning. */
type ValueMore = Pick<Option<unknown>, 'short' | 'offer' | 'twice' | 'choices'>;

/** An option with a value. */
export function option<T>(value: string, meaning: string, read: Read<T>, more?: ValueMore): Option<T | undefined>;
export function option(value: string, meaning: string, read?: undefined, more?: ValueMore): Option<string | undefined>;
export function option(
  value: string,
  meaning: string,
  read: Read<unknown> = asText,
  more: ValueMore = {},
): Option<unknown> {
  return {
    ...more,
    meaning,
    form: 'value',
    value,
    read: ([text], field) => (text === undefined ? undefined : read(text, field)),
  };
}

/** An option whose value is one of the listed words. */
export function choice<const Word extends string>(
  value: string,
  meaning: string,
  choices: readonly Word[],
  more: Pick<Option<unknown>, 'short' | 'twice'> = {},
): Option<Word | undefined> {
  return option(value, meaning, (text, field) => parseChoice(text, field, choices), { ...more, choices });
}

/** An option that may be given several times. */
export function list(
  value: string,
  meaning: string,
  more: Pick<Option<unknown>, 'short' | 'offer'> = {},
): Option<readonly string[]> {
  return { ...more, meaning, form: 'list', value, read: (texts) => texts };
}

/** An option that may stand alone, `--resume`, or with a value, `--resume <key>`; alone it is true. */
export function optionalValue(value: string, meaning: string): Option<string | true | undefined> {
  return { meaning, form: 'optional', value, read: ([text]) => (text === '' ? true : text) };
}

/** Puts options under a heading of their own in the help. */
export function under<const O extends Options>(heading: string, options: O): O;
export function under(heading: string, options: Options): Options {
  return Object.fromEntries(Object.entries(options).map(([key, one]) => [key, { ...one, heading }]));
}

/** What an argument may say beside its meaning. */
interface ArgumentMore<T> extends More {
  readonly read: Read<T>;
}

/** An argument that must be given. */
export function required<T>(meaning: string, more: ArgumentMore<T>): Argument<T>;
export function required(meaning: string, more?: More): Argument<string>;
export function required(meaning: string, more: More & { readonly read?: Read<unknown> } = {}): Argument<unknown> {
  const { read = asText } = more;
  return {
    ...more,
    meaning,
    required: true,
    variadic: false,
    read: ([text = ''], field) => read(text, field),
  };
}

/** An argument that may be left out. */
export function optional<T>(meaning: string, more: ArgumentMore<T>): Argument<T | undefined>;
export function optional(meaning: string, more?: More): Argument<string | undefined>;
export function optional(meaning: string, more: More & { readonly read?: Read<unknown> } = {}): Argument<unknown> {
  const { read = asText } = more;
  return {
    ...more,
    meaning,
    required: false,
    variadic: false,
    read: ([text], field) => (text === undefined ? undefined : read(text, field)),
  };
}

/** The words that follow, at least `least` of them. */
export function rest(meaning: string, least: 0 | 1, more: More = {}): Argument<readonly string[]> {
  return { ...more, meaning, required: least > 0, variadic: true, read: (texts) => texts };
}
