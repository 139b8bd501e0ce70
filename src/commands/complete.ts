import { argumentsOf, optionsOf } from '../kit/command.ts';
import { type Command, defineCommand, type Entry, type Group, isGroup } from '../kit/define.ts';
import { describeEntries, entriesBelow } from '../kit/describe.ts';
import { GLOBAL_OPTIONS } from '../kit/globals.ts';
import { type NameScope, namesSeen } from '../kit/known.ts';
import { type Argument, type NameKind, type Option, type Options, rest } from '../kit/parameters.ts';
import { longName } from '../kit/read-values.ts';
import type { KnownName } from '../kit/result.ts';
import { TOPICS } from './help/topics.ts';

/**
 * Answers completion scripts: `svc complete -- <words>`, where the last word is still being typed. Prints the word and
 * the meaning of each candidate on a line, with a tab between; or `:files <prefix>` or `:command <start>` if the shell
 * should complete instead. Reads local files only.
 */
export default defineCommand({
  path: 'complete',
  summary: 'Print what Tab offers for a command line; completion scripts call it',
  effect: 'local',
  args: { words: rest('what is typed behind svc, after --', 0) },
  options: {},
  examples: [],

  async run(context, { words }, tree) {
    const names = (kind: NameKind, line: NameScope) => namesSeen(context, kind, line);
    return { value: await complete(words, { tree, names }), json: undefined };
  },

  human(screen, completion) {
    screen.exact();
    const lines = toLines(completion);
    if (lines.length > 0) screen.verbatim(lines.join('\n'));
  },
});

function toLines(completion: Completion): readonly string[] {
  if ('files' in completion) return [`:files ${completion.files.before}`];
  if ('command' in completion) return [`:command ${completion.command.start}`];
  // Tabs and line ends separate candidates for the scripts.
  return completion.words.map(({ word, about }) => `${word}\t${about.replace(/\s+/g, ' ')}`);
}

interface Candidate {
  readonly word: string;
  /** Its meaning. */
  readonly about: string;
}

/** What Tab offers: words, or something that the shell completes. */
type Completion =
  | { readonly words: readonly Candidate[] }
  /** File names; `before` is the start of the word, such as `--output=`. */
  | { readonly files: { readonly before: string } }
  /** An inner command line that begins at this word, counted from the first word after `svc`. */
  | { readonly command: { readonly start: number } };

interface Knowledge {
  readonly tree: readonly Entry[];
  names(kind: NameKind, line: NameScope): readonly KnownName[];
}

/** Completes the words after `svc`; the last one is still being typed, and may be empty. */
async function complete(words: readonly string[], knowledge: Knowledge): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const before = await readWords(words.slice(0, -1), knowledge.tree);
  const { command, given, pending, isAfterDashes } = before;
  if (pending !== undefined) return valuesOf(pending[1], '', typed, before, knowledge);
  const argument = command && argumentAt(command, given.length);
  if (typed.startsWith('-') && !isAfterDashes && !isCommandLine(command, given)) {
    const end = typed.startsWith('--') ? typed.indexOf('=') : -1;
    if (end < 0) return offered(optionNames(before), typed);
    const option = findOption(before.options, typed.slice(0, end));
    return option ? valuesOf(option[1], typed.slice(0, end + 1), typed, before, knowledge) : { words: [] };
  }
  if (argument?.offer === 'command') {
    const start = words.length - 1 - given.length;
    return given[0] === 'svc' ? complete(words.slice(start + 1), knowledge) : { command: { start } };
  }
  if (argument !== undefined) return valuesOf(argument, '', typed, before, knowledge);
  if (command !== undefined || before.isLost) return { words: [] };
  return offered(await summaries(before.entries), typed);
}

/** An option by its key. A command's option may have the key of a global one: `--input` and `--no-input`. */
type NamedOption = readonly [key: string, option: Option<unknown>];

const GLOBALS: readonly NamedOption[] = Object.entries(GLOBAL_OPTIONS);

/** Where a line has got to in the tree of commands. */
interface Place {
  /** The commands that may follow. */
  readonly entries: readonly Entry[];
  readonly command?: Command;
  readonly options: readonly NamedOption[];
}

/** The words before the one being typed. */
interface Before extends Place {
  readonly used: ReadonlySet<Option<unknown>>;
  /** The arguments so far. */
  readonly given: readonly string[];
  /** The option whose value is being typed. */
  readonly pending: NamedOption | undefined;
  readonly isAfterDashes: boolean;
  /** Set by an unknown command. */
  readonly isLost: boolean;
  readonly line: NameScope;
}

