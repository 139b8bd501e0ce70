import type { Argument, Command, Option } from 'commander';
import { notesOf } from './attach.ts';

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
  readonly repeatable: boolean;
}

/** A command of the tree, as data. */
export interface CommandDescription {
  /** The words that are typed, such as `svc domains add`. */
  readonly path: string;
  readonly summary: string;
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
  readonly summary: string;
  readonly globalOptions: readonly OptionDescription[];
  readonly commands: readonly CommandDescription[];
}

/** Describes a built program, for documentation, completion and tools. */
export function describeProgram(program: Command): TreeDescription {
  return {
    name: program.name(),
    version: program.version() ?? '',
    summary: program.description(),
    globalOptions: program.options.map(describeOption),
    commands: program.commands.map(describeCommand),
  };
}

function describeCommand(command: Command): CommandDescription {
  const { examples, exitCodes = [] } = notesOf(command);
  return {
    path: pathOf(command),
    summary: command.description(),
    group: command.helpGroup().replace(/:$/, ''),
    usage: `${pathOf(command)} ${command.usage()}`.trim(),
    isDefault: isDefault(command),
    arguments: command.registeredArguments.map(describeArgument),
    options: command.options.filter((option) => !option.hidden).map(describeOption),
    examples: examples.map(([line, meaning]) => ({ command: line, meaning })),
    exitCodes: exitCodes.map(([code, meaning]) => ({ code, meaning })),
    commands: command.commands.map(describeCommand),
  };
}

function describeArgument(argument: Argument): ArgumentDescription {
  return {
    name: argument.name(),
    description: argument.description,
    required: argument.required,
    variadic: argument.variadic,
    choices: argument.argChoices ?? [],
  };
}

function describeOption(option: Option): OptionDescription {
  return {
    flags: option.flags,
    long: option.long ?? '',
    short: option.short,
    description: option.description,
    value: option.flags.match(/[<[]([^>\]]+?)(?:\.\.\.)?[>\]]/)?.[1],
    choices: option.argChoices ?? [],
    repeatable: option.variadic || option.flags.endsWith('...'),
  };
}

/** commander keeps the default subcommand's name on its parent, without a public reader. */
function isDefault(command: Command): boolean {
  const parent = command.parent as (Command & { readonly _defaultCommandName?: string | null }) | null;
  return parent?._defaultCommandName === command.name();
}

/** The words that are typed to reach a command. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
