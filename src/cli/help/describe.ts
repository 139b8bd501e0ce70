import type { DocumentOf } from '../../contract/fields/documents.ts';
import { getArguments, getOptions } from '../define/command.ts';
import { type Command, type Entry, type Group, isGroup } from '../define/define.ts';
import { type Argument, longName, type Option, type Options } from '../values/parameters.ts';

/** A command or a group, as `help --json` prints it. */
export interface CommandDescription extends Omit<DocumentOf<'help command'>, 'commands'> {
  readonly commands: readonly CommandDescription[];
}

/** An option of a command. */
export type OptionDescription = CommandDescription['options'][number];

/** Describes the entries that are not hidden. Loads the file of each. */
export async function describeEntries(
  entries: readonly Entry[],
  before = 'svc',
  defaultCommand?: string,
): Promise<readonly CommandDescription[]> {
  return Promise.all(
    listVisible(entries).map((entry) => describeEntry(entry, before, defaultCommand)),
  );
}

/**
 * Describes a command with those below.
 * @throws RangeError if the words name none
 */
export async function describePath(
  path: readonly string[],
  tree: readonly Entry[],
): Promise<CommandDescription> {
  const entry = findEntry(tree, path);
  if (!entry) throw new RangeError(`there is no command ${path.join(' ')}`);
  const groupPath = path.slice(0, -1);
  const group = findEntry(tree, groupPath);
  const defaultCommand = group && isGroup(group) ? group.defaultCommand : undefined;
  return describeEntry(entry, ['svc', ...groupPath].join(' '), defaultCommand);
}

async function describeEntry(
  entry: Entry,
  before: string,
  defaultCommand: string | undefined,
): Promise<CommandDescription> {
  const path = `${before} ${entry.name}`;
  const command = isGroup(entry) ? asCommand(entry) : await entry.load();
  const { summary, description = summary, examples, exitCodes = [] } = command;
  return {
    path,
    summary,
    description,
    effect: isGroup(entry) ? undefined : command.effect,
    group: entry.heading ?? 'Commands',
    isDefault: entry.name === defaultCommand,
    usage: formatUsage(command, path),
    arguments: Object.entries(getArguments(command)).map(
      ([name, { meaning: description, required, variadic, choices = [] }]) => ({
        name,
        description,
        required,
        variadic,
        choices,
      }),
    ),
    options: describeOptions(getOptions(command)),
    examples: examples.map(([command, meaning]) => ({ command, meaning })),
    exitCodes: exitCodes
      .map(([code, meaning]) => ({ code, meaning }))
      .sort((a, b) => a.code - b.code),
    commands: isGroup(entry)
      ? await describeEntries(entry.children, path, entry.defaultCommand)
      : [],
  };
}

/** Describes a group like a command. */
function asCommand({ summary, defaultCommand }: Group): Omit<Command, 'path' | 'run'> {
  const usage = defaultCommand === undefined ? '<command> [options]' : '[command] [options]';
  return { summary, usage, effect: 'local', args: {}, options: {}, examples: [] };
}

/** Returns how a command is typed: its path, then what follows it. */
export function formatUsage(
  command: Pick<Command, 'usage' | 'args' | 'batch'>,
  path: string,
): string {
  const words = Object.entries(getArguments(command)).map(([key, argument]) =>
    formatTerm(key, argument),
  );
  return `${path} ${command.usage ?? [...words, '[options]'].join(' ')}`;
}

/** Returns `<name>`, `[name]` if optional, `<name...>` if it takes all that follow. */
export function formatTerm(key: string, { required, variadic }: Argument<unknown>): string {
  const name = variadic ? `${key}...` : key;
  return required ? `<${name}>` : `[${name}]`;
}

/** Describes options in the order of their literal. */
export function describeOptions(options: Options): readonly OptionDescription[] {
  return Object.entries(options).map(([key, option]) => ({
    flags: formatFlags(key, option),
    long: longName(key, option),
    short: option.short && `-${option.short}`,
    description: option.meaning,
    value: option.value || undefined,
    choices: option.choices ?? [],
    repeatable: option.form === 'list',
    group: option.heading ?? 'Options',
  }));
}

/** Returns how the help names an option: `-X, --method <method>`. */
export function formatFlags(key: string, option: Option<unknown>): string {
  const { short, value, form } = option;
  const long = longName(key, option);
  const names = short === undefined ? long : `-${short}, ${long}`;
  if (value === '') return names;
  return form === 'optional' ? `${names} [${value}]` : `${names} <${value}>`;
}

/** Finds the entry that the words name. */
export function findEntry(tree: readonly Entry[], path: readonly string[]): Entry | undefined {
  return listEntriesBelow(tree, path.slice(0, -1)).find(({ name }) => name === path.at(-1));
}

/** Lists the entries below a group; a command has none. */
export function listEntriesBelow(
  tree: readonly Entry[],
  path: readonly string[],
): readonly Entry[] {
  return path.reduce((entries: readonly Entry[], word) => {
    const entry = entries.find(({ name }) => name === word);
    return entry && isGroup(entry) ? entry.children : [];
  }, tree);
}

/** Leaves out the commands that programs call. */
export function listVisible(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => isGroup(entry) || entry.hidden !== true);
}
