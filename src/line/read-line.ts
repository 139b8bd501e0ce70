import { argumentsOf, type Command, type Entry, isGroup, mayMiss, optionsOf, type TypedLine } from '../kit/define.ts';
import { GLOBAL_OPTIONS } from '../kit/globals.ts';
import type { Options } from '../kit/parameters.ts';
import { longName } from '../kit/read-values.ts';

/**
 * Reads a plain command line: the name of a command, then arguments and options as they are declared. Returns undefined
 * for any other line (help, mistakes, combined short options, `--`), which commander reads. Most lines are plain, and
 * loading commander takes as long as sending a request. A test checks that both readers agree.
 */
export async function readLine(argv: readonly string[], tree: readonly Entry[]): Promise<TypedLine | undefined> {
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
  return command !== undefined && fits(command, given.length)
    ? { command, tree, words: given, texts, globals }
    : undefined;
}

type TextMap = Map<string, readonly string[]>;

/** Whether a line has an option; also works for lines that cannot be read. */
export function hasOption(argv: readonly string[], option: string): boolean {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return own.some((word) => word === option || word.startsWith(`${option}=`));
}

/** Whether a command takes so many words. */
function fits(command: Command, count: number): boolean {
  const all = Object.entries(argumentsOf(command));
  const areGiven = all.every(([key, argument], at) => at < count || mayMiss(command, key, argument));
  return areGiven && (count <= all.length || all.some(([, { variadic }]) => variadic));
}

/** Reads an option, and its value from the rest of the line, into `texts`. Returns false if that is not plain. */
function takeOption(word: string, rest: string[], options: Options, texts: TextMap): boolean {
  const end = word.startsWith('--') ? word.indexOf('=') : -1;
  const name = end < 0 ? word : word.slice(0, end);
  const [key, option] = Object.entries(options).find(([key, one]) => isNamed(name, key, one)) ?? [];
  if (key === undefined || option === undefined || option.form === 'optional') return false;
  const add = (text: string) => Boolean(texts.set(key, [...(texts.get(key) ?? []), text]));
  if (option.value === '') return end < 0 && add('');
  const text = end < 0 ? (rest.shift() ?? '') : word.slice(end + 1);
  return text !== '' && !text.startsWith('-') && add(text);
}

function isNamed(name: string, key: string, option: Options[string]): boolean {
  return name === longName(key, option) || (option.short !== undefined && name === `-${option.short}`);
}
