import { getArguments, getOptions } from '../cli/define/command.ts';
import type { Context } from '../cli/define/context.ts';
import { type Command, defineCommand, type Entry, isGroup } from '../cli/define/define.ts';
import { getCachedNames } from '../cli/define/name-cache.ts';
import { describeEntries, entriesBelow } from '../cli/help/describe.ts';
import { GLOBAL_OPTIONS } from '../cli/settings/globals.ts';
import { type Option, type Parameter, rest } from '../cli/values/parameters.ts';
import { longName } from '../cli/values/read-values.ts';
import { TOPICS } from './help/topics.ts';

/**
 * Answers completion scripts: `svc complete -- <words>`, where the last word is still being typed.
 * Prints candidates, each with a tab and its meaning; or `:files <prefix>` or `:command <start>` if
 * the shell should complete. Sends nothing.
 */
export default defineCommand({
  path: 'complete',
  summary: 'Print what Tab offers for a command line; completion scripts call it',
  effect: 'local',
  args: { words: rest('what is typed behind svc, after --', 0) },
  options: {},
  examples: [],

  async run(context, { words }, tree) {
    return { value: await complete(words, { tree, context }), json: undefined };
  },

  human(screen, lines) {
    screen.exact();
    if (lines.length > 0) screen.verbatim(lines.join('\n'));
  },
});

interface Knowledge {
  readonly tree: readonly Entry[];
  readonly context: Context;
}

async function complete(
  words: readonly string[],
  knowledge: Knowledge,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const before = await readWords(words.slice(0, -1), knowledge.tree);
  const { command, given, pending } = before;
  if (pending !== undefined) return readLineValues(pending[1], '', typed, before, knowledge);
  if (typed.startsWith('-') && !takesWordsOnly(before)) {
    const [, name] = /^(--[^=]*)=/.exec(typed) ?? [];
    if (name === undefined) return offered(optionNames(before), typed);
    const option = findOption(before.options, name);
    return option ? readLineValues(option[1], `${name}=`, typed, before, knowledge) : [];
  }
  if (command === undefined) {
    return before.isLost ? [] : offered(await summaries(before.entries), typed);
  }
  const all = Object.values(getArguments(command));
  const argument = all[given.length] ?? all.find(({ variadic }) => variadic);
  if (argument?.offer !== 'command') {
    return argument ? readLineValues(argument, '', typed, before, knowledge) : [];
  }
  // The first word of an inner command line, counted from the first one after `svc`.
  const start = words.length - 1 - given.length;
  return given[0] === 'svc' ? complete(words.slice(start + 1), knowledge) : [`:command ${start}`];
}

/**
 * An option by its key. A command's option may have the key of a global one: `--input` and
 * `--no-input`.
 */
type NamedOption = readonly [key: string, option: Option<unknown>];

const GLOBALS: readonly NamedOption[] = Object.entries(GLOBAL_OPTIONS);

interface Before {
  entries: readonly Entry[];
  command?: Command;
  options: readonly NamedOption[];
  readonly used: Set<Option<unknown>>;
  readonly given: string[];
  pending?: NamedOption | undefined;
  isAfterDashes: boolean;
  isLost: boolean;
  readonly line: Record<string, string>;
}

async function readWords(words: readonly string[], tree: readonly Entry[]): Promise<Before> {
  const state = { isAfterDashes: false, isLost: false };
  const before: Before = {
    ...state,
    entries: tree,
    options: GLOBALS,
    used: new Set(),
    given: [],
    line: {},
  };
  for (const word of words) {
    if (before.pending !== undefined) {
      before.line[before.pending[0]] = word;
      before.pending = undefined;
    } else if (word === '--' && !before.isAfterDashes) before.isAfterDashes = true;
    else if (word.startsWith('-') && !takesWordsOnly(before)) takeOption(word, before);
    else if (before.command !== undefined) before.given.push(word);
    else await enter(word, before);
  }
  return before;
}

