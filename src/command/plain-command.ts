import { type CommandSpec, camelCase, type Declaration, type Read } from './declaration.ts';

interface PlainOption {
  readonly names: readonly string[];
  readonly key: string;
  readonly takes: 'nothing' | 'a value' | 'perhaps a value';
  readonly isNegation: boolean;
  readonly read: Read | undefined;
}

interface PlainArgument {
  readonly key: string;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
  readonly read: Read | undefined;
}

/** A command as plain lines know it: it takes the words of a line, and gives back what they mean. */
export class PlainCommand implements Declaration {
  /** What the options say, and their standard values. */
  readonly values: Record<string, unknown> = {};
  /** The words for its arguments. */
  readonly words: string[] = [];
  readonly #options: PlainOption[] = [];
  readonly #arguments: PlainArgument[] = [];
  readonly #given = new Set<string>();
  child: PlainCommand | undefined;
  spec: CommandSpec<unknown, unknown> | undefined;

  command(): PlainCommand {
    this.child = new PlainCommand();
    return this.child;
  }

  summary = () => this;
  description = () => this;
  usage = () => this;
  optionsGroup = () => this;

  argument(flags: string, _description: string, read?: Read): this {
    const name = flags.replace(/^[<[]|(?:\.\.\.)?[>\]]$/g, '');
    const isVariadic = /\.\.\.[>\]]$/.test(flags);
    this.#arguments.push({ key: camelCase(name), isRequired: flags.startsWith('<'), isVariadic, read });
    return this;
  }

  option(flags: string, _description: string, read?: Read, standard?: unknown): this {
    const names = flags.match(/(?<![\w<[-])-[\w-]+/g) ?? [];
    const long = names.at(-1) ?? '';
    const isNegation = long.startsWith('--no-');
    const takes = flags.includes('<') ? 'a value' : flags.includes('[') ? 'perhaps a value' : 'nothing';
    const key = camelCase(long.replace(/^--(no-)?/, ''));
    this.#options.push({ names, key, takes, isNegation, read });
    if (isNegation) this.values[key] = true;
    else if (standard !== undefined) this.values[key] = standard;
    return this;
  }

  runs<Options, Value>(spec: CommandSpec<Options, Value>): void {
    this.spec = spec as unknown as CommandSpec<unknown, unknown>;
  }

  /** Takes an option, and its value from the words behind it; false where that is not plain. */
  take(word: string, rest: string[]): boolean {
    const end = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = end < 0 ? word : word.slice(0, end);
    const option = this.#options.find(({ names }) => names.includes(name));
    if (option === undefined || option.takes === 'perhaps a value') return false;
    if (option.takes === 'nothing') {
      this.values[option.key] = !option.isNegation;
      return end < 0;
    }
    const text = end < 0 ? rest.shift() : word.slice(end + 1);
    if (text === undefined || text === '' || text.startsWith('-')) return false;
    return this.#set(option, text);
  }

  #set({ key, read }: PlainOption, text: string): boolean {
    const mayRepeat = read !== undefined && read.length > 1;
    if (this.#given.has(key) && !mayRepeat) return false;
    this.#given.add(key);
    const value = readOrDoubt(text, read, this.values[key]);
    this.values[key] = value;
    return value !== DOUBT;
  }

  /** The arguments by their names; `undefined` where they are too many, too few, or not plain. */
  argumentsGiven(): Readonly<Record<string, unknown>> | undefined {
    if (this.words.length > this.#arguments.length) return undefined;
    const given: Record<string, unknown> = {};
    for (const [index, { key, isRequired, isVariadic, read }] of this.#arguments.entries()) {
      const word = this.words[index];
      if (isVariadic || (word === undefined && isRequired)) return undefined;
      if (word === undefined) continue;
      given[key] = readOrDoubt(word, read, undefined);
      if (given[key] === DOUBT) return undefined;
    }
    return given;
  }
}

/** In place of a value that makes no sense: commander says what is wrong. */
const DOUBT = Symbol('doubt');

function readOrDoubt(text: string, read: Read | undefined, before: unknown): unknown {
  if (read === undefined) return text;
  try {
    return read(text, before as never);
  } catch {
    return DOUBT;
  }
}
