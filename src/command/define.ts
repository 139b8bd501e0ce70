import type { CsvTable } from '../terminal/csv.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Context } from './context.ts';
import { type Arguments, flag, type Options, type Values } from './parameters.ts';
import { checkAgreement, readArguments, readOptions, type Texts } from './read-values.ts';
import type { Result } from './result.ts';

/** A command of the tree. Its file is loaded only if it is typed, or if help needs it. */
interface Leaf {
  readonly name: string;
  readonly heading?: string;
  /** Left out of lists: a command that other programs call. */
  readonly hidden?: boolean;
  readonly load: () => Promise<{ readonly default: Command }>;
}

/** A group of commands, such as `svc domains`. */
export interface Group {
  readonly name: string;
  readonly heading?: string;
  readonly summary: string;
  /** The child that runs if none is named. */
  readonly standIn?: string;
  readonly children: readonly Entry[];
}

/** A part of the command tree. */
export type Entry = Leaf | Group;

/** Whether an entry is a group. */
export function isGroup(entry: Entry): entry is Group {
  return 'children' in entry;
}

/**
 * What a command does to the world: it reads, changes something at the service, moves a domain's DNS, spends money, or
 * works on this machine alone.
 */
export type Effect = 'reads' | 'changes' | 'moves-dns' | 'spends' | 'local';

/** What every command gets. */
interface Common {
  /** `--csv`, which every command with a `csv` table has. */
  readonly csv: boolean;
}

/** A command, whole: everything that svc knows about it is read from here. */
interface Definition<A, O, Value> {
  /** The words that are typed behind `svc`, such as `wp run`. */
  readonly path: string;
  /** What it does, in a line of a list. */
  readonly summary: string;
  /** What it does, at length; the summary unless given. */
  readonly description?: string;
  readonly effect: Effect;
  /** How it is typed behind its path, where that is not its arguments and `[options]`. */
  readonly usage?: string;
  readonly args: A;
  /** An option with the key of an argument is another way to give the same value. */
  readonly options: O;
  /** Command lines and what they do, for the help; each runs in the sandbox. */
  readonly examples: ReadonlyArray<readonly [commandLine: string, meaning: string]>;
  /** Exit codes with a meaning of their own here. */
  readonly exitCodes?: ReadonlyArray<readonly [code: number, meaning: string]>;
  /** Does the work and returns the result; prints nothing. */
  run(context: Context, values: Values<A> & Values<O> & Common): Promise<Result<Value>>;
  /** Shows the value to a person; left out by commands that have printed everything when they end. */
  human?(screen: Screen, value: NoInfer<Value>): void;
  /** What `--csv` prints, for a command whose result is a table. Stands behind `run`, which gives the value its type. */
  readonly csv?: { readonly what: string; table(value: NoInfer<Value>): CsvTable };
}

/** Any command, for those who read its definition. */
export type Command = Definition<Arguments, Options, unknown>;

/** Declares a command. The types of `run`'s values follow from `args` and `options`, that of `human`'s from `run`. */
export function defineCommand<const A extends Arguments, const O extends Options, Value>(
  definition: Definition<A, O, Value>,
): Definition<A, O, Value> {
  return definition;
}

/** The options of a command, with `--csv` if its result is a table. */
export function optionsOf({ options, csv }: Command): Options {
  return csv === undefined ? options : { ...options, csv: flag(`print ${csv.what} as comma-separated values`) };
}

/** The values of a command's arguments and options. Throws a usage error for a text that makes no sense. */
export function valuesOf(
  command: Command,
  texts: Texts,
): Readonly<Record<string, unknown>> & { readonly csv: boolean } {
  const { args, options } = command;
  checkAgreement(args, options, texts);
  return { csv: texts.has('csv'), ...readArguments(args, texts), ...readOptions(options, texts) };
}
