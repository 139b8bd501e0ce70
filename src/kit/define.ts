import type { CsvTable } from '../terminal/csv.ts';
import type { Column, Screen, Text } from '../terminal/screen.ts';
import type { Context } from './context.ts';
import { type Each, optionsForEach, rowColumns } from './each.ts';
import { type Argument, type Arguments, nameKindOf, type Options, type Parameter, type Values } from './parameters.ts';
import {
  askedTable,
  checkAgreement,
  columnOptions,
  csvOption,
  readArguments,
  readOptions,
  type Texts,
} from './read-values.ts';
import type { KnownName, OneOfSeveral, Printed, Result, Together } from './result.ts';

/** A command of the tree. Its file is loaded only if the command is typed, or help needs it. */
interface Leaf {
  readonly name: string;
  readonly heading?: string;
  /** Left out of lists: for commands that programs call. */
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

/** A node of the command tree. */
export type Entry = Leaf | Group;

/** Whether an entry has commands below it instead of being one. */
export function isGroup(entry: Entry): entry is Group {
  return 'children' in entry;
}

/** What a command does: read, change something at the platform, move a domain's DNS, spend money, or stay on this machine. */
export type Effect = 'reads' | 'changes' | 'moves-dns' | 'spends' | 'local';

/** What a line says about the table of its command. */
export type WithTable = {
  /** The option that asks for the table and nothing else: `--csv`, `--columns` or `--no-header`. */
  readonly csv: string | undefined;
  /** With the switch that {@link Definition.stays} names: the others that the line names, behind the first. */
  readonly beside?: readonly string[];
};

/** A command as a tool, in words for models: without flags, variables and command lines. */
interface ToolWords<Key extends string> {
  /** For people, who see it in their client. */
  readonly title: string;
  /** When to use it, when to use another tool, and how long the answer is. */
  readonly says: string;
  /** The arguments and options that agents may give, each with its meaning. */
  readonly takes: { readonly [K in Key]?: string | ToolArgument };
  /** Options of every call, which are not an agent's to give. */
  readonly always?: readonly string[];
  /** Set if the same call again has no further effect, although it changes something. */
  readonly isRepeatable?: true;
}

/** An argument of a tool that is not the text of its option. */
export interface ToolArgument {
  readonly says: string;
  /** Its name for agents, if it is not the key: the same thing has the same name in every tool. */
  readonly name?: string;
  /** A number, of seconds for a duration. */
  readonly type?: 'integer' | 'seconds';
}

/** A command: the one source of parsing, help, completion and the reference. */
interface Definition<A, O, Value> {
  /** The words after `svc`, such as `wp run`. */
  readonly path: string;
  /** One line, for lists. */
  readonly summary: string;
  /** At length; default: the summary. */
  readonly description?: string;
  readonly effect: Effect;
  /** Set if it forgets something on this machine: like what changes the platform, no mistyped word is answered with it. */
  readonly forgets?: true;
  /** The usage after the path; default: the arguments and `[options]`. */
  readonly usage?: string;
  readonly args: A;
  /** An option with the key of an argument is another way to give the same value. */
  readonly options: O;
  /** The argument or option that may have several values: the command is then carried out for each. */
  readonly each?: Each;
  /** The options that work on one only. */
  readonly alone?: ReadonlyArray<keyof O & string>;
  /** One of these with which a single run shows all that the line names, instead of a run for each. */
  readonly stays?: keyof O & string;
  /** Asks the platform for all of them, for an option such as `--all-orgs`. */
  all?(context: Context): Promise<readonly string[]>;
  /** Command lines and what they do, for the help; each runs in the sandbox. */
  readonly examples: ReadonlyArray<readonly [commandLine: string, meaning: string]>;
  /** What agents read about it as a tool (`svc mcp`). Without this it is no tool. */
  readonly tool?: ToolWords<Extract<keyof A | keyof O, string>>;
  /** A table at the end of its help, made when the help is shown. */
  more?(): Promise<{ readonly title: string; readonly rows: ReadonlyArray<readonly [term: string, meaning: string]> }>;
  /** Exit codes that mean something particular here. */
  readonly exitCodes?: ReadonlyArray<readonly [code: number, meaning: string]>;
  /** Asks the platform for the names that a person may pick from if the argument is missing; default: those seen before. */
  names?(context: Context): Promise<readonly KnownName[]>;
  /** Checks the options against each other, before anything is asked or sent. Throws a usage error. */
  check?(context: Context, options: Values<O> & WithTable): void;
  /**
   * Does the work. Returns the result and prints nothing, or prints as it goes and returns how it ended.
   * @param tree all commands, for those that are about commands, such as help
   */
  run(
    context: Context,
    values: Values<A> & Values<O> & WithTable,
    tree: readonly Entry[],
  ): Promise<Result<Value> | Printed>;
  /** Makes one result of several, such as a table with a row for each. Throws a usage error before anything is sent. */
  together?(
    context: Context,
    options: Values<O> & WithTable,
    items: readonly OneOfSeveral[],
  ): Promise<Together<NoInfer<Value>>>;
  /** Shows the value to people; left out if the command prints as it goes. */
  human?(screen: Screen, value: NoInfer<Value>): void;
  /** Shows several in one table, a row each, instead of a screen each; the first column is what they are carried out for. */
  readonly row?: {
    readonly head: readonly (string | Column)[];
    of(value: NoInfer<Value>): readonly (Text | undefined)[];
  };
  /** What `--csv` and `--columns` print, which only commands with this have. Comes after `run`, which gives the value its type. */
  readonly csv?: {
    readonly what: string;
    /** The head of the table, if it is known before the answer. */
    readonly columns?: readonly string[];
    table(value: NoInfer<Value>): CsvTable;
  };
}

/** Any command, for code that treats all of them alike. */
export type Command = Definition<Arguments, Options, unknown>;

/** Infers the types of `run`'s values from `args` and `options`, and the type of `human`'s value from `run`. */
export function defineCommand<const A extends Arguments, const O extends Options, Value>(
  definition: Definition<A, O, Value>,
): Definition<A, O, Value> {
  return definition;
}

/** Returns the options of a command, with those for several, and those of a table if its result is one. */
export function optionsOf({ options, csv, row, each }: Command): Options {
  const what = [csv?.what, each === undefined ? undefined : 'a row for each item'].filter((one) => one !== undefined);
  const rows = row === undefined || each === undefined ? undefined : rowColumns(row.head, each);
  return {
    ...options,
    ...(what.length > 0 && csvOption(what.join(', or '))),
    ...((csv ?? row) !== undefined && columnOptions(csv === undefined ? rows : csv.columns)),
    ...(each !== undefined && optionsForEach(each)),
  };
}

/** Whether a line waits until what it began has ended: a command without `--wait` always does. */
export function isWaiting({ options }: Command, texts: Texts): boolean {
  const canWait = Object.hasOwn(options, 'waitTimeout');
  return canWait && (!Object.hasOwn(options, 'wait') || texts.has('wait') || texts.has('waitTimeout'));
}

/** Returns the arguments of a command; the one that may have several values takes all words that follow. */
export function argumentsOf({ args, each }: Command): Arguments {
  const argument = each && args[each];
  return argument === undefined ? args : { ...args, [each as Each]: { ...argument, variadic: true } };
}

/** Whether a line may leave the argument out: for several, which a list names, as well. */
export function mayMiss({ each }: Command, key: string, argument: Argument<unknown>): boolean {
  return !argument.required || isAskedFor(argument) || key === each;
}

/** Whether svc asks for the parameter on a terminal if the line leaves it out. */
export function isAskedFor(parameter: Parameter): boolean {
  return (
    parameter.asked === true || ('required' in parameter && parameter.required && nameKindOf(parameter) !== undefined)
  );
}

/** A command line as it was typed, with the command that it names. */
export interface TypedLine {
  readonly command: Command;
  /** The tree that has the command. */
  readonly tree: readonly Entry[];
  /** The arguments. */
  readonly words: readonly string[];
  /** The options of the command, and the global ones. */
  readonly texts: Texts;
  readonly globals: Texts;
}

/** What a line asks for; made once, before anything is asked or sent. */
export interface ParsedLine {
  readonly command: Command;
  readonly tree: readonly Entry[];
  /** The texts of the arguments and options. Of several items, the first. */
  readonly texts: Texts;
  /** The items that a line for several names itself, possibly none; undefined if the line is for one. */
  readonly items: readonly string[] | undefined;
  /** The arguments and options, by key, that the line leaves out and svc can ask for. */
  readonly missing: ReadonlyMap<string, Parameter>;
  /** The values of a line for one that leaves nothing out, and has no web address in place of an id. */
  readonly values: LineValues | undefined;
}

/** The values of the arguments and options of a command, and which option asks for its table. */
export type LineValues = Readonly<Record<string, unknown>> & WithTable;

/** The key of the texts of {@link WithTable.beside}. */
export const BESIDE = 'beside';

/** Reads the values of a command's arguments and options. Throws a usage error for an invalid text. */
export function valuesOf({ args, options }: Command, texts: Texts): LineValues {
  checkAgreement(args, options, texts);
  const beside = texts.get(BESIDE);
  const values = { csv: askedTable(texts), ...readArguments(args, texts), ...readOptions(options, texts) };
  return beside === undefined ? values : { ...values, beside };
}
