import type { Column } from '../../terminal/screen.ts';
import {
  type Argument,
  type Arguments,
  checkAgreement,
  fileOption,
  findTableOption,
  flag,
  getNameKind,
  type Options,
  option,
  type Parameter,
  readOptions,
  type Texts,
  tableOptions,
  under,
} from '../values/parameters.ts';
import { parseWholeNumber } from '../values/text.ts';
import { parseDuration } from '../values/time.ts';
import type { BatchOf, Command, Entry, WithTable } from './define.ts';

/** Returns the options of a command, with those of its batch and its table. */
export function getOptions({
  options,
  csv,
  batch,
  effect,
}: Pick<Command, 'options' | 'csv' | 'batch' | 'effect'>): Options {
  const what = [csv?.what, batch && 'a row for each item'].filter(Boolean);
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
  if (!('waitTimeout' in options)) return false;
  return !('wait' in options) || texts.has('wait') || texts.has('waitTimeout');
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

/** A line with its command, read once, before anything is asked or sent. */
export interface TypedLine {
  readonly command: Command;
  readonly tree: readonly Entry[];
  /** The texts of the arguments and options. Of several items, the first. */
  readonly texts: Texts;
  readonly globals: Texts;
  /** The items of a batch that the line itself names, possibly none; undefined if it is for one. */
  readonly items: readonly string[] | undefined;
  readonly missing: ReadonlyMap<string, Parameter>;
  /** The values; undefined for a batch, and while something is missing. */
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
  return {
    csv: findTableOption(texts),
    ...Object.fromEntries(
      Object.entries(args).map(([key, { read }]) => [
        key,
        read(texts.get(key) ?? [], `The ${key}`),
      ]),
    ),
    ...readOptions(options, texts),
  };
}

/** The word for one item, which is also its field in a list. */
export const ITEM_WORDS: Readonly<Record<BatchOf, string>> = {
  service: 'service',
  deploymentId: 'deployment',
  jobId: 'job',
  database: 'database',
  domain: 'domain',
  org: 'organization',
};

/** Returns the option that lists the items: a file of ids, or for organizations a switch. */
export function getListOption(of: BatchOf) {
  if (of === 'org') {
    return { key: 'allOrgs', option: flag('repeat for each of your organizations') };
  }

  const items = `${ITEM_WORDS[of]}s`;
  const logs = of === 'jobId' ? ', or the log of svc wp run' : '';
  return {
    key: items,
    option: fileOption(
      'file|-',
      `read the ${items} from this file: an id or a JSON object on each line${logs}`,
    ),
  };
}

const READ_OPTIONS = {
  concurrency: option(
    'number',
    'how many requests at a time, from 1 to 64 (default: 4)',
    (text, field) => parseWholeNumber(text, field, { min: 1, max: 64 }),
  ),
};

/** The options of a batch that changes something: it can be stopped, and gone on with. */
export const CHANGE_OPTIONS = {
  ...READ_OPTIONS,
  log: fileOption(
    'file',
    'keep a log in this file, or go on with it: nothing is done twice, and what failed is repeated',
  ),
  retryUnknown: flag('with --log: also repeat what may have been done'),
  maxFailures: option('number', 'stop after this many failures', (text, field) =>
    parseWholeNumber(text, field, { min: 1, max: 1_000_000 }),
  ),
  stopAfter: option('duration', 'begin nothing new after this time, such as 30m', parseDuration),
};

/** Returns the options of a command that may be a batch, without those of a table. */
export function getBatchOptions(of: BatchOf, isRead: boolean): Options {
  const { key, option: list } = getListOption(of);
  const own = isRead ? READ_OPTIONS : CHANGE_OPTIONS;
  return under(`A batch of ${ITEM_WORDS[of]}s`, { [key]: list, ...own });
}

/** Returns the columns of `--csv`: heads become names, `At the registry` is `atTheRegistry`. */
export function getRowColumns(head: readonly (string | Column)[], of: BatchOf): readonly string[] {
  const fields = head.map((column) => {
    const name = typeof column === 'string' ? column : column.name;
    return name.toLowerCase().replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase());
  });
  return [ITEM_WORDS[of], 'exitCode', 'code', 'error', ...fields];
}
