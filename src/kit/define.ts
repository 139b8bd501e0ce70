import type { CsvTable } from '../terminal/csv.ts';
import type { Column, Screen, Text } from '../terminal/screen.ts';
import type { Context } from './context.ts';
import type { Each } from './each.ts';
import type { Arguments, Options, Values } from './parameters.ts';
import type { KnownName, OneOfSeveral, Printed, Result, Together } from './result.ts';

/** A command of the tree. Its file is loaded only if the command is typed, or help needs it. */
export interface Leaf {
  readonly name: string;
  readonly heading?: string;
  /** Left out of lists: for commands that programs call. */
  readonly hidden?: boolean;
  readonly load: () => Promise<{ readonly default: Command }>;
}

/** Such as `svc domains`. */
export interface Group {
  readonly name: string;
  readonly heading?: string;
  readonly summary: string;
  readonly standIn?: string;
  readonly children: readonly Entry[];
}

/** A node of the command tree. */
export type Entry = Leaf | Group;

/** Whether it has commands below it instead of being one. */
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
  readonly title: string;
  readonly says: string;
  /** The arguments and options that agents may give, each with its meaning. */
  readonly takes: { readonly [K in Key]?: string | ToolArgument };
  /** Options of every call, which are not an agent's to give. */
  readonly always?: readonly string[];
  /** Set if the same call again has no further effect, although it changes something. */
  readonly isRepeatable?: true;
}

/** Not the text of its option; `name` if the same thing has another key in other tools. */
export interface ToolArgument {
  readonly says: string;
  readonly name?: string;
  readonly type?: 'integer' | 'seconds';
}

/** A command: the one source of parsing, help, completion and the reference. */
interface Definition<A, O, Value> {
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly effect: Effect;
  /** It forgets something on this machine: like what changes the platform, no mistyped word is answered with it. */
  readonly forgets?: true;
  /** The usage after the path; default: the arguments and `[options]`. */
  readonly usage?: string;
  readonly args: A;
  readonly options: O;
  /** The argument or option that may have several values: the command is then carried out for each. */
  readonly each?: Each;
  /** The options that work on one only. */
  readonly alone?: ReadonlyArray<keyof O & string>;
  /** One of these with which a single run shows all that the line names, instead of a run for each. */
  readonly stays?: keyof O & string;
  /** Asks the platform for all of them, for an option such as `--all-orgs`. */
  all?(context: Context): Promise<readonly string[]>;
  readonly examples: ReadonlyArray<readonly [commandLine: string, meaning: string]>;
  /** Without this the command is no tool of `svc mcp`. */
  readonly tool?: ToolWords<Extract<keyof A | keyof O, string>>;
  more?(): Promise<{ readonly title: string; readonly rows: ReadonlyArray<readonly [term: string, meaning: string]> }>;
  readonly exitCodes?: ReadonlyArray<readonly [code: number, meaning: string]>;
  /** Asks the platform for names to pick from if the argument is missing; default: those seen before. */
  names?(context: Context): Promise<readonly KnownName[]>;
  /** Checks the options against each other, before anything is asked or sent. Throws a usage error. */
  check?(context: Context, options: Values<O> & WithTable): void;
  /** Does the work. Returns the result and prints nothing, or prints as it goes and returns how it ended. */
  run(
    context: Context,
    values: Values<A> & Values<O> & WithTable,
    tree: readonly Entry[],
  ): Promise<Result<Value> | Printed>;
  /** One result of several, such as a table with a row for each. Throws a usage error before anything is sent. */
  together?(
    context: Context,
    options: Values<O> & WithTable,
    items: readonly OneOfSeveral[],
  ): Promise<Together<NoInfer<Value>>>;
  /** Shows the value to people; left out if the command prints as it goes. */
  human?(screen: Screen, value: NoInfer<Value>): void;
  /** Shows several in one table, a row each; the first column is what they are carried out for. */
  readonly row?: {
    readonly head: readonly (string | Column)[];
    of(value: NoInfer<Value>): readonly (Text | undefined)[];
  };
  /** What `--csv` and `--columns` print. Comes after `run`, which gives the value its type. */
  readonly csv?: {
    readonly what: string;
    /** The head of the table, if it is known before the answer. */
    readonly columns?: readonly string[];
    table(value: NoInfer<Value>): CsvTable;
  };
}

/** Any command, for code that treats all of them alike. */
export type Command = Definition<Arguments, Options, unknown>;

/** `args` and `options` give the types of `run`'s values, and `run` that of `human`'s. */
export function defineCommand<const A extends Arguments, const O extends Options, Value>(
  definition: Definition<A, O, Value>,
): Definition<A, O, Value> {
  return definition;
}
