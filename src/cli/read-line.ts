import { type Command, type Entry, isGroup, optionsOf } from '../command/define.ts';
import { GLOBAL_OPTIONS } from '../command/globals.ts';
import type { Options } from '../command/parameters.ts';
import { longName, type Texts } from '../command/read-values.ts';

/** A command line that was understood: the command, and the texts it was given. */
export interface CommandLine {
  readonly command: Command;
  /** For the arguments and options of the command. */
  readonly texts: Texts;
  /** For the global options. */
  readonly globals: Texts;
}

/**
 * Reads a plain command line: the name of a command, then arguments and options as they are declared. Returns undefined
 * for every other line (help, mistakes, abbreviations, `--`): commander reads those. Most lines are plain, and to load
 * commander takes as long as to send a request. A test holds the two readers together.
 */
export async function readLine(argv: readonly string[], tree: readonly Entry[]): Promise<CommandLine | undefined> {
  const globals = new Reading(GLOBAL_OPTIONS);
  let entries = tree;
  let command: Command | undefined;
  let own: Reading | undefined;
  const given: string[] = [];
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word.startsWith('-')) {
      if (!(own?.take(word, words) || globals.take(word, words))) return undefined;
    } else if (command !== undefined) {
      given.push(word);
    } else {
      const entry = entries.find(({ name }) => name === word);
      if (entry === undefined) return undefined;
      if (isGroup(entry)) entries = entry.children;
      else {
        command = (await entry.load()).default;
        own = new Reading(optionsOf(command));
      }
    }
  }
  if (command === undefined || own === undefined || !fits(command, given)) return undefined;
  const { texts } = own;
  Object.keys(command.args).forEach((key, index) => {
    const word = given[index];
    if (word !== undefined) texts.set(key, [word, ...(texts.get(key) ?? [])]);
  });
  return { command, texts, globals: globals.texts };
}

/** Whether a command line has an option, for errors of lines that cannot be read. */
export function hasOption(argv: readonly string[], option: string): boolean {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return own.some((word) => word === option || word.startsWith(`${option}=`));
}

/** Whether the arguments are neither too few nor too many. */
function fits({ args }: Command, words: readonly string[]): boolean {
  const all = Object.values(args);
  return (
    words.length <= all.length &&
    all.every(({ required, variadic }, index) => {
      return !variadic && (!required || words[index] !== undefined);
    })
  );
}

/** The options of a command, and what a line says of them. */
class Reading {
  readonly texts = new Map<string, readonly string[]>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes an option, and its value from the words behind it. Returns false if that is not plain. */
  take(word: string, rest: string[]): boolean {
    const end = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = end < 0 ? word : word.slice(0, end);
    const [key, option] = Object.entries(this.#options).find(([key, one]) => isNamed(name, key, one)) ?? [];
    if (key === undefined || option === undefined || option.form === 'optional') return false;
    if (option.value === '') {
      this.#add(key, '');
      return end < 0;
    }
    const text = end < 0 ? rest.shift() : word.slice(end + 1);
    if (text === undefined || text === '' || text.startsWith('-')) return false;
    this.#add(key, text);
    return true;
  }

  #add(key: string, text: string): void {
    this.texts.set(key, [...(this.texts.get(key) ?? []), text]);
  }
}

function isNamed(name: string, key: string, option: Options[string]): boolean {
  return name === longName(key, option) || (option.short !== undefined && name === `-${option.short}`);
}
