import { getBatchOptions } from '../define/batch.ts';
import { isAskedFor, readLineValues, type TypedLine } from '../define/command.ts';
import type { Command, Entry } from '../define/define.ts';
import type { Parameter } from '../values/parameters.ts';
import { TABLE_KEYS, type Texts } from '../values/read-values.ts';

/** Texts by the keys of arguments and options, while a line is read. */
export type MutableTexts = Map<string, readonly string[]>;

/** A command as a line names it, with the words of its arguments and the texts of its options. */
export interface NamedCommand {
  readonly command: Command;
  readonly words: readonly string[];
  readonly texts: MutableTexts;
}

/**
 * Returns what a line asks for.
 * @throws CliError `usage` for an invalid value, except in a batch
 */
export function parseLine(
  tree: readonly Entry[],
  globals: Texts,
  { command, words, texts }: NamedCommand,
): TypedLine {
  for (const [index, [key, { variadic }]] of Object.entries(command.args).entries()) {
    const typed = words.slice(index, variadic ? undefined : index + 1);
    if (typed.length > 0) texts.set(key, [...typed, ...(texts.get(key) ?? [])]);
  }

  const items = findBatchItems(command, texts, words);
  const missing = findMissing(command, texts, items !== undefined);
  const isWhole = !items && missing.size === 0;
  const values = isWhole ? readLineValues(command, texts) : undefined;
  return { command, tree, texts, globals, items, missing, values };
}

/** Finds the items of a line that names more than one, or has an option of batches. */
function findBatchItems(
  { args, batch, csv, effect }: Command,
  texts: Texts,
  words: readonly string[],
): TypedLine['items'] {
  if (!batch) return undefined;
  const place = Object.keys(args).indexOf(batch.of);
  const isOption = place < 0;
  const named = isOption ? [] : words.slice(place);
  const typed = texts.get(batch.of) ?? [];
  const keys = [
    ...Object.keys(getBatchOptions(batch.of, effect === 'reads')),
    ...(csv ? [] : TABLE_KEYS),
  ];
  const isListed = keys.some((key) => texts.has(key));

  if (!isListed && named.length < 2 && !(isOption && new Set(typed).size > 1)) return undefined;
  if (named.length > 0) return named;
  return isOption ? typed : typed.slice(0, 1);
}

/** Finds what the line leaves out, and svc asks for. */
function findMissing(
  { args, options, batch }: Command,
  texts: Texts,
  isBatch: boolean,
): ReadonlyMap<string, Parameter> {
  const all: Readonly<Record<string, Parameter>> = { ...args, ...options };
  const isNeeded = ([key, parameter]: readonly [string, Parameter]) => {
    if (texts.has(key) || (key === batch?.of && isBatch)) return false;
    return isAskedFor(parameter) || (key === batch?.of && Object.hasOwn(args, key));
  };
  return new Map(Object.entries(all).filter(isNeeded));
}
