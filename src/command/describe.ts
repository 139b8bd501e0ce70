import type { Argument, Command, Option } from 'commander';
import { notesOf } from './attach.ts';
import { isRepeatable } from './parse/repeated.ts';
import { isDefault, pathOf, usageOf } from './usage.ts';

/** An argument of a command, as data. */
export interface ArgumentDescription {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly choices: readonly string[];
}

/** An option of a command, as data. */
export interface OptionDescription {
  readonly flags: string;
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  /** Name of its value; absent for switches. */
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** Whether it may be given several times. */
  readonly repeatable: boolean;
  /** The heading it stands under in the help of its command. */
  readonly group: string;
}

/** A command of the tree, as data. */
export interface CommandDescription {
  /** The words that are typed, such as `svc domains add`. */
  readonly path: string;
  /** What it does, in a line of a list. */
  readonly summary: string;
  /** What it does, at length. */
  readonly description: string;
  /** The heading it stands under in the help of `svc`. */
  readonly group: string;
  readonly usage: string;
  /** Whether its group runs it when no subcommand is named. */
  readonly isDefault: boolean;
  readonly arguments: readonly ArgumentDescription[];
  readonly options: readonly OptionDescription[];
  readonly examples: ReadonlyArray<{ readonly command: string; readonly meaning: string }>;
  readonly exitCodes: ReadonlyArray<{ readonly code: number; readonly meaning: string }>;
  readonly commands: readonly CommandDescription[];
}

/** The whole command tree. */
export interface TreeDescription {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly globalOptions: readonly OptionDescription[];
  readonly commands: readonly CommandDescription[];
}

/** Describes a built program, for documentation, completion and tools. */
export function describeProgram(program: Command): TreeDescription {
  return {
    name: program.name(),
    version: program.version() ?? '',
    description: program.description(),
    globalOptions: describeGlobalOptions(program),
    commands: program.commands.map(describeCommand),
  };
}

/** Describes the options that every command understands. */
export function describeGlobalOptions(program: Command): readonly OptionDescription[] {
  return optionsOf(program);
}

/** Describes a command and those below it. */
export function describeCommand(command: Command): CommandDescription {
  const { examples, exitCodes = [] } = notesOf(command);
  return {
    path: pathOf(command),
    summary: command.summary() || command.description(),
    description: command.description(),
    group: withoutColon(command.helpGroup()),
    usage: usageOf(command),
    isDefault: isDefault(command),
    arguments: command.registeredArguments.map(describeArgument),
    options: optionsOf(command).filter(({ long }) => long !== '--help'),
    examples: examples.map(([line, meaning]) => ({ command: line, meaning })),
    exitCodes: exitCodes.map(([code, meaning]) => ({ code, meaning })).sort((a, b) => a.code - b.code),
    commands: command.commands.map(describeCommand),
  };
}

function describeArgument(argument: Argument): ArgumentDescription {
  return {
    name: argument.name(),
    description: argument.description,
    required: argument.required,
    variadic: argument.variadic,
    choices: choicesOf(argument.parseArg),
  };
}

/** commander keeps `--help` apart from the other options; its own help page joins them. */
function optionsOf(command: Command): OptionDescription[] {
  return command.createHelp().visibleOptions(command).map(describeOption);
}

function describeOption(option: Option): OptionDescription {
  return {
    flags: option.flags,
    long: option.long ?? '',
    short: option.short,
    description: option.description + defaultOf(option),
    value: option.flags.match(/^[^<[]*[<[](.+)[>\]]$/)?.[1],
    choices: choicesOf(option.parseArg),
    repeatable: isRepeatable(option),
    group: withoutColon(option.helpGroupHeading ?? 'Options:'),
  };
}

/** The words that a reader knows, where it knows them. */
function choicesOf(read: unknown): readonly string[] {
  return typeof read === 'function' && 'choices' in read ? (read.choices as readonly string[]) : [];
}

function defaultOf({ defaultValue }: Option): string {
  return defaultValue === undefined || typeof defaultValue === 'boolean' ? '' : ` (default: ${String(defaultValue)})`;
}

function withoutColon(heading: string): string {
  return heading.replace(/:$/, '');
}

/** The last word of a command's path. */
export function nameOf({ path }: CommandDescription): string {
  return path.slice(path.lastIndexOf(' ') + 1);
}
