import {
  type Argument,
  type Arguments,
  getNameKind,
  type Options,
  type Parameter,
} from '../values/parameters.ts';
import {
  checkAgreement,
  findTableOption,
  readOptions,
  type Texts,
  tableOptions,
} from '../values/read-values.ts';
import { getBatchOptions, getRowColumns } from './batch.ts';
import type { Command, Entry, WithTable } from './define.ts';

type OfOptions = Pick<Command, 'options' | 'csv' | 'batch'> & {
  readonly effect: Command['effect'] | undefined;
};

/** Returns the options of a command, with those of its batch and its table. */
export function getOptions({ options, csv, batch, effect }: OfOptions): Options {
  const what = [csv?.what, batch && 'a row for each item'].filter((one) => one !== undefined);
  const columns = csv
    ? csv.columns
    : batch !== undefined && getRowColumns(batch.row?.head ?? [], batch.of);
  return {
    ...options,
    ...tableOptions(what.join(', or '), columns),
    ...(batch && getBatchOptions(batch.of, effect === 'reads')),
  };
}

/** A command without `--wait` always waits until what it began has ended. */
export function isWaiting({ options }: Command, texts: Texts): boolean {
  if (!Object.hasOwn(options, 'waitTimeout')) return false;
  return !Object.hasOwn(options, 'wait') || texts.has('wait') || texts.has('waitTimeout');
}

/** Returns the arguments of a command; that of a batch takes all words that follow. */
export function getArguments({ args, batch }: Pick<Command, 'args' | 'batch'>): Arguments {
  const argument = batch && args[batch.of];
  return argument ? { ...args, [batch.of]: { ...argument, variadic: true } } : args;
}

/** Whether a line may leave it out, since svc asks for it or a list names it. */
export function isOmittable({ batch }: Command, key: string, argument: Argument<unknown>): boolean {
  return !argument.required || isAskedFor(argument) || key === batch?.of;
}

/** Whether svc asks for it on a terminal if the line leaves it out. */
export function isAskedFor(parameter: Parameter): boolean {
  const isNeeded =
    'required' in parameter && parameter.required && getNameKind(parameter) !== undefined;
  return parameter.asked === true || isNeeded;
}

/** Made once, before anything is asked or sent. */
export interface TypedLine {
  readonly command: Command;
  readonly tree: readonly Entry[];
  /** The texts of the arguments and options. Of several items, the first. */
  readonly texts: Texts;
  readonly globals: Texts;
  /** The items of a batch that the line itself names, possibly none; undefined if it is for one. */
  readonly items: readonly string[] | undefined;
  readonly missing: ReadonlyMap<string, Parameter>;
  /** The values of a line for one that leaves nothing out. */
  readonly values: LineValues | undefined;
}

/** Lists the names that a line has, with their kinds. */
export function listTypedNames({ command, texts }: Pick<TypedLine, 'command' | 'texts'>) {
  return Object.entries({ ...command.args, ...command.options }).flatMap(([key, parameter]) => {
    const kind = getNameKind(parameter);
    const names = texts.get(key);
    return kind && names ? { key, kind, names } : [];
  });
}

/** The values of a line, and the option that asks for its table. */
export type LineValues = Readonly<Record<string, unknown>> & WithTable;

/** Throws a usage error for an invalid text. */
export function readLineValues({ args, options }: Command, texts: Texts): LineValues {
  checkAgreement(args, options, texts);
  const own = Object.entries(args).map(([key, { read }]) => [
    key,
    read(texts.get(key) ?? [], `The ${key}`),
  ]);
  return {
    csv: findTableOption(texts),
    ...Object.fromEntries(own),
    ...readOptions(options, texts),
  };
}
