import type { Answer } from '../../api/call.ts';
import { unwrap } from '../../api/read-answer.ts';
import type { DocumentName, DocumentOf } from '../../contract/fields/documents.ts';
import type { CliError, ErrorDetails } from '../../errors.ts';
import { keepNumbers } from '../../json/scan.ts';
import { toJsonText } from '../../json/values.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import type { Column, Screen, Text } from '../../terminal/screen.ts';
import type { Arguments, Options, Values } from '../values/parameters.ts';
import type { Context } from './context.ts';
import type { KnownName, KnownNames } from './name-notes.ts';

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
  readonly defaultCommand?: string | undefined;
  readonly children: readonly Entry[];
}

/** A node of the command tree. */
export type Entry = Leaf | Group;

/** Whether it has commands below it. */
export function isGroup(entry: Entry): entry is Group {
  return 'children' in entry;
}

/** The effect of a command on the platform; `local` has none. */
type Effect = 'reads' | 'changes' | 'moves-dns' | 'spends' | 'local';

/** The table that a line asks for. */
export type WithTable = {
  /** The option that asks for it, such as `--csv`. */
  readonly csv: string | undefined;
};

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
  /** Whether it removes something from this machine: no mistyped word is answered with it. */
  readonly isDestructiveLocally?: true;
  /** The usage after the path; default: the arguments and `[options]`. */
  readonly usage?: string;
  readonly args?: A;
  readonly options?: O;
  readonly examples?: ReadonlyArray<readonly [commandLine: string, meaning: string]>;
  /**
   * The command as a tool of `svc mcp`, in words for models: without flags, variables and command
   * lines. It is none without.
   */
  readonly tool?: {
    readonly title: string;
    readonly description: string;
    /** The arguments of agents, each with its meaning. */
    readonly arguments?: {
      readonly [K in Extract<keyof A | keyof O, string>]?: string | ToolArgument;
    };
    /** Options of every call, which an agent cannot give. */
    readonly fixedOptions?: readonly string[];
    /** Two equal calls change something once. */
    readonly isRepeatable?: true;
  };
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

/** The kind of a batch: the key of the argument or option that names one. */
export type BatchOf = 'service' | 'deploymentId' | 'jobId' | 'database' | 'domain' | 'org';

/** One item of a batch. */
export interface BatchItem {
  /** The place in the list, from 0. */
  readonly index: number;
  readonly id: string;
}

/**
 * How a command is carried out for a batch. Stands behind `run`, which gives the value its type.
 */
interface Batch<Value, Values, Key extends string> {
  readonly of: BatchOf;
  /** The options that work on one item only. */
  readonly single?: readonly Key[];
  /** The options that make it a check, which fails over an empty list; `always` without one. */
  readonly checks?: readonly Key[] | 'always';
  /** Asks the platform for the ids of all of them: `--all-orgs`. */
  all?(context: Context): Promise<readonly string[]>;
  /** Shows all results in one table, behind a column of their ids. */
  readonly row?: {
    readonly head: readonly (string | Column)[];
    cells(value: Value): readonly (Text | undefined)[];
  };
  /**
   * Shows all results together in a way of its own, or does the whole job by itself. Throws usage
   * errors first.
   */
  gather?(
    context: Context,
    options: Values,
    items: readonly BatchItem[],
  ): Promise<BatchView<Value> | Printed>;
}

/** All results of a batch, shown as one. */
export interface BatchView<Value> {
  readonly csv: {
    readonly head: readonly string[];
    rowsOf(
      value: Value | undefined,
      item: BatchItem,
      error: CliError | undefined,
    ): CsvTable['rows'];
  };
  /** Takes the result of an item, once for each, in the order in which they end. */
  add(item: BatchItem, value: Value | undefined, error: CliError | undefined): void;
  show(screen: Screen): void;
}

/** Goes to stderr once the result is printed. */
export interface Warning {
  readonly text: Text;
  /** Stable, in snake_case. */
  readonly code: string;
}

/** The result of a command, which one place prints. */
export interface Result<Value> {
  readonly value: Value;
  /** Shows the value in place of `human` of the command. */
  readonly show?: ((screen: Screen) => void) | undefined;
  /** The text that `--json` prints. */
  readonly json: string | undefined;
  /** Makes the answer of a tool of `svc mcp` in place of `json`. */
  readonly forTool?: (() => object) | undefined;
  /** Ends the command once the answer is printed. */
  readonly failure?: CliError | undefined;
  /** The exit code of a success, as `sandbox exec` has. */
  readonly exitCode?: number | undefined;
  /** A sentence. If printing fails, the error begins with it, so that nobody repeats the change. */
  readonly doneSentence?: string | undefined;
  /** The fields of that error. */
  readonly createdIds?:
    | Pick<ErrorDetails, 'orderId' | 'jobId' | 'idempotencyKey' | 'hint'>
    | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  /** Whether what was begun goes on: a job that was queued, and not waited for. */
  readonly isUnfinished?: boolean | undefined;
  /** Names in the answer; typed ones are remembered anyway. */
  readonly namesToCache?: KnownNames | undefined;
  /** Runs once the result is printed, or a reader has closed the pipe. */
  readonly onDelivered?: (() => Promise<void>) | undefined;
}

/** The API's answer as a result. */
export function toResult<Value>(
  answer: Answer<unknown>,
  value: Value,
  failure?: CliError,
): Result<Value> {
  return { value, json: answer.text, failure };
}

/** `view` makes the value for people. */
export function readAnswer<T, Value>(answer: Answer<T>, view: (value: T) => Value): Result<Value> {
  return toResult(answer, view(asWritten(answer)));
}

/**
 * Returns the value for people: numbers that JavaScript would write otherwise are texts. Decide by
 * {@link Answer.value}.
 */
export function asWritten<T>(answer: Answer<T>): T {
  const text = keepNumbers(answer.text);
  return text === answer.text
    ? answer.value
    : (unwrap(JSON.parse(text), answer.operation).value as T);
}

/** Sets the view of a result, for a command whose results are of several kinds. */
export function withView<Value>(
  result: Result<Value>,
  show: (screen: Screen, value: Value) => void,
): Result<never> {
  return { ...result, value: undefined as never, show: (screen) => show(screen, result.value) };
}

/** The end of a command that prints as it goes, such as `login`. */
export interface Printed extends Pick<Result<unknown>, 'failure' | 'exitCode' | 'namesToCache'> {
  readonly isPrinted: true;
}

/** Nothing more is printed but an error. */
export function printed(ending: Omit<Printed, 'isPrinted'> = {}): Printed {
  return { isPrinted: true, ...ending };
}

/** The version grows when a field changes its meaning or is removed. */
export const SCHEMA_VERSION = 1;

/** Returns a document of the table of fields; any other field is a compile error. */
export function document<Name extends DocumentName>(
  _name: Name,
  content: DocumentOf<Name>,
  failure?: CliError,
): Result<DocumentOf<Name>> {
  return {
    value: content,
    json: toJsonText({ schemaVersion: SCHEMA_VERSION, ...content }),
    failure,
  };
}
