import { argumentsOf, optionsOf } from './command.ts';
import { type Command, type Effect, type Entry, isGroup } from './define.ts';
import type { Argument, Option, Options } from './parameters.ts';
import { longName } from './read-values.ts';
import { closest } from './values/choice.ts';

interface ArgumentDescription {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly choices: readonly string[];
}

/** An option as help and `help --json` show it. */
export interface OptionDescription {
  readonly flags: string;
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  /** Name of its value; undefined for switches. */
  readonly value: string | undefined;
  readonly choices: readonly string[];
  readonly repeatable: boolean;
  /** The heading above it in the help of its command. */
  readonly group: string;
}

/** A command or a group of the tree, as plain data. */
export interface CommandDescription {
  /** Such as `svc domains add`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The heading above it in the help of `svc`. */
  readonly group: string;
  readonly usage: string;
  /** Undefined for a group. */
  readonly effect: Effect | undefined;
  /** Whether its group runs it if no subcommand is named. */
  readonly isDefault: boolean;
  readonly arguments: readonly ArgumentDescription[];
  readonly options: readonly OptionDescription[];
  readonly examples: ReadonlyArray<{ readonly command: string; readonly meaning: string }>;
  readonly exitCodes: ReadonlyArray<{ readonly code: number; readonly meaning: string }>;
  readonly commands: readonly CommandDescription[];
}

/** Describes the commands of a tree that are not hidden. Loads the file of each. */
export async function describeEntries(
  entries: readonly Entry[],
  before = 'svc',
  standIn?: string,
): Promise<readonly CommandDescription[]> {
  return Promise.all(visible(entries).map((entry) => describeEntry(entry, before, standIn)));
}

/**
 * Describes one entry of the tree, with those below it.
 * @param before the words before its name.
 * @param standIn the default command of its group.
 */
export async function describeEntry(entry: Entry, before: string, standIn?: string): Promise<CommandDescription> {
  const path = `${before} ${entry.name}`;
  const place = { path, group: entry.heading ?? 'Commands', isDefault: entry.name === standIn };
  if (!isGroup(entry)) return { ...place, ...describeCommand((await entry.load()).default, path), commands: [] };
  return {
    ...place,
    summary: entry.summary,
    description: entry.summary,
    usage: `${path} ${entry.standIn === undefined ? '<command>' : '[command]'} [options]`,
    effect: undefined,
    arguments: [],
    options: [],
    examples: [],
    exitCodes: [],
    commands: await describeEntries(entry.children, path, entry.standIn),
  };
}

function describeCommand(command: Command, path: string) {
  const { summary, description = summary, effect, examples, exitCodes = [] } = command;
  return {
    summary,
    description,
    usage: usageOf(command, path),
    effect,
    arguments: Object.entries(argumentsOf(command)).map(describeArgument),
    options: describeOptions(optionsOf(command)),
    examples: examples.map(([line, meaning]) => ({ command: line, meaning })),
    exitCodes: exitCodes.map(([code, meaning]) => ({ code, meaning })).sort((a, b) => a.code - b.code),
  };
}

/** Writes the usage line of a command: `path`, then its arguments and `[options]`. */
export function usageOf(command: Command, path: string): string {
  const { usage } = command;
  const words = Object.entries(argumentsOf(command)).map(([key, argument]) => termOf(key, argument));
  return [path, ...(usage === undefined ? [...words, '[options]'] : [usage])].join(' ');
}

/** Writes an argument for a usage line: `<name>`, `[name]` if optional, `<name...>` if it takes all that follow. */
export function termOf(key: string, { required, variadic }: Argument<unknown>): string {
  const name = `${key}${variadic ? '...' : ''}`;
  return required ? `<${name}>` : `[${name}]`;
}

/** Describes options in the order of the literal. */
export function describeOptions(options: Options): readonly OptionDescription[] {
  return Object.entries(options).map(([key, option]) => ({
    flags: flagsOf(key, option),
    long: longName(key, option),
    short: option.short === undefined ? undefined : `-${option.short}`,
    description: option.meaning,
    value: option.value === '' ? undefined : option.value,
    choices: option.choices ?? [],
    repeatable: option.form === 'list',
    group: option.heading ?? 'Options',
  }));
}

/** Writes an option for the help: `-X, --method <method>`. */
export function flagsOf(key: string, option: Option<unknown>): string {
  const names = [...(option.short === undefined ? [] : [`-${option.short}`]), longName(key, option)].join(', ');
  if (option.value === '') return names;
  return option.form === 'optional' ? `${names} [${option.value}]` : `${names} <${option.value}>`;
}

function describeArgument([key, argument]: readonly [string, Argument<unknown>]): ArgumentDescription {
  const { meaning, required, variadic, choices = [] } = argument;
  return { name: key, description: meaning, required, variadic, choices };
}

/** The last word of a command's path. */
export function commandName({ path }: Pick<CommandDescription, 'path'>): string {
  return path.slice(path.lastIndexOf(' ') + 1);
}

/** Returns the entries below the group that the words name; empty for a command. */
export function entriesBelow(tree: readonly Entry[], path: readonly string[]): readonly Entry[] {
  return path.reduce((entries: readonly Entry[], word) => {
    const entry = entries.find(({ name }) => name === word);
    return entry !== undefined && isGroup(entry) ? entry.children : [];
  }, tree);
}

/** Returns the command below `path` spelt like a word, else those further down: `svc domains import` for `import`. */
export function commandsLike(entries: readonly Entry[], path: string, word: string): string[] {
  const shown = visible(entries);
  const names = shown.map(({ name }) => name);
  const near = closest(word, names);
  return near === undefined ? pathsTo(shown, path, word) : [`${path} ${near}`];
}

/**
 * Whether the entry that words name may be proposed for a mistyped one: a group, or a command that changes nothing at
 * the platform and forgets nothing here. Loads the command.
 */
export async function isHarmless(tree: readonly Entry[], path: readonly string[]): Promise<boolean> {
  const entry = entriesBelow(tree, path.slice(0, -1)).find(({ name }) => name === path.at(-1));
  if (entry === undefined || isGroup(entry)) return entry !== undefined;
  const { effect, forgets = false } = (await entry.load()).default;
  return (effect === 'reads' || effect === 'local') && !forgets;
}

function visible(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => isGroup(entry) || entry.hidden !== true);
}

function pathsTo(entries: readonly Entry[], path: string, word: string): string[] {
  return entries.flatMap((entry) => {
    const here = `${path} ${entry.name}`;
    return [...(entry.name === word ? [here] : []), ...(isGroup(entry) ? pathsTo(entry.children, here, word) : [])];
  });
}
