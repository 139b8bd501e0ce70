import { getArguments, getOptions } from '../cli/define/command.ts';
import type { Context } from '../cli/define/context.ts';
import { type Command, defineCommand, type Entry, isGroup } from '../cli/define/define.ts';
import { getCachedNames } from '../cli/define/name-cache.ts';
import { describeEntries, listEntriesBelow } from '../cli/help/describe.ts';
import { GLOBAL_OPTIONS } from '../cli/settings/globals.ts';
import { getNameKind, type Option, type Parameter, rest } from '../cli/values/parameters.ts';
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
    const line = new TypedLine(tree);
    for (const word of words.slice(0, -1)) await line.read(word);

    const typed = words.at(-1) ?? '';
    return { value: await complete({ line, typed, tree, context }), json: undefined };
  },

  human(screen, lines) {
    screen.exact();
    if (lines.length > 0) screen.verbatim(lines.join('\n'));
  },
});

/**
 * An option by its key. A command's option may have the key of a global one: `--input` and
 * `--no-input`.
 */
type NamedOption = readonly [key: string, option: Option<unknown>];

const GLOBALS: readonly NamedOption[] = Object.entries(GLOBAL_OPTIONS);

/** The words in front of the one that is being typed, read one after the other. */
class TypedLine {
  /** The commands that may follow; none behind a command, or a word that svc does not know. */
  entries: readonly Entry[];
  command: Command | undefined;
  options = GLOBALS;
  readonly args: string[] = [];
  readonly optionTexts: Record<string, string> = {};
  readonly usedOptions = new Set<Option<unknown>>();
  /** The option whose value comes next. */
  pendingOption: NamedOption | undefined;
  #isAfterDashes = false;
  #wordCount = 0;

  constructor(tree: readonly Entry[]) {
    this.entries = tree;
  }

  async read(word: string): Promise<void> {
    this.#wordCount++;
    if (this.pendingOption !== undefined) {
      this.optionTexts[this.pendingOption[0]] = word;
      this.pendingOption = undefined;
    } else if (word === '--' && !this.#isAfterDashes) this.#isAfterDashes = true;
    else if (this.mayBeOption(word)) this.#takeOption(word);
    else if (this.command !== undefined) this.args.push(word);
    else await this.#enter(word);
  }

  /** An option stands neither behind `--` nor behind the first word of an inner command line. */
  mayBeOption(word: string): boolean {
    const isInner = this.args.length > 0 && this.findArgument(0)?.offer === 'command';
    return word.startsWith('-') && !this.#isAfterDashes && !isInner;
  }

  findOption(name: string): NamedOption | undefined {
    return this.options.find(
      ([key, option]) => name === longName(key, option) || name === `-${option.short}`,
    );
  }

  findArgument(index: number) {
    const all = Object.values(this.command === undefined ? {} : getArguments(this.command));
    return all[index] ?? all.find(({ variadic }) => variadic);
  }

  /** Returns where the arguments begin, counted from the first word after `svc`. */
  get firstArgumentIndex(): number {
    return this.#wordCount - this.args.length;
  }

  #takeOption(word: string): void {
    const [name = '', value] = word.split(/=(.*)/s);
    const named = this.findOption(name);
    if (named === undefined) return;

    const [key, option] = named;
    this.usedOptions.add(option);
    if (value !== undefined) this.optionTexts[key] = value;
    else if (option.form === 'value' || option.form === 'list') this.pendingOption = named;
  }

  async #enter(word: string): Promise<void> {
    const entry = this.entries.find(({ name }) => name === word);
    this.entries = entry !== undefined && isGroup(entry) ? entry.children : [];
    if (entry === undefined) return;

    const leaf = isGroup(entry) ? entry.children.find(({ name }) => name === entry.standIn) : entry;
    if (leaf === undefined || isGroup(leaf)) return;
    const command = (await leaf.load()).default;
    this.options = [...Object.entries(getOptions(command)), ...GLOBALS];
    if (leaf === entry) this.command = command;
  }
}

interface Completion {
  readonly line: TypedLine;
  readonly typed: string;
  readonly tree: readonly Entry[];
  readonly context: Context;
}

interface Candidate {
  readonly word: string;
  readonly about: string;
}

async function complete(completion: Completion): Promise<readonly string[]> {
  const { line, typed } = completion;
  if (line.pendingOption !== undefined) return completeValue(line.pendingOption[1], completion);
  if (line.mayBeOption(typed)) return completeOption(completion);
  if (line.command === undefined) return format(await describeAll(line.entries), typed);

  const argument = line.findArgument(line.args.length);
  if (argument?.offer === 'command') return [`:command ${line.firstArgumentIndex}`];
  return argument === undefined ? [] : completeValue(argument, completion);
}

async function completeOption(completion: Completion): Promise<readonly string[]> {
  const { line, typed } = completion;
  const [start = '', name] = /^(--[^=]*)=/.exec(typed) ?? [];
  if (name === undefined) return format(listOptionNames(line), typed);
  const named = line.findOption(name);
  return named === undefined ? [] : completeValue(named[1], completion, start);
}

/** @param start what stands before the value in the same word, such as `--output=` */
async function completeValue(
  parameter: Parameter,
  completion: Completion,
  start = '',
): Promise<readonly string[]> {
  const { typed } = completion;
  // Behind a comma the next one is offered, and none twice.
  const listed = parameter.commas ? typed.slice(start.length, typed.lastIndexOf(',') + 1) : '';
  const prefix = start + listed;
  if (parameter.offer === 'files') return [`:files ${prefix}`];

  const candidates = await listCandidates(parameter, completion);
  const free = candidates.filter(({ word }) => !listed.split(',').includes(word));
  return format(
    free.map(({ word, about }) => ({ word: prefix + word, about })),
    typed,
  );
}

async function listCandidates(
  parameter: Parameter,
  { line, tree, context }: Completion,
): Promise<readonly Candidate[]> {
  if (parameter.choices !== undefined) {
    return parameter.choices.map((word) => ({ word, about: '' }));
  }
  if (parameter.offer === 'help') {
    const topics = line.args.length === 0 ? TOPICS : [];
    return [
      ...(await describeAll(listEntriesBelow(tree, line.args))),
      ...topics.map(({ name, title }) => ({ word: name, about: title })),
    ];
  }

  const kind = getNameKind(parameter);
  const names = kind === undefined ? [] : getCachedNames(context, kind, line.optionTexts);
  return names.map(({ name, about = '' }) => ({ word: name, about }));
}

async function describeAll(entries: readonly Entry[]): Promise<readonly Candidate[]> {
  const commands = await describeEntries(entries);
  return commands.map(({ path, summary }) => ({
    word: path.slice(path.lastIndexOf(' ') + 1),
    about: summary,
  }));
}

function listOptionNames({ options, usedOptions }: TypedLine): readonly Candidate[] {
  const names = options
    .filter(([, option]) => option.form === 'list' || !usedOptions.has(option))
    .flatMap(([key, option]) => {
      const words = [longName(key, option)];
      if (option.short !== undefined) words.push(`-${option.short}`);
      return words.map((word) => ({ word, about: option.meaning }));
    });
  return [...names, { word: '--help', about: 'show help' }];
}

/** Writes those that begin as typed. Tabs and line ends separate candidates for the scripts. */
function format(candidates: readonly Candidate[], typed: string): readonly string[] {
  return candidates
    .filter(({ word }) => word.startsWith(typed))
    .map(({ word, about }) => `${word}\t${about.replace(/\s+/g, ' ')}`);
}
