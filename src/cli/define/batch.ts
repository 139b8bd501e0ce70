import type { CliError } from '../../errors.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import type { Column, Screen, Text } from '../../terminal/screen.ts';
import { parseWholeNumber } from '../values/number.ts';
import { fileOption, flag, type Options, option, under } from '../values/parameters.ts';
import { parseDuration } from '../values/time.ts';
import type { Context } from './context.ts';
import type { Printed } from './result.ts';

/** The kind of a batch: the key of the argument or option that names one. */
export type BatchOf = 'service' | 'deploymentId' | 'jobId' | 'database' | 'domain' | 'org';

/** One item of a batch. */
export interface BatchItem {
  /** The place in the list, from 0. */
  readonly index: number;
  readonly id: string;
}

/**
 * How a command is carried out for a batch. Stands behind `run`, which gives the value its type.
 */
export interface Batch<Value, Values, Key extends string> {
  readonly of: BatchOf;
  /** The options that work on one item only. */
  readonly single?: readonly Key[];
  /** The options that make it a check, which fails over an empty list; `always` without one. */
  readonly checks?: readonly Key[] | 'always';
  /** Asks the platform for the ids of all of them: `--all-orgs`. */
  all?(context: Context): Promise<readonly string[]>;
  /** Shows all results in one table, behind a column of their ids. */
  readonly row?: {
    readonly head: readonly (string | Column)[];
    cells(value: Value): readonly (Text | undefined)[];
  };
  /**
   * Shows all results together in a way of its own, or does the whole job by itself. Throws usage
   * errors first.
   */
  gather?(
    context: Context,
    options: Values,
    items: readonly BatchItem[],
  ): Promise<BatchView<Value> | Printed>;
}

/** All results of a batch, shown as one. */
export interface BatchView<Value> {
  readonly csv: {
    readonly head: readonly string[];
    rowsOf(
      value: Value | undefined,
      item: BatchItem,
      error: CliError | undefined,
    ): CsvTable['rows'];
  };
  /** Takes the result of an item, once for each, in the order in which they end. */
  add(item: BatchItem, value: Value | undefined, error: CliError | undefined): void;
  show(screen: Screen): void;
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
  const meaning = `read the ${items} from this file: an id or a JSON object on each line${logs}`;
  return { key: items, option: fileOption('file|-', meaning) };
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
