import { type Command, type Entry, isForSeveral, isGroup, optionsOf } from '../kit/define.ts';
import { MORE_WORDS } from '../kit/each.ts';
import { GLOBAL_OPTIONS } from '../kit/globals.ts';
import type { Options } from '../kit/parameters.ts';
import { longName, type Texts } from '../kit/read-values.ts';

/** A command with the texts of its own arguments and options, and of the global options. */
export interface CommandLine {
  readonly command: Command;
  readonly texts: Texts;
  readonly globals: Texts;
}

/**
 * Reads a plain command line: the name of a command, then arguments and options as they are declared. Returns undefined
 * for any other line (help, mistakes, combined short options, `--`), which commander reads. Most lines are plain, and
 * loading commander takes as long as sending a request. A test checks that both readers agree.
 */
export async function readLine(argv: readonly string[], tree: readonly Entry[]): Promise<CommandLine | undefined> {
  const globals: TextMap = new Map();
  const texts: TextMap = new Map();
  let entries = tree;
  let command: Command | undefined;
  let options: Options = {};
  const given: string[] = [];
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word.startsWith('-')) {
      const isPlain = takeOption(word, words, options, texts) || takeOption(word, words, GLOBAL_OPTIONS, globals);
      if (!isPlain) return undefined;
    } else if (command !== undefined) {
      given.push(word);
    } else {
      const entry = entries.find(({ name }) => name === word);
      if (entry === undefined) return undefined;
      if (isGroup(entry)) entries = entry.children;
      else {
        command = (await entry.load()).default;
        options = optionsOf(command);
      }
    }
  }
  if (command === undefined || !fits(command, given, texts)) return undefined;
  for (const [index, key] of Object.keys(command.args).entries()) {
    const word = given[index];
    if (word !== undefined) addArgument(command, key, key === command.each ? given.slice(index) : [word], texts);
  }
  return { command, texts, globals };
}

type TextMap = Map<string, readonly string[]>;

/** Adds the words of an argument; of several values, those after the first are kept apart. */
export function addArgument({ each }: Command, key: string, words: readonly string[], texts: TextMap): void {
  const [own, more] = key === each ? [words.slice(0, 1), words.slice(1)] : [words, []];
  if (own.length > 0) texts.set(key, [...own, ...(texts.get(key) ?? [])]);
  if (more.length > 0) texts.set(MORE_WORDS, more);
}

/** Whether a line has an option; also works for lines that cannot be read. */
export function hasOption(argv: readonly string[], option: string): boolean {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return own.some((word) => word === option || word.startsWith(`${option}=`));
}

function fits(command: Command, words: readonly string[], texts: TextMap): boolean {
  const all = Object.entries(command.args);
  const isListed = isForSeveral(command, texts);
  const areGiven = all.every(([key, { required, variadic }], at) => {
    return !variadic && (!required || at < words.length || (isListed && key === command.each));
  });
  const takesMore = all.some(([key]) => key === command.each);
  return areGiven && (takesMore || words.length <= all.length);
}

/** Reads an option, and its value from the rest of the line, into `texts`. Returns false if that is not plain. */
function takeOption(word: string, rest: string[], options: Options, texts: TextMap): boolean {
  const end = word.startsWith('--') ? word.indexOf('=') : -1;
  const name = end < 0 ? word : word.slice(0, end);
  const [key, option] = Object.entries(options).find(([key, one]) => isNamed(name, key, one)) ?? [];
  if (key === undefined || option === undefined || option.form === 'optional') return false;
  const isSwitch = option.value === '';
  if (isSwitch && end >= 0) return false;
  const text = isSwitch ? '' : end < 0 ? rest.shift() : word.slice(end + 1);
  if (text === undefined || (!isSwitch && (text === '' || text.startsWith('-')))) return false;
  texts.set(key, [...(texts.get(key) ?? []), text]);
  return true;
}

function isNamed(name: string, key: string, option: Options[string]): boolean {
  return name === longName(key, option) || (option.short !== undefined && name === `-${option.short}`);
}
