import { BESIDE, isAskedFor, type ParsedLine, type TypedLine, valuesOf } from '../kit/command.ts';
import type { Command } from '../kit/define.ts';
import { optionsForEach } from '../kit/each.ts';
import type { Parameter } from '../kit/parameters.ts';
import { TABLE_KEYS, type Texts } from '../kit/read-values.ts';
import { isWebAddress } from '../kit/values/identifier.ts';

/** Says what a line asks for. Throws a usage error for an invalid value, except of a line for several. */
export function parseLine({ command, tree, words, texts: options }: TypedLine): ParsedLine {
  const { args, each } = command;
  const texts = new Map(options);
  let named: readonly string[] = [];
  for (const [index, [key, { variadic }]] of Object.entries(args).entries()) {
    const own = words.slice(index, variadic ? undefined : index + 1);
    if (own.length > 0) texts.set(key, [...own, ...(texts.get(key) ?? [])]);
    if (key === each) named = words.slice(index);
  }
  const items = itemsOf(command, texts, named);
  const missing = missingFrom(command, texts, items !== undefined);
  const hasAddress = [...texts.values()].flat().some(isWebAddress);
  const values = items === undefined && missing.size === 0 && !hasAddress ? valuesOf(command, texts) : undefined;
  return { command, tree, texts, items, missing, values };
}

/** A line is for several if it names more than one, or has an option that only several need. */
function itemsOf(
  command: Command,
  texts: Map<string, readonly string[]>,
  words: readonly string[],
): ParsedLine['items'] {
  const { args, each, csv } = command;
  if (each === undefined) return undefined;
  const isOption = !Object.hasOwn(args, each);
  const given = texts.get(each) ?? [];
  const keys = [...Object.keys(optionsForEach(each)), ...(csv === undefined ? TABLE_KEYS : [])];
  const isNamed = words.length > 1 || (isOption && new Set(given).size > 1);
  const isListed = keys.some((key) => texts.has(key));
  if (!isNamed && !isListed) return undefined;
  if (!isListed && texts.has(command.stays ?? '')) {
    const [first = '', ...beside] = new Set(words.map((word) => String(args[each]?.read([word], `The ${each}`))));
    texts.set(each, [first]).set(BESIDE, beside);
    return undefined;
  }
  if (words.length > 0) return words;
  return isOption ? given : given.slice(0, 1);
}

function missingFrom({ args, options, each }: Command, texts: Texts, isListed: boolean) {
  const all: Readonly<Record<string, Parameter>> = { ...options, ...args };
  const isNeeded = (key: string, one: Parameter) =>
    key === each ? !isListed && (isAskedFor(one) || Object.hasOwn(args, key)) : isAskedFor(one);
  return new Map(Object.entries(all).filter(([key, one]) => isNeeded(key, one) && !texts.has(key)));
}
