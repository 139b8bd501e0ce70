import { parseWholeNumber } from '../values/number.ts';
import {
  choice,
  fileOption,
  flag,
  type Option,
  type Options,
  option,
  under,
  type Values,
} from '../values/parameters.ts';
import { parseDuration } from '../values/time.ts';

/** What a command may be carried out for several of. */
export type Each = 'service' | 'deploymentId' | 'jobId' | 'database' | 'domain' | 'org';

interface Kind {
  readonly one: string;
  readonly several: string;
  readonly field: string;
  readonly option: Option<unknown>;
  readonly key: string;
}

function listed(one: string): Kind {
  const several = `${one}s`;
  const meaning = `read the ${several} from this file: an id or a JSON object on each line`;
  return { one, several, field: one, key: several, option: fileOption('file|-', meaning) };
}

/** How to name and to list each kind of item. */
export const KINDS: Readonly<Record<Each, Kind>> = {
  service: listed('service'),
  deploymentId: listed('deployment'),
  jobId: listed('job'),
  database: listed('database'),
  domain: listed('domain'),
  org: {
    one: 'organization',
    several: 'organizations',
    field: 'org',
    key: 'allOrgs',
    option: flag('repeat for each of your organizations'),
  },
};

/** The columns of `--csv` for several. */
export const OUTCOME_COLUMNS = [
  'index',
  'item',
  'exitCode',
  'code',
  'error',
  'attempts',
  'ms',
  'answer',
] as const;

/** Heads as names of fields: `At the registry` as `atTheRegistry`. */
export function rowColumns(
  head: readonly (string | { readonly name: string })[],
  each: Each,
): readonly string[] {
  const names = head.map((column) =>
    (typeof column === 'string' ? column : column.name).toLowerCase(),
  );
  return [
    KINDS[each].one,
    ...names.map((name) => name.replaceAll(/ (.)/g, (_, first: string) => first.toUpperCase())),
  ];
}

/** How a command is carried out for several. */
export const RUN_OPTIONS = {
  concurrency: option(
    'number',
    'how many requests at a time, from 1 to 64 (default: 4)',
    (text, field) => parseWholeNumber(text, field, { min: 1, max: 64 }),
  ),
  maxFailures: option('n|n%', 'stop after this many failures', parseLimit),
  stopAfter: option(
    'duration',
    'after this time start nothing new, and leave running jobs to the log (exit code 10)',
    parseDuration,
  ),
  accept: choice('code', 'count items with this error as done: not_found (deleted)', ['not_found']),
  log: fileOption('file', 'record progress in this new file, for --resume'),
  resume: fileOption(
    'file',
    'go on with this log, or begin it: skip what is done, wait for its jobs, repeat what failed',
  ),
  retryUnknown: flag('with --resume: also repeat steps whose result is unknown'),
};

/** The parsed options of a run for several. */
export type RunOptions = Values<typeof RUN_OPTIONS>;

/** {@link RUN_OPTIONS}, and the one that lists the items. */
export function optionsForEach(each: Each): Options {
  const { several, key, option } = KINDS[each];
  return under(`Several ${several}`, { [key]: option, ...RUN_OPTIONS });
}

const MAX_FAILURES = 1_000_000;

function parseLimit(text: string, field: string) {
  const isShare = text.endsWith('%');
  const range = { min: 1, max: isShare ? 100 : MAX_FAILURES };
  return { count: parseWholeNumber(isShare ? text.slice(0, -1) : text, field, range), isShare };
}
