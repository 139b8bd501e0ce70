import type { CsvTable } from '../../terminal/csv.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { Arguments, Options, Values } from '../values/parameters.ts';
import type { Batch } from './batch.ts';
import type { Context } from './context.ts';
import type { KnownName, Printed, Result } from './result.ts';

/** A command, whose file is loaded only if it is typed, or help needs it. */
export interface Leaf {
  readonly name: string;
  readonly heading?: string;
  /** Whether it is for programs, and in no list. */
  readonly hidden?: boolean;
  readonly load: () => Promise<Command>;
}

/** Commands below a word, such as `svc domains`. */
export interface Group {
  readonly name: string;
  readonly heading?: string;
  readonly summary: string;
  readonly standIn?: string | undefined;
  readonly children: readonly Entry[];
}

/** A node of the command tree. */
export type Entry = Leaf | Group;

/** Whether it has commands below it. */
export function isGroup(entry: Entry): entry is Group {
  return 'children' in entry;
}

/** The effect of a command on the platform; `local` has none. */
export type Effect = 'reads' | 'changes' | 'moves-dns' | 'spends' | 'local';

/** The table that a line asks for. */
export type WithTable = {
  /** The option that asks for it, such as `--csv`. */
  readonly csv: string | undefined;
};

/** A command as a tool, in words for models: without flags, variables and command lines. */
interface ToolWords<Key extends string> {
  readonly title: string;
  readonly description: string;
  /** The arguments of agents, each with its meaning. */
  readonly arguments?: { readonly [K in Key]?: string | ToolArgument };
  /** Options of every call, which an agent cannot give. */
  readonly fixedOptions?: readonly string[];
  /** Two equal calls change something once. */
  readonly isRepeatable?: true;
}

/** An argument with words of its own; `name` is what other tools call it. */
export interface ToolArgument {
  readonly description: string;
  readonly name?: string;
  readonly type?: 'integer' | 'seconds';
}

/** The one source of parsing, help, completion and the reference. */
interface Definition<A, O, Value> {
  readonly summary: string;
  readonly description?: string;
  readonly effect: Effect;
  /** Present if it forgets something here: no mistyped word is answered with it. */
  readonly forgets?: true;
  /** The usage after the path; default: the arguments and `[options]`. */
  readonly usage?: string;
  readonly args?: A;
  readonly options?: O;
  readonly examples?: ReadonlyArray<readonly [commandLine: string, meaning: string]>;
  /** The command as a tool of `svc mcp`; it is none without. */
  readonly tool?: ToolWords<Extract<keyof A | keyof O, string>>;
  more?(): Promise<{
    readonly title: string;
    readonly rows: ReadonlyArray<readonly [term: string, meaning: string]>;
  }>;
  readonly exitCodes?: ReadonlyArray<readonly [code: number, meaning: string]>;
  /** Names to pick from if the argument is missing; default: those seen before. */
  names?(context: Context): Promise<readonly KnownName[]>;
  /** Throws a usage error for options that do not fit, before anything is asked or sent. */
  check?(context: Context, options: Values<O> & WithTable): void;
  /** Returns the result and prints nothing, or prints as it goes and returns how it ended. */
  run(
    context: Context,
    values: Values<A> & Values<O> & WithTable,
    tree: readonly Entry[],
  ): Promise<Result<Value> | Printed>;
  /** Shows the value to people. */
  human?(screen: Screen, value: NoInfer<Value>): void;
  /** How it is carried out for several: a list of services, all organizations. */
  readonly batch?: Batch<NoInfer<Value>, Values<O> & WithTable, keyof O & string>;
  /** The table of `--csv` and `--columns`. Comes after `run`, which gives the value its type. */
  readonly csv?: {
    readonly what: string;
    /** If they are known before the answer. */
    readonly columns?: readonly string[];
    table(value: NoInfer<Value>): CsvTable;
  };
}

type AnyDefinition = Definition<Arguments, Options, unknown>;

/** The literal of any command. */
export type CommandLiteral = AnyDefinition &
  Required<Pick<AnyDefinition, 'args' | 'options' | 'examples'>>;

/** Any command, with its words behind `svc`. */
export type Command = CommandLiteral & { readonly path: string };

/** A command without arguments, or without options, has none of that name. */
type Nothing = Readonly<Record<never, never>>;

/** `args` and `options` give the types of `run`'s values, and `run` that of `human`'s. */
export function defineCommand<
  const A extends Arguments = Nothing,
  const O extends Options = Nothing,
  Value = unknown,
>(definition: Definition<A, O, Value>): CommandLiteral {
  return { args: {}, options: {}, examples: [], ...definition } as CommandLiteral;
}