/**
 * Behind `--`, and after the first word of an inner command line, whose options belong to that
 * line.
 */
function takesWordsOnly({ isAfterDashes, command, given }: Before): boolean {
  const isInner = Object.values(command?.args ?? {}).some(({ offer }) => offer === 'command');
  return isAfterDashes || (isInner && given.length > 0);
}

function takeOption(word: string, before: Before): void {
  const [name = '', value] = word.split(/=(.*)/s);
  const found = findOption(before.options, name);
  if (found === undefined) return;
  const [key, option] = found;
  before.used.add(option);
  if (value !== undefined) before.line[key] = value;
  else if (option.form === 'value' || option.form === 'list') before.pending = found;
}

async function enter(word: string, before: Before): Promise<void> {
  const entry = before.entries.find(({ name }) => name === word);
  before.isLost ||= entry === undefined;
  if (entry === undefined) return;
  const leaf = isGroup(entry) ? entry.children.find(({ name }) => name === entry.standIn) : entry;
  const command = leaf === undefined || isGroup(leaf) ? undefined : (await leaf.load()).default;
  before.options = [
    ...Object.entries(command === undefined ? {} : getOptions(command)),
    ...GLOBALS,
  ];
  before.entries = isGroup(entry) ? entry.children : [];
  if (!isGroup(entry) && command !== undefined) before.command = command;
}

interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** @param start what stands before the value in the same word, such as `--output=` */
async function readLineValues(
  { choices, offer, commas = false }: Parameter,
  start: string,
  typed: string,
  before: Before,
  knowledge: Knowledge,
): Promise<readonly string[]> {
  // Behind a comma the next one is offered, and none twice.
  const listed = commas ? typed.slice(start.length, typed.lastIndexOf(',') + 1) : '';
  const prefix = start + listed;
  if (offer === 'files') return [`:files ${prefix}`];
  const candidates = await candidatesOf(choices, offer, before, knowledge);
  const free = candidates.filter(({ word }) => !listed.split(',').includes(word));
  const whole = free.map(({ word, about }) => ({ word: `${prefix}${word}`, about }));
  return offered(whole, typed);
}

async function candidatesOf(
  choices: readonly string[] | undefined,
  offer: Parameter['offer'],
  { given, line }: Before,
  { tree, context }: Knowledge,
): Promise<readonly Candidate[]> {
  if (choices !== undefined) return choices.map((word) => ({ word, about: '' }));
  if (offer === undefined || offer === 'command' || offer === 'files') return [];
  if (offer !== 'help') {
    return getCachedNames(context, offer, line).map(({ name, about = '' }) => ({
      word: name,
      about,
    }));
  }
  const topics =
    given.length === 0 ? TOPICS.map(({ name, title }) => ({ word: name, about: title })) : [];
  return [...(await summaries(entriesBelow(tree, given))), ...topics];
}

async function summaries(entries: readonly Entry[]): Promise<readonly Candidate[]> {
  const described = await describeEntries(entries);
  return described.map(({ path, summary }) => ({
    word: path.split(' ').at(-1) ?? '',
    about: summary,
  }));
}

function optionNames({ options, used }: Before): readonly Candidate[] {
  const free = options.filter(([, option]) => option.form === 'list' || !used.has(option));
  const names = free.flatMap(([key, option]) => {
    const about = option.meaning;
    const short = option.short === undefined ? [] : [{ word: `-${option.short}`, about }];
    return [{ word: longName(key, option), about }, ...short];
  });
  return [...names, { word: '--help', about: 'show help' }];
}

function findOption(options: readonly NamedOption[], name: string): NamedOption | undefined {
  return options.find(([key, one]) => name === longName(key, one) || name === `-${one.short}`);
}

/** Tabs and line ends separate candidates for the scripts. */
function offered(words: readonly Candidate[], typed: string): readonly string[] {
  const fitting = words.filter(({ word }) => word.startsWith(typed));
  return fitting.map(({ word, about }) => `${word}\t${about.replace(/\s+/g, ' ')}`);
}
