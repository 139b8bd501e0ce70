import { type Command, type Effect, type Entry, type Group, isGroup, optionsOf } from './define.ts';
import type { Argument, Option, Options } from './parameters.ts';
import { longName } from './read-values.ts';
import { closest } from './values/choice.ts';

/** An argument of a command, as data. */
interface ArgumentDescription {
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

/** A command or a group of the tree, as data. */
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
  /** What it does to the world; absent for a group. */
  readonly effect: Effect | undefined;
  /** Whether its group runs it when no subcommand is named. */
  readonly isDefault: boolean;
  readonly arguments: readonly ArgumentDescription[];
  readonly options: readonly OptionDescription[];
  readonly examples: ReadonlyArray<{ readonly command: string; readonly meaning: string }>;
  readonly exitCodes: ReadonlyArray<{ readonly code: number; readonly meaning: string }>;
  readonly commands: readonly CommandDescription[];
}

/** Where an entry stands in the tree. */
interface Place {
  /** The words before its name. */
  readonly before: string;
  readonly isDefault: boolean;
}

/** Describes the commands of a tree, hidden ones left out. Loads the file of each. */
export async function describeEntries(
  entries: readonly Entry[],
  before = 'svc',
  standIn?: string,
): Promise<readonly CommandDescription[]> {
  const shown = entries.filter((entry) => isGroup(entry) || entry.hidden !== true);
  return Promise.all(shown.map((entry) => describeEntry(entry, { before, isDefault: entry.name === standIn })));
}

/** Describes one entry of the tree, with what stands below it. */
export async function describeEntry(entry: Entry, { before, isDefault }: Place): Promise<CommandDescription> {
  const place = { path: `${before} ${entry.name}`, group: entry.heading ?? 'Commands', isDefault };
  if (isGroup(entry)) return describeGroup(entry, place);
  const { default: command } = await entry.load();
  return { ...place, ...describeCommand(command, place.path), commands: [] };
}

async function describeGroup(
  group: Group,
  place: Pick<CommandDescription, 'path' | 'group' | 'isDefault'>,
): Promise<CommandDescription> {
  return {
    ...place,
    summary: group.summary,
    description: group.summary,
    usage: `${place.path} ${group.standIn === undefined ? '<command>' : '[command]'} [options]`,
    effect: undefined,
    arguments: [],
    options: [],
    examples: [],
    exitCodes: [],
    commands: await describeEntries(group.children, place.path, group.standIn),
  };
}

function describeCommand(command: Command, path: string) {
  const { summary, description = summary, effect, examples, exitCodes = [] } = command;
  return {
    summary,
    description,
    usage: usageOf(command, path),
    effect,
    arguments: Object.entries(command.args).map(describeArgument),
    options: describeOptions(optionsOf(command)),
    examples: examples.map(([line, meaning]) => ({ command: line, meaning })),
    exitCodes: exitCodes.map(([code, meaning]) => ({ code, meaning })).sort((a, b) => a.code - b.code),
  };
}

/** How a command is typed, with its options behind its arguments. */
export function usageOf({ usage, args }: Command, path: string): string {
  const words = Object.entries(args).map(([key, argument]) => termOf(key, argument));
  return [path, ...(usage === undefined ? [...words, '[options]'] : [usage])].join(' ');
}

/** An argument in a usage line: `<name>`, `[name]` if it may be left out, `<name...>` if it takes all that follow. */
export function termOf(key: string, { required, variadic }: Argument<unknown>): string {
  const name = `${key}${variadic ? '...' : ''}`;
  return required ? `<${name}>` : `[${name}]`;
}

/** Describes options, in their order. */
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

/** An option as the help shows it: `-X, --method <method>`. */
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
export function nameOf({ path }: Pick<CommandDescription, 'path'>): string {
  return path.slice(path.lastIndexOf(' ') + 1);
}

/** The entries below the group that the words name, in order; empty for a command. */
export function entriesBelow(tree: readonly Entry[], path: readonly string[]): readonly Entry[] {
  return path.reduce((entries: readonly Entry[], word) => {
    const entry = entries.find(({ name }) => name === word);
    return entry !== undefined && isGroup(entry) ? entry.children : [];
  }, tree);
}

/**
 * The command below `path` that is spelt like a word, or those further down with that name: `svc domains import` for
 * `import`.
 */
export function commandsLike(entries: readonly Entry[], path: string, word: string): string[] {
  const shown = entries.filter((entry) => isGroup(entry) || entry.hidden !== true);
  const near = closest(
    word,
    shown.map(({ name }) => name),
  );
  return near === undefined ? pathsTo(shown, path, word) : [`${path} ${near}`];
}

function pathsTo(entries: readonly Entry[], path: string, word: string): string[] {
  return entries.flatMap((entry) => {
    const here = `${path} ${entry.name}`;
    return [...(entry.name === word ? [here] : []), ...(isGroup(entry) ? pathsTo(entry.children, here, word) : [])];
  });
}
