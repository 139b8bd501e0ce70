import { BESIDE, isAskedFor, type TypedLine, valuesOf } from '../kit/command.ts';
import type { Command } from '../kit/define.ts';
import { optionsForEach } from '../kit/each.ts';
import type { Parameter } from '../kit/parameters.ts';
import { TABLE_KEYS } from '../kit/read-values.ts';
import { isWebAddress } from '../kit/values/identifier.ts';

/** The texts of a line, until they are read. */
export type MutableTexts = Map<string, readonly string[]>;

/**
 * Says what a line asks for. Throws a usage error for an invalid value, except of a line for several.
 * @param words the arguments
 * @param texts those of the options; the arguments are added
 */
export function parseLine(
  { command, tree, globals }: Pick<TypedLine, 'command' | 'tree' | 'globals'>,
  words: readonly string[],
  texts: MutableTexts = new Map(),
): TypedLine {
  for (const [index, [key, { variadic }]] of Object.entries(command.args).entries()) {
    const own = words.slice(index, variadic ? undefined : index + 1);
    if (own.length > 0) texts.set(key, [...own, ...(texts.get(key) ?? [])]);
  }
  const at = Object.keys(command.args).indexOf(command.each ?? '');
  const items = itemsOf(command, texts, at < 0 ? [] : words.slice(at));
  const missing = missingFrom(command, texts, items !== undefined);
  const hasAddress = [...texts.values()].flat().some(isWebAddress);
  const isWhole = items === undefined && missing.size === 0 && !hasAddress;
  const values = isWhole ? valuesOf(command, texts) : undefined;
  return { command, tree, texts, globals, items, missing, values };
}

/** A line is for several if it names more than one, or has an option that only several need. */
function itemsOf(command: Command, texts: MutableTexts, words: readonly string[]): TypedLine['items'] {
  const { args, each, csv, stays = '' } = command;
  if (each === undefined) return undefined;
  const isOption = !Object.hasOwn(args, each);
  const given = texts.get(each) ?? [];
  const keys = [...Object.keys(optionsForEach(each)), ...(csv === undefined ? TABLE_KEYS : [])];
  const isListed = keys.some((key) => texts.has(key));
  if (!isListed && words.length < 2 && !(isOption && new Set(given).size > 1)) return undefined;
  if (!isListed && texts.has(stays)) {
    const [first = '', ...beside] = new Set(words.map((word) => String(args[each]?.read([word], `The ${each}`))));
    texts.set(each, [first]).set(BESIDE, beside);
    return undefined;
  }
  if (words.length > 0) return words;
  return isOption ? given : given.slice(0, 1);
}

function missingFrom({ args, options, each }: Command, texts: MutableTexts, isListed: boolean) {
  const all: Readonly<Record<string, Parameter>> = { ...options, ...args };
  const isNeeded = ([key, one]: readonly [string, Parameter]) => {
    if (key === each && isListed) return false;
    return isAskedFor(one) || (key === each && Object.hasOwn(args, key));
  };
  return new Map(Object.entries(all).filter((entry) => isNeeded(entry) && !texts.has(entry[0])));
}
