import type { DocumentOf } from '../../contract/fields/documents.ts';
import { getArguments, getOptions } from '../define/command.ts';
import { type Command, type Entry, type Group, isGroup } from '../define/define.ts';
import { closest } from '../values/choice.ts';
import type { Argument, Option, Options } from '../values/parameters.ts';
import { longName } from '../values/read-values.ts';

/** As `help --json` prints it. */
export interface CommandDescription extends Omit<DocumentOf<'help command'>, 'commands'> {
  readonly commands: readonly CommandDescription[];
}

/** One of its options. */
export type OptionDescription = CommandDescription['options'][number];

/** Of those that are not hidden. Loads the file of each. */
export async function describeEntries(
  entries: readonly Entry[],
  before = 'svc',
  standIn?: string,
): Promise<readonly CommandDescription[]> {
  return Promise.all(visible(entries).map((entry) => describeEntry(entry, before, standIn)));
}

/** With the commands below. Throws RangeError if the words name none. */
export async function describePath(
  path: readonly string[],
  tree: readonly Entry[],
): Promise<CommandDescription> {
  const [entry, group] = [entryAt(tree, path), entryAt(tree, path.slice(0, -1))];
  if (entry === undefined) throw new RangeError(`there is no command ${path.join(' ')}`);
  const before = ['svc', ...path.slice(0, -1)].join(' ');
  return describeEntry(entry, before, group && isGroup(group) ? group.standIn : undefined);
}

async function describeEntry(
  entry: Entry,
  before: string,
  standIn: string | undefined,
): Promise<CommandDescription> {
  const path = `${before} ${entry.name}`;
  const command = isGroup(entry) ? asCommand(entry) : (await entry.load()).default;
  const { summary, description = summary, effect, examples, exitCodes = [] } = command;
  return {
    ...{ path, summary, description, effect },
    group: entry.heading ?? 'Commands',
    isDefault: entry.name === standIn,
    usage: usageOf(command, path),
    arguments: Object.entries(getArguments(command)).map(
      ([name, { meaning, required, variadic, choices = [] }]) => {
        return { name, description: meaning, required, variadic, choices };
      },
    ),
    options: describeOptions(getOptions(command)),
    examples: examples.map(([line, meaning]) => ({ command: line, meaning })),
    exitCodes: exitCodes
      .map(([code, meaning]) => ({ code, meaning }))
      .sort((a, b) => a.code - b.code),
    commands: isGroup(entry) ? await describeEntries(entry.children, path, entry.standIn) : [],
  };
}

function asCommand({
  summary,
  standIn,
}: Group): Omit<Command, 'path' | 'effect' | 'run'> & { effect: undefined } {
  const usage = `${standIn === undefined ? '<command>' : '[command]'} [options]`;
  return { summary, usage, effect: undefined, args: {}, options: {}, examples: [] };
}

/** `path`, then what follows it. */
export function usageOf(command: Pick<Command, 'usage' | 'args' | 'batch'>, path: string): string {
  const words = Object.entries(getArguments(command)).map(([key, argument]) =>
    termOf(key, argument),
  );
  return `${path} ${command.usage ?? [...words, '[options]'].join(' ')}`;
}

/** `<name>`, `[name]` if optional, `<name...>` if it takes all that follow. */
export function termOf(key: string, { required, variadic }: Argument<unknown>): string {
  const name = `${key}${variadic ? '...' : ''}`;
  return required ? `<${name}>` : `[${name}]`;
}

/** In the order of the literal. */
export function describeOptions(options: Options): readonly OptionDescription[] {
  return Object.entries(options).map(([key, option]) => ({
    flags: flagsOf(key, option),
    long: longName(key, option),
    short: option.short && `-${option.short}`,
    description: option.meaning,
    value: option.value || undefined,
    choices: option.choices ?? [],
    repeatable: option.form === 'list',
    group: option.heading ?? 'Options',
  }));
}

/** For the help: `-X, --method <method>`. */
export function flagsOf(key: string, option: Option<unknown>): string {
  const names = `${option.short === undefined ? '' : `-${option.short}, `}${longName(key, option)}`;
  if (option.value === '') return names;
  return option.form === 'optional' ? `${names} [${option.value}]` : `${names} <${option.value}>`;
}

/** The entry that the words name. */
export function entryAt(tree: readonly Entry[], path: readonly string[]): Entry | undefined {
  return entriesBelow(tree, path.slice(0, -1)).find(({ name }) => name === path.at(-1));
}

/** None below a command. */
export function entriesBelow(tree: readonly Entry[], path: readonly string[]): readonly Entry[] {
  return path.reduce((entries: readonly Entry[], word) => {
    const entry = entries.find(({ name }) => name === word);
    return entry !== undefined && isGroup(entry) ? entry.children : [];
  }, tree);
}

/**
 * The command below `path` spelt like the word, else those further down: `domains import` for
 * `import`.
 */
export function commandsLike(
  tree: readonly Entry[],
  path: readonly string[],
  word: string,
): readonly string[][] {
  const shown = visible(entriesBelow(tree, path));
  const names = shown.map(({ name }) => name);
  const near = closest(word, names);
  return near === undefined ? pathsTo(shown, path, word) : [[...path, near]];
}

/** Without the commands that programs call. */
export function visible(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => isGroup(entry) || entry.hidden !== true);
}

function pathsTo(entries: readonly Entry[], path: readonly string[], word: string): string[][] {
  return entries.flatMap((entry) => {
    const here = [...path, entry.name];
    return [
      ...(entry.name === word ? [here] : []),
      ...(isGroup(entry) ? pathsTo(entry.children, here, word) : []),
    ];
  });
}
