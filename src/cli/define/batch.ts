import type { CliError } from '../../errors.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import type { Column, Screen, Text } from '../../terminal/screen.ts';
import { parseWholeNumber } from '../values/number.ts';
import {
  fileOption,
  flag,
  type Option,
  type Options,
  option,
  under,
} from '../values/parameters.ts';
import type { Context } from './context.ts';
import type { Printed } from './result.ts';

/** What a batch may be of: the key of the argument or option that names one. */
export type BatchOf = 'service' | 'deploymentId' | 'jobId' | 'database' | 'domain' | 'org';

/** One item of a batch. */
export interface BatchItem {
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly id: string;
}

/**
 * How a command is carried out for each of several. Comes after `run`, which gives the value its
 * type.
 */
export interface Batch<Value, Values, Key extends string> {
  readonly of: BatchOf;
  /** The options that work on one only. */
  readonly single?: readonly Key[];
  /** Asks the platform for the ids of all of them: `--all-orgs`. */
  all?(context: Context): Promise<readonly string[]>;
  /** Shows all results in one table, behind a column of their ids. */
  readonly row?: {
    readonly head: readonly (string | Column)[];
    of(value: Value): readonly (Text | undefined)[];
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
  /** Called once for each item, in the order in which they end. */
  add(item: BatchItem, value: Value | undefined, error: CliError | undefined): void;
  end?(): Promise<void>;
  show(screen: Screen): void;
}

/** One of them in a sentence, which is also its field in a list. */
export const ONE: Readonly<Record<BatchOf, string>> = {
  service: 'service',
  deploymentId: 'deployment',
  jobId: 'job',
  database: 'database',
  domain: 'domain',
  org: 'organization',
};

/** The option that lists the items: a file of ids, or for organizations a switch. */
export function listOption(of: BatchOf): {
  readonly key: string;
  readonly option: Option<unknown>;
} {
  if (of === 'org')
    return { key: 'allOrgs', option: flag('repeat for each of your organizations') };
  const meaning = `read the ${ONE[of]}s from this file: an id or a JSON object on each line`;
  return { key: `${ONE[of]}s`, option: fileOption('file|-', meaning) };
}

const CONCURRENCY = {
  concurrency: option(
    'number',
    'how many requests at a time, from 1 to 64 (default: 4)',
    (text, field) => parseWholeNumber(text, field, { min: 1, max: 64 }),
  ),
};

/** A read is simply run again; a change goes on where it was. */
export const CHANGE_OPTIONS = {
  ...CONCURRENCY,
  maxFailures: option('number', 'stop after this many failures', (text, field) =>
    parseWholeNumber(text, field, { min: 1, max: 1_000_000 }),
  ),
  resume: fileOption(
    'file',
    'keep a log in this file, and go on with it: skip what is done, wait for its jobs, repeat what failed',
  ),
  retryUnknown: flag('with --resume: also repeat what may have been done'),
};

/** The options of a command that may be a batch, without those of a table. */
export function batchOptions(of: BatchOf, isRead: boolean): Options {
  const { key, option: list } = listOption(of);
  const run = isRead ? CONCURRENCY : CHANGE_OPTIONS;
  return under(`Several ${ONE[of]}s`, { [key]: list, ...run });
}

/** The columns of `--csv`: heads as names, `At the registry` as `atTheRegistry`. */
export function rowColumns(head: readonly (string | Column)[], of: BatchOf): readonly string[] {
  const names = head.map((column) =>
    (typeof column === 'string' ? column : column.name).toLowerCase(),
  );
  const own = names.map((name) =>
    name.replaceAll(/ (.)/g, (_, first: string) => first.toUpperCase()),
  );
  return [ONE[of], 'exitCode', 'code', 'error', ...own];
}