async function readWords(words: readonly string[], tree: readonly Entry[]): Promise<Before> {
  let place: Place = { entries: tree, options: GLOBALS };
  let pending: NamedOption | undefined;
  let [isAfterDashes, isLost] = [false, false];
  const used = new Set<Option<unknown>>();
  const given: string[] = [];
  const line: Record<string, string> = {};
  for (const word of words) {
    if (pending !== undefined) {
      line[pending[0]] = word;
      pending = undefined;
    } else if (word === '--' && !isAfterDashes) {
      isAfterDashes = true;
    } else if (word.startsWith('-') && !isAfterDashes && !isCommandLine(place.command, given)) {
      pending = takeOption(word, place.options, used, line);
    } else if (place.command !== undefined) {
      given.push(word);
    } else {
      const next = await placeBehind(word, place.entries);
      place = next ?? place;
      isLost ||= next === undefined;
    }
  }
  return { ...place, used, given, pending, isAfterDashes, isLost, line };
}

/** Returns the option if its value is the next word. */
function takeOption(
  word: string,
  options: readonly NamedOption[],
  used: Set<Option<unknown>>,
  line: Record<string, string>,
): NamedOption | undefined {
  const [name = '', value] = word.split(/=(.*)/s);
  const found = findOption(options, name);
  if (found === undefined) return undefined;
  const [key, option] = found;
  used.add(option);
  if (value !== undefined) line[key] = value;
  return value === undefined && ['value', 'list'].includes(option.form) ? found : undefined;
}

/** Returns undefined for a word that is no command. */
async function placeBehind(word: string, entries: readonly Entry[]): Promise<Place | undefined> {
  const entry = entries.find(({ name }) => name === word);
  if (entry === undefined) return undefined;
  if (isGroup(entry)) {
    return { entries: entry.children, options: [...Object.entries(await standInOptions(entry)), ...GLOBALS] };
  }
  const command = (await entry.load()).default;
  return { entries: [], command, options: [...Object.entries(optionsOf(command)), ...GLOBALS] };
}

/** After the first word of an inner command line, options belong to that line. */
function isCommandLine(command: Command | undefined, given: readonly string[]): boolean {
  return given.length > 0 && Object.values(command?.args ?? {}).some(({ offer }) => offer === 'command');
}

async function standInOptions({ standIn, children }: Group): Promise<Options> {
  const entry = children.find(({ name }) => name === standIn);
  return entry === undefined || isGroup(entry) ? {} : optionsOf((await entry.load()).default);
}

function argumentAt(command: Command, index: number): Argument<unknown> | undefined {
  const all = Object.values(argumentsOf(command));
  return all[index] ?? all.find(({ variadic }) => variadic);
}

async function valuesOf(
  { choices, offer, commas = false }: Pick<Option<unknown>, 'choices' | 'offer' | 'commas'>,
  start: string,
  typed: string,
  before: Before,
  knowledge: Knowledge,
): Promise<Completion> {
  // Behind a comma the next one is offered, and none twice.
  const listed = commas ? typed.slice(start.length, typed.lastIndexOf(',') + 1) : '';
  const prefix = start + listed;
  const taken = new Set(listed.split(','));
  const whole = (words: readonly Candidate[]) => {
    const free = words.filter(({ word }) => !taken.has(word));
    const candidates = free.map(({ word, about }) => ({ word: `${prefix}${word}`, about }));
    return offered(candidates, typed);
  };
  if (choices !== undefined && choices.length > 0) return whole(choices.map((word) => ({ word, about: '' })));
  switch (offer) {
    case undefined:
    case 'command':
      return { words: [] };
    case 'files':
      return { files: { before: prefix } };
    case 'help':
      return whole(await helpWords(before.given, knowledge));
    default:
      return whole(knowledge.names(offer, before.line).map(({ name, about = '' }) => ({ word: name, about })));
  }
}

async function helpWords(path: readonly string[], { tree }: Knowledge): Promise<readonly Candidate[]> {
  const topics = TOPICS.map(({ name, title }) => ({ word: name, about: title }));
  return [...(await summaries(entriesBelow(tree, path))), ...(path.length === 0 ? topics : [])];
}

async function summaries(entries: readonly Entry[]): Promise<readonly Candidate[]> {
  const described = await describeEntries(entries);
  return described.map((one) => ({ word: one.path.split(' ').at(-1) ?? '', about: one.summary }));
}

function optionNames({ options, used }: Before): readonly Candidate[] {
  const free = options.filter(([, option]) => option.form === 'list' || !used.has(option));
  const names = free.flatMap(([key, option]) => [
    { word: longName(key, option), about: option.meaning },
    ...(option.short === undefined ? [] : [{ word: `-${option.short}`, about: option.meaning }]),
  ]);
  return [...names, { word: '--help', about: 'show help' }];
}

function findOption(options: readonly NamedOption[], name: string): NamedOption | undefined {
  return options.find(([key, one]) => name === longName(key, one) || name === `-${one.short}`);
}

function offered(words: readonly Candidate[], typed: string): Completion {
  return { words: words.filter(({ word }) => word.startsWith(typed)) };
}
