import type { Command } from '../../command/define.ts';
import { type Entry, type Group, isGroup, optionsOf } from '../../command/define.ts';
import { describeEntries, entriesBelow, nameOf } from '../../command/describe.ts';
import { GLOBAL_OPTIONS } from '../../command/globals.ts';
import type { Argument, NameKind, Offer, Option, Options } from '../../command/parameters.ts';
import { longName } from '../../command/read-values.ts';
import type { KnownName } from '../../command/result.ts';

/** A word that Tab offers, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What Tab offers: words, or what the shell knows better. */
export type Completion =
  | { readonly words: readonly Candidate[] }
  /** File names; `before` is what stands before the name in the same word, such as `--output=`. */
  | { readonly files: { readonly before: string } }
  /** What the shell offers for the command line that begins at this word, counted from the first word behind `svc`. */
  | { readonly command: { readonly start: number } };

/** What completion needs to know beside the commands. */
export interface Knowledge {
  readonly tree: readonly Entry[];
  /** Topics of `svc help`. */
  readonly topics: readonly Candidate[];
  /** The names of a kind, at the address and for the profile that the line names, if it does. */
  names(kind: NameKind, line: { readonly apiUrl?: string; readonly profile?: string }): readonly KnownName[];
}

/**
 * What Tab offers for a command line.
 * @param words what is typed behind `svc`; the last one is being typed, and may be empty.
 */
export async function complete(words: readonly string[], knowledge: Knowledge): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const before = await read(words.slice(0, -1), knowledge.tree);
  const { command, given, pending, isBehindDashes } = before;
  const argument = command && argumentAt(command, given.length);
  if (pending !== undefined) return valuesOf(pending[1], '', typed, before, knowledge);
  const isOption = typed.startsWith('-') && !isBehindDashes && !isCommandLine(command, given);
  if (argument?.[1].offer === 'command' && !isOption) return completeInner(words, given, knowledge);
  if (isOption) {
    const end = typed.startsWith('--') ? typed.indexOf('=') : -1;
    if (end < 0) return offered(optionNames(before), typed);
    const option = findOption(before.options, typed.slice(0, end));
    return option === undefined
      ? { words: [] }
      : valuesOf(option[1], typed.slice(0, end + 1), typed, before, knowledge);
  }
  if (argument !== undefined) return valuesOf(argument[1], '', typed, before, knowledge);
  if (command !== undefined || before.isLost) return { words: [] };
  return offered(await summaries(before.entries), typed);
}

/** An option by its key; an option of a command may have the key of a global one: `--input` and `--no-input`. */
type NamedOption = readonly [key: string, option: Option<unknown>];

/** What stands before the word that is being typed. */
interface Before {
  /** The commands that may follow. */
  readonly entries: readonly Entry[];
  readonly command: Command | undefined;
  readonly options: readonly NamedOption[];
  /** The options that were given. */
  readonly used: ReadonlySet<Option<unknown>>;
  /** The arguments that were given. */
  readonly given: readonly string[];
  /** The option whose value is being typed. */
  readonly pending: NamedOption | undefined;
  readonly isBehindDashes: boolean;
  /** Whether a word names no command. */
  readonly isLost: boolean;
  readonly line: { apiUrl?: string; profile?: string };
}

async function read(words: readonly string[], tree: readonly Entry[]): Promise<Before> {
  let [entries, command, isBehindDashes, isLost] = [tree, undefined as Command | undefined, false, false];
  const globals = Object.entries(GLOBAL_OPTIONS);
  let options: readonly NamedOption[] = globals;
  let pending: Before['pending'];
  const used = new Set<Option<unknown>>();
  const given: string[] = [];
  const line: Record<string, string> = {};
  for (const word of words) {
    if (pending !== undefined) {
      line[pending[0]] = word;
      pending = undefined;
    } else if (word === '--' && !isBehindDashes) {
      isBehindDashes = true;
    } else if (word.startsWith('-') && !isBehindDashes && !isCommandLine(command, given)) {
      const [name = '', value] = word.split(/=(.*)/s);
      const found = findOption(options, name);
      if (found === undefined) continue;
      used.add(found[1]);
      if (value !== undefined) line[found[0]] = value;
      else if (takesValue(found[1])) pending = found;
    } else if (command !== undefined) {
      given.push(word);
    } else {
      const entry = entries.find(({ name }) => name === word);
      if (entry === undefined) isLost = true;
      else if (isGroup(entry)) {
        entries = entry.children;
        options = [...Object.entries(await standInOptions(entry)), ...globals];
      } else {
        command = (await entry.load()).default;
        options = [...Object.entries(optionsOf(command)), ...globals];
      }
    }
  }
  return { entries, command, options, used, given, pending, isBehindDashes, isLost, line };
}

/** Behind the first word of an inner command line, options are its own. */
function isCommandLine(command: Command | undefined, given: readonly string[]): boolean {
  return given.length > 0 && Object.values(command?.args ?? {}).some(({ offer }) => offer === 'command');
}

async function standInOptions({ standIn, children }: Group): Promise<Options> {
  const entry = children.find(({ name }) => name === standIn);
  return entry === undefined || isGroup(entry) ? {} : optionsOf((await entry.load()).default);
}

/** Behind `svc sandbox exec --`: a line of svc completes as usual, any other is for the shell. */
async function completeInner(
  words: readonly string[],
  given: readonly string[],
  knowledge: Knowledge,
): Promise<Completion> {
  const start = words.length - 1 - given.length;
  if (given[0] === 'svc') return complete(words.slice(start + 1), knowledge);
  return { command: { start } };
}

function argumentAt({ args }: Command, index: number): readonly [string, Argument<unknown>] | undefined {
  const all = Object.entries(args);
  return all[index] ?? all.find(([, { variadic }]) => variadic);
}

async function valuesOf(
  { choices, offer }: { readonly choices?: readonly string[]; readonly offer?: Offer },
  prefix: string,
  typed: string,
  before: Before,
  knowledge: Knowledge,
): Promise<Completion> {
  const whole = (words: readonly Candidate[]): Completion =>
    offered(
      words.map(({ word, about }) => ({ word: `${prefix}${word}`, about })),
      typed,
    );
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

/** What there is help on: commands, and topics before any command. */
async function helpWords(path: readonly string[], { tree, topics }: Knowledge): Promise<readonly Candidate[]> {
  const entries = entriesBelow(tree, path);
  return [...(await summaries(entries)), ...(path.length === 0 ? topics : [])];
}

async function summaries(entries: readonly Entry[]): Promise<readonly Candidate[]> {
  const described = await describeEntries(entries);
  return described.map((one) => ({ word: nameOf(one), about: one.summary }));
}

/** The options that may still be given. */
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

function takesValue({ form }: Option<unknown>): boolean {
  return form === 'value' || form === 'list';
}

function offered(words: readonly Candidate[], typed: string): Completion {
  return { words: words.filter(({ word }) => word.startsWith(typed)) };
}
