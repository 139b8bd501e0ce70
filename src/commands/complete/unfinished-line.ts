import { getArguments, getOptions } from '../../cli/define/command.ts';
import { type Command, type Entry, isGroup } from '../../cli/define/define.ts';
import { GLOBAL_OPTIONS } from '../../cli/settings/globals.ts';
import { longName, type Option, type Parameter } from '../../cli/values/parameters.ts';

/** A word that completion offers, and its meaning. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
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
  #command: Command | undefined;
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
    else if (this.#command !== undefined) this.args.push(word);
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

  listOptions(): readonly Candidate[] {
    const names = this.#options
      .filter(([, option]) => option.form === 'list' || !this.#usedOptions.has(option))
      .flatMap(([key, option]) => {
        const words = [longName(key, option)];
        if (option.short !== undefined) words.push(`-${option.short}`);
        return words.map((word) => ({ word, about: option.meaning }));
      });
    return [...names, { word: '--help', about: 'show help' }];
  }

  /** Returns where the arguments begin, counted from the first word after `svc`. */
  get firstArgumentIndex(): number {
    return this.#wordCount - this.args.length;
  }

  #findArgument(index: number) {
    const all = Object.values(this.#command === undefined ? {} : getArguments(this.#command));
    return all[index] ?? all.find(({ variadic }) => variadic);
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

    const leaf = isGroup(entry) ? entry.children.find(({ name }) => name === entry.standIn) : entry;
    if (leaf === undefined || isGroup(leaf)) return;
    const command = (await leaf.load()).default;
    this.#options = [...Object.entries(getOptions(command)), ...GLOBALS];
    if (leaf === entry) this.#command = command;
  }
}
