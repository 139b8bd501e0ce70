import type { CsvTable } from '../io/csv.ts';
import type { Screen } from '../io/screen.ts';
import type { Context } from './context.ts';
import type { Result } from './result.ts';

/**
 * Reads the text of an option or an argument; throws a usage error where it makes no sense. Where it takes what was
 * read before, the option may be given several times.
 */
export type Read = (text: string, before: never) => unknown;

/**
 * What a command says of itself: its name, its arguments and its options. commander's `Command` is one; plain command
 * lines are read with a lighter one.
 */
export interface Declaration {
  /** Adds a command below this one, and answers it. */
  command(name: string, options?: { readonly isDefault?: boolean }): Declaration;
  /** What it does, in a line of a list; its description where there is none. */
  summary(text: string): Declaration;
  description(text: string): Declaration;
  /** How it is typed, where that is not its arguments and `[options]`. */
  usage(text: string): Declaration;
  /** `<name>`, `[name]` where it may be left out, `<name...>` where it takes all that follows. */
  argument(name: string, description: string, read?: Read): Declaration;
  /** `--switch`, `--no-switch`, `-l, --long <value>`, or `--long [value]`. */
  option(flags: string, description: string, read?: Read, standard?: unknown): Declaration;
  /** The heading in the help of the options that follow. */
  optionsGroup(heading: string): Declaration;
}

/** A command as its file writes it. */
export interface CommandSpec<Options, Value> {
  /** Does the work and returns the result; prints nothing. */
  readonly run: (context: Context, options: Options) => Promise<Result<Value>>;
  /** Shows the value to a person. */
  readonly human: (screen: Screen, value: Value) => void;
  /** Where the result is a table: what `--csv` prints, and what that is called. */
  readonly csv?: readonly [what: string, table: (value: Value) => CsvTable];
  /** Command lines with what they do, shown in the help; each runs in the sandbox. */
  readonly examples: ReadonlyArray<readonly [commandLine: string, meaning: string]>;
  /** Exit codes with a meaning of their own here. */
  readonly exitCodes?: ReadonlyArray<readonly [code: number, meaning: string]>;
  /** Whether it changes something at the service. */
  readonly changes?: boolean;
}

/** Connects a command of the tree with the code that runs it. */
export type Attach = <Options, Value>(command: Declaration, spec: CommandSpec<Options, Value>) => void;

/** What every command file exports for the tree. */
export interface CommandModule {
  /** Adds the command to its parent: name, one-line description, arguments, options. Does no work. */
  define(parent: Declaration, attach: Attach): void;
}

/** A command of the tree; its file is loaded only when it is named or when help needs it. */
export interface Leaf {
  readonly name: string;
  readonly heading?: string;
  readonly load: () => Promise<CommandModule>;
}

/** A group of commands, such as `svc domains`. */
export interface Group {
  readonly name: string;
  readonly heading?: string;
  readonly summary: string;
  readonly children: readonly Entry[];
}

/** A part of the command tree. */
export type Entry = Leaf | Group;

/** Whether an entry is a group. */
export function isGroup(entry: Entry): entry is Group {
  return 'children' in entry;
}

/** Declares what the specification of a command asks for. */
export function declareSpec(command: Declaration, { csv }: Pick<CommandSpec<never, never>, 'csv'>): void {
  if (csv !== undefined) command.option('--csv', `print ${csv[0]} as comma-separated values`);
}

/** The name under which an option or an argument reaches its command: `--dry-run` is `dryRun`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
