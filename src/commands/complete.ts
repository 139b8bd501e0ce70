import { getArguments, getOptions } from '../cli/define/command.ts';
import type { Needs } from '../cli/define/context.ts';
import { defineCommand, type Entry, isGroup } from '../cli/define/define.ts';
import { getCachedNames } from '../cli/define/name-cache.ts';
import type { KnownName } from '../cli/define/name-notes.ts';
import { describeEntries, listEntriesBelow } from '../cli/help/describe.ts';
import { GLOBAL_OPTIONS } from '../cli/settings/globals.ts';
import {
  type Argument,
  getNameKind,
  longName,
  type Option,
  type Parameter,
  rest,
} from '../cli/values/parameters.ts';
import { TOPICS } from './help/topics.ts';

/**
 * Answers completion scripts: `svc complete -- <words>`, where the last word is still being typed.
 * Prints candidates, each with a tab and its meaning; or `:files <prefix>` or `:command <start>` if
 * the shell should complete. Sends nothing.
 */
export default defineCommand({
  summary: 'Print what Tab offers for a command line; completion scripts call it',
  effect: 'local',
  args: { words: rest('what is typed behind svc, after --', 0) },

  async run(context, { words }, tree) {
    const line = new UnfinishedLine(tree);
    for (const word of words.slice(0, -1)) await line.read(word);

    const typed = words.at(-1) ?? '';
    const isOption = line.mayBeOption(typed);
    const assignment = isOption ? /^(--[^=]*)=/.exec(typed) : null;
    const [start = '', name = ''] = assignment ?? [];
    const parameter = isOption ? line.findOption(name)?.[1] : line.findParameter();
    if (parameter?.offer === 'command') return print([`:command ${line.firstArgumentIndex}`]);
    if (parameter === undefined) {
      const candidates = isOption ? line.listOptions() : await describeAll(line.entries);
      return print(format(candidates, typed));
    }

    // Behind a comma the next one is offered, and none twice.
    const listed = parameter.commas ? typed.slice(start.length, typed.lastIndexOf(',') + 1) : '';
    if (parameter.offer === 'files') return print([`:files ${start}${listed}`]);
    const candidates = await listCandidates(parameter, line, tree, context);
    const free = candidates.filter(({ name }) => !listed.split(',').includes(name));
    return print(format(free, typed, start + listed));
  },

  human(screen, lines) {
    screen.exact();
    if (lines.length > 0) screen.verbatim(lines.join('\n'));
  },
});

function print(lines: readonly string[]) {
  return { value: lines, json: undefined };
}

async function listCandidates(
  parameter: Parameter,
  { args, optionTexts }: UnfinishedLine,
  tree: readonly Entry[],
  context: Needs<'settings' | 'store'>,
): Promise<readonly KnownName[]> {
  if (parameter.choices !== undefined) {
    return parameter.choices.map((name) => ({ name }));
  }
  if (parameter.offer === 'help') {
    const topics = args.length === 0 ? TOPICS : [];
    return [
      ...(await describeAll(listEntriesBelow(tree, args))),
      ...topics.map(({ name, title }) => ({ name, about: title })),
    ];
  }

  const kind = getNameKind(parameter);
  return kind === undefined ? [] : getCachedNames(context, kind, optionTexts);
}

async function describeAll(entries: readonly Entry[]) {
  const commands = await describeEntries(entries);
  return commands.map(({ path, summary }) => ({
    name: path.slice(path.lastIndexOf(' ') + 1),
    about: summary,
  }));
}

/** Writes those that begin as typed. Tabs and line ends separate candidates for the scripts. */
function format(candidates: readonly KnownName[], typed: string, prefix = '') {
  return candidates
    .map(({ name, about = '' }) => `${prefix}${name}\t${about.replace(/\s+/g, ' ')}`)
    .filter((line) => line.startsWith(typed));
}

/**
 * An option by its key. A command's option may have the key of a global one: `--input` and
 * `--no-input`.
 */
type NamedOption = readonly [key: string, option: Option<unknown>];

const GLOBALS: readonly NamedOption[] = Object.entries(GLOBAL_OPTIONS);

/** The words in front of the one that is being typed, read one after the other. */
export class UnfinishedLine {
  /** The commands that may follow; none behind a command, or a word that svc does not know. */
  entries: readonly Entry[];
  readonly args: string[] = [];
  readonly optionTexts: Record<string, string> = {};
  #arguments: readonly Argument<unknown>[] | undefined;
  #options = GLOBALS;
  readonly #usedOptions = new Set<unknown>();
  /** The option whose value comes next. */
  #pendingOption: NamedOption | undefined;
  #isAfterDashes = false;
  #wordCount = 0;

  constructor(tree: readonly Entry[]) {
    this.entries = tree;
  }

  async read(word: string): Promise<void> {
    this.#wordCount++;
    if (this.#pendingOption !== undefined) {
      this.optionTexts[this.#pendingOption[0]] = word;
      this.#pendingOption = undefined;
    } else if (word === '--' && !this.#isAfterDashes) this.#isAfterDashes = true;
    else if (this.mayBeOption(word)) this.#takeOption(word);
    else if (this.#arguments !== undefined) this.args.push(word);
    else await this.#enter(word);
  }

  /** An option stands neither behind `--` nor behind the first word of an inner command line. */
  mayBeOption(word: string): boolean {
    const isValue = this.#isAfterDashes || this.#pendingOption !== undefined;
    const isInner = this.args.length > 0 && this.#findArgument(0)?.offer === 'command';
    return word.startsWith('-') && !isValue && !isInner;
  }

  /** Finds what the next word is the value of. */
  findParameter(): Parameter | undefined {
    return this.#pendingOption?.[1] ?? this.#findArgument(this.args.length);
  }

  findOption(name: string): NamedOption | undefined {
    return this.#options.find(
      ([key, option]) => name === longName(key, option) || name === `-${option.short}`,
    );
  }

  listOptions(): readonly KnownName[] {
    const names = this.#options
      .filter(([, option]) => option.form === 'list' || !this.#usedOptions.has(option))
      .flatMap(([key, option]) => {
        const words = [longName(key, option)];
        if (option.short !== undefined) words.push(`-${option.short}`);
        return words.map((name) => ({ name, about: option.meaning }));
      });
    return [...names, { name: '--help', about: 'show help' }];
  }

  /** Returns where the arguments begin, counted from the first word after `svc`. */
  get firstArgumentIndex(): number {
    return this.#wordCount - this.args.length;
  }

  #findArgument(index: number) {
    const all = this.#arguments;
    return all?.[index] ?? all?.find(({ variadic }) => variadic);
  }

  #takeOption(word: string): void {
    const [name = '', value] = word.split(/=(.*)/s);
    const named = this.findOption(name);
    if (named === undefined) return;

    const [key, option] = named;
    this.#usedOptions.add(option);
    if (value !== undefined) this.optionTexts[key] = value;
    else if (option.form === 'value' || option.form === 'list') this.#pendingOption = named;
  }

  async #enter(word: string): Promise<void> {
    const entry = this.entries.find(({ name }) => name === word);
    this.entries = entry !== undefined && isGroup(entry) ? entry.children : [];
    if (entry === undefined) return;

    const leaf = isGroup(entry)
      ? entry.children.find(({ name }) => name === entry.defaultCommand)
      : entry;
    if (leaf === undefined || isGroup(leaf)) return;
    const command = await leaf.load();
    this.#options = [...Object.entries(getOptions(command)), ...GLOBALS];
    if (leaf === entry) this.#arguments = Object.values(getArguments(command));
  }
}
