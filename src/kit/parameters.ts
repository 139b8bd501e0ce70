import { notBlank, parseChoice } from './values/choice.ts';

/** Kinds of names that are saved for completion (`known.ts`). */
export const SAVED_KINDS = [
  'organizations',
  'services',
  'databases',
  'deployments',
  'plans',
  'series',
  'actions',
] as const;
/** Profiles are known from the stored sign-ins. */
export type NameKind = 'profiles' | 'jobs' | 'orders' | (typeof SAVED_KINDS)[number];

/** What completion offers for a value: names, files, the words of another command, or help topics. */
export type Offer = NameKind | 'files' | 'command' | 'help';

/** That completion and pickers offer for a parameter; undefined for any other offer. */
export function nameKindOf({ offer }: Parameter): NameKind | undefined {
  return offer === 'files' || offer === 'command' || offer === 'help' ? undefined : offer;
}

/** Parses one text of the command line. Throws a usage error that calls it `field`, such as `--step`. */
export type Read<T> = (text: string, field: string) => T;

interface Common<T> {
  readonly meaning: string;
  /** Parses the texts it was given, possibly none; a switch is given an empty text. Throws a usage error. */
  readonly read: (texts: readonly string[], field: string) => T;
  readonly offer?: Offer;
  /** Asked for on a terminal if neither the line nor a setting names it, as a required argument with names to offer is. */
  readonly asked?: boolean;
  /** The only words it takes. */
  readonly choices?: readonly string[];
  readonly commas?: boolean;
}

/** An argument of a command. Its key in the literal is its name in the help. */
export interface Argument<T> extends Common<T> {
  readonly required: boolean;
  readonly variadic: boolean;
}

/** An option of a command. Its key in the literal is its name: `waitTimeout` is typed `--wait-timeout`. */
export interface Option<T> extends Common<T> {
  /** `switch` is `--name`, `negated` is `--no-name`, `value` and `list` take a text, `optional` may take one. */
  readonly form: 'switch' | 'negated' | 'value' | 'optional' | 'list';
  /** The value's name in the help, such as `duration`; empty for a switch. */
  readonly value: string;
  readonly short?: string;
  readonly heading?: string;
  /** Refuses it if it is given twice, even with equal values; a text is the hint of the error. */
  readonly twice?: string | true;
}

/** What a line may give a command. */
export type Parameter = Argument<unknown> | Option<unknown>;

/** In the order of the line, by their names in the help. */
export type Arguments = Readonly<Record<string, Argument<unknown>>>;
/** In the order of the help. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The parsed values of arguments or options. */
export type Values<P> = {
  readonly [K in keyof P]: P[K] extends { readonly read: (...given: never) => infer T } ? T : never;
};

type More = Pick<Common<unknown>, 'offer' | 'asked' | 'choices' | 'commas'>;
type OptionMore = More & Pick<Option<unknown>, 'short' | 'twice'>;
type ArgumentMore<T> = More & { readonly read?: Read<T> };

/** Reads the first text; undefined without one. */
function first<T>(read: Read<T> | undefined): Common<T | undefined>['read'] {
  const readOne = read ?? ((text: string) => text as T);
  return ([text], field) => (text === undefined ? undefined : readOne(text, field));
}

/** A switch: `--dry-run`. */
export function flag(meaning: string, more: Pick<Option<unknown>, 'short'> = {}): Option<boolean> {
  return { ...more, meaning, form: 'switch', value: '', read: (texts) => texts.length > 0 };
}

/** A switch that turns something off: the value of `browser` is false with `--no-browser`. */
export function off(meaning: string): Option<boolean> {
  return { meaning, form: 'negated', value: '', read: (texts) => texts.length === 0 };
}

/** An option with a text, such as `--org <id>`. `read` parses it; without `read` it stays as it is. */
export function option<T = string>(
  value: string,
  meaning: string,
  read?: Read<T>,
  more: OptionMore = {},
): Option<NoInfer<T> | undefined> {
  return { ...more, meaning, form: 'value', value, read: first(read) };
}

/** An option that names a file. */
export function fileOption(value: string, meaning: string, more: Pick<OptionMore, 'twice'> = {}) {
  return option(value, meaning, notBlank, { ...more, offer: 'files' });
}

/** An option whose value is one of a few words. */
export function choice<const Word extends string>(
  value: string,
  meaning: string,
  choices: readonly Word[],
  more: OptionMore = {},
): Option<Word | undefined> {
  return option(value, meaning, (text, field) => parseChoice(text, field, choices), { ...more, choices });
}

/** An option that may be given several times; its value has all texts in their order. */
export function list(value: string, meaning: string, more?: OptionMore): Option<readonly string[]>;
export function list<T>(value: string, meaning: string, more: OptionMore & Pick<Option<T>, 'read'>): Option<T>;
export function list(value: string, meaning: string, more: OptionMore = {}): Option<unknown> {
  return { read: (texts) => texts, ...more, meaning, form: 'list', value };
}

/** An option with or without a value: `--resume <key>`, or `--resume`, which is true. */
export function optionalValue(value: string, meaning: string): Option<string | true | undefined> {
  return { meaning, form: 'optional', value, read: ([text]) => (text === '' ? true : text) };
}

/** Puts options under a heading in the help. */
export function under<const O extends Options>(heading: string, options: O): O;
export function under(heading: string, options: Options): Options {
  return Object.fromEntries(Object.entries(options).map(([key, one]) => [key, { ...one, heading }]));
}

/** An argument that must be given. `read` parses it; without `read` it stays as it is. */
export function required<T = string>(meaning: string, more: ArgumentMore<T> = {}): Argument<NoInfer<T>> {
  const read: Argument<T>['read'] = ([text = ''], field) => first(more.read)([text], field) as T;
  return { ...more, meaning, required: true, variadic: false, read };
}

/** An argument that may be left out; its value is then undefined. */
export function optional<T = string>(meaning: string, more: ArgumentMore<T> = {}): Argument<NoInfer<T> | undefined> {
  return { ...more, meaning, required: false, variadic: false, read: first(more.read) };
}

/** An argument that takes all words that follow, at least `least` of them. */
export function rest(meaning: string, least: 0 | 1, more: More = {}): Argument<readonly string[]> {
  return { ...more, meaning, required: least > 0, variadic: true, read: (texts) => texts };
}
