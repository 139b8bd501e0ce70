import { argumentsOf, type Command, type Entry, type Group, isGroup, optionsOf } from '../../kit/define.ts';
import { commandName, describeEntries, entriesBelow } from '../../kit/describe.ts';
import { GLOBAL_OPTIONS } from '../../kit/globals.ts';
import type { NameScope } from '../../kit/known.ts';
import type { Argument, NameKind, Option, Options } from '../../kit/parameters.ts';
import { longName } from '../../kit/read-values.ts';
import type { KnownName } from '../../kit/result.ts';

interface Candidate {
  readonly word: string;
  /** Its meaning. */
  readonly about: string;
}

/** What Tab offers: words, or something that the shell completes. */
export type Completion =
  | { readonly words: readonly Candidate[] }
  /** File names; `before` is the start of the word, such as `--output=`. */
  | { readonly files: { readonly before: string } }
  /** An inner command line that begins at this word, counted from the first word after `svc`. */
  | { readonly command: { readonly start: number } };

interface Knowledge {
  readonly tree: readonly Entry[];
  /** Topics of `svc help`. */
  readonly topics: readonly Candidate[];
  names(kind: NameKind, line: NameScope): readonly KnownName[];
}

/**
 * Completes a command line.
 * @param words after `svc`; the last one is still being typed, and may be empty
 */
export async function complete(words: readonly string[], knowledge: Knowledge): Promise<Completion> {
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

/** The words before the one being typed. */
interface Before {
  /** The commands that may follow. */
  readonly entries: readonly Entry[];
  readonly command: Command | undefined;
  readonly options: readonly NamedOption[];
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
  let [entries, command, isAfterDashes, isLost] = [tree, undefined as Command | undefined, false, false];
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
    } else if (word === '--' && !isAfterDashes) {
      isAfterDashes = true;
    } else if (word.startsWith('-') && !isAfterDashes && !isCommandLine(command, given)) {
      const [name = '', value] = word.split(/=(.*)/s);
      const found = findOption(options, name);
      if (found === undefined) continue;
      used.add(found[1]);
      if (value !== undefined) line[found[0]] = value;
      else if (['value', 'list'].includes(found[1].form)) pending = found;
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
  return { entries, command, options, used, given, pending, isAfterDashes, isLost, line };
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

async function helpWords(path: readonly string[], { tree, topics }: Knowledge): Promise<readonly Candidate[]> {
  return [...(await summaries(entriesBelow(tree, path))), ...(path.length === 0 ? topics : [])];
}

async function summaries(entries: readonly Entry[]): Promise<readonly Candidate[]> {
  const described = await describeEntries(entries);
  return described.map((one) => ({ word: commandName(one), about: one.summary }));
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
