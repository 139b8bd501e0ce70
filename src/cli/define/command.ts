import {
  type Argument,
  type Arguments,
  nameKindOf,
  type Options,
  type Parameter,
} from '../values/parameters.ts';
import {
  askedTable,
  checkAgreement,
  readOptions,
  type Texts,
  tableOptions,
} from '../values/read-values.ts';
import type { Command, Entry, WithTable } from './define.ts';
import { type Each, optionsForEach, rowColumns } from './each.ts';

/** With those for several, and those of a table if its result is one. */
export function optionsOf({
  options,
  csv,
  row,
  each,
}: Pick<Command, 'options' | 'csv' | 'row' | 'each'>): Options {
  const what = [csv?.what, each && 'a row for each item'].filter((one) => one !== undefined);
  const columns =
    csv === undefined ? row !== undefined && each && rowColumns(row.head, each) : csv.columns;
  return {
    ...options,
    ...tableOptions(what.join(', or '), columns),
    ...(each !== undefined && optionsForEach(each)),
  };
}

/** A command without `--wait` always waits until what it began has ended. */
export function isWaiting({ options }: Command, texts: Texts): boolean {
  if (!Object.hasOwn(options, 'waitTimeout')) return false;
  return !Object.hasOwn(options, 'wait') || texts.has('wait') || texts.has('waitTimeout');
}

/** The one for several takes all words that follow. */
export function argumentsOf({ args, each }: Pick<Command, 'args' | 'each'>): Arguments {
  const argument = each && args[each];
  return argument === undefined
    ? args
    : { ...args, [each as Each]: { ...argument, variadic: true } };
}

/** Whether a line may leave it out, since svc asks for it or a list names it. */
export function mayMiss({ each }: Command, key: string, argument: Argument<unknown>): boolean {
  return !argument.required || isAskedFor(argument) || key === each;
}

/** Whether svc asks for it on a terminal if the line leaves it out. */
export function isAskedFor(parameter: Parameter): boolean {
  const isNeeded =
    'required' in parameter && parameter.required && nameKindOf(parameter) !== undefined;
  return parameter.asked === true || isNeeded;
}

/** Made once, before anything is asked or sent. */
export interface TypedLine {
  readonly command: Command;
  readonly tree: readonly Entry[];
  /** The texts of the arguments and options. Of several items, the first. */
  readonly texts: Texts;
  readonly globals: Texts;
  /** Those that a line for several names itself, possibly none; undefined if it is for one. */
  readonly items: readonly string[] | undefined;
  readonly missing: ReadonlyMap<string, Parameter>;
  /** The values of a line for one that leaves nothing out. */
  readonly values: LineValues | undefined;
}

/** With the option that asks for its table. */
export type LineValues = Readonly<Record<string, unknown>> & WithTable;

/** The key of the texts of {@link WithTable.beside}. */
export const BESIDE = 'beside';

/** Throws a usage error for an invalid text. */
export function valuesOf({ args, options }: Command, texts: Texts): LineValues {
  checkAgreement(args, options, texts);
  const beside = texts.get(BESIDE);
  const own = Object.entries(args).map(([key, { read }]) => [
    key,
    read(texts.get(key) ?? [], `The ${key}`),
  ]);
  const values = {
    csv: askedTable(texts),
    ...Object.fromEntries(own),
    ...readOptions(options, texts),
  };
  return beside === undefined ? values : { ...values, beside };
}
