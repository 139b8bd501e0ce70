import type { Client } from '../../api/call.ts';
import { getMetricsHistory, type MetricsRange } from '../../api/operations.ts';
import { SERVICE_OPTION } from '../../cli/define/ask.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { WithTable } from '../../cli/define/define.ts';
import { asWritten } from '../../cli/define/result.ts';
import { notBlank } from '../../cli/values/choice.ts';
import { splitAtCommas } from '../../cli/values/commas.ts';
import {
  fileOption,
  flag,
  LESS_USED,
  list,
  option,
  under,
  type Values,
} from '../../cli/values/parameters.ts';
import { parseDuration, parseInstant, toIso } from '../../cli/values/time.ts';
import { CliError, quoted, usageError } from '../../errors.ts';
import { readInstant } from '../../json/instant.ts';
import { isObject, readNumber, removeParts } from '../../json/values.ts';
import { type History, readHistory, selectSeries } from '../../metrics/history.ts';
import {
  chooseStep,
  cutSeries,
  getSpan,
  type MetricSeries,
  usualSpacing,
} from '../../metrics/series.ts';
import { commandLine } from '../../shell-line.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import { claimOutput } from '../shared/output-file.ts';
import { parseCondition, parseOrder } from './conditions.ts';

const inSeconds = (text: string, field: string) => parseDuration(text, field, { bareUnit: 's' });

/** The options of `svc metrics`. */
export const METRICS_OPTIONS = {
  ...SERVICE_OPTION,
  history: flag('show all points of the last 24 hours'),
  since: option('time', 'start: 6h (ago), yesterday, 2026-03-01 (UTC)'),
  until: option('time', 'end, in the same forms (default: now)'),
  series: option(
    'names',
    'only these series, such as cpu,memory, or all',
    (text, field) => splitAtCommas(notBlank(text, field), field).map((name) => name.trim()),
    { offer: 'series', commas: true },
  ),
  watch: flag('stay, and draw until you press q', { short: 'w' }),
  failIf: list('condition', "exit 9 if so: 'cpu>80' (now), 'p95(memory)>3GiB'", {
    read: (texts, field) => texts.map((text) => parseCondition(text, field)),
  }),
  ...under(LESS_USED, {
    step: option('duration', 'time between points (default: to suit the range)', inSeconds),
    interval: option(
      'duration',
      'time between updates of --watch (default: to suit the range)',
      inSeconds,
    ),
    summary: flag('show last, min, avg, p95 and max of each series'),
    sort: option('series[:figure]', 'order several services, such as by cpu:p95', parseOrder, {
      offer: 'series',
    }),
    output: fileOption(
      'file.svg',
      "write the history as a picture; of several services, as in '{service}.svg'",
    ),
  }),
};

/** See {@link METRICS_OPTIONS}. */
export type MetricsOptions = Values<typeof METRICS_OPTIONS> & WithTable;

/** Checks the options against each other. Throws a usage error. */
export function checkOptions(
  { io, globals, time }: Needs<'io' | 'globals' | 'time'>,
  options: MetricsOptions,
): void {
  const { output, watch, interval } = options;
  const { json } = globals;
  refuseTwoOutputs(options, json);
  if (output !== undefined && output !== '-' && !/\.svg$/i.test(output))
    throw usageError(
      `--output ${quoted(output)} is not an SVG file.`,
      'For example: --output chart.svg',
    );
  if (!watch && interval !== undefined)
    throw usageError('--interval needs --watch.', 'For example: --watch --interval 30s');
  refuseTogether(options, json);
  if (watch && (json || !io.out.isTty))
    throw usageError('--watch needs a terminal.', 'svc metrics --json');
  readRange(options, time.clock.now());
}

/** A picture on standard output stands there alone. */
function refuseTwoOutputs({ output, csv, summary }: MetricsOptions, json: boolean): void {
  if (output !== '-') return;
  const other = csv ?? (json ? '--json' : '');
  if (other === '' && !summary) return;
  throw usageError(
    `--output - and ${other || '--summary'} both print to standard output.`,
    'Name a file.',
  );
}

function refuseTogether(options: MetricsOptions, json: boolean): void {
  const { csv, watch, sort } = options;
  const data = csv ?? (json ? '--json' : '');
  const pairs: ReadonlyArray<readonly [one: string, other: string, areGiven: unknown]> = [
    [csv ?? '', '--json', csv && json],
    ['--sort', data, sort && data],
    ['--watch', csv ?? '', watch && csv],
    ...(['output', 'until', 'summary'] as const).map(
      (name) => ['--watch', `--${name}`, watch && options[name]] as const,
    ),
  ];
  const [one, other] = pairs.find(([, , areGiven]) => areGiven) ?? [];
  if (one !== undefined)
    throw usageError(`${one} and ${other} cannot be used together.`, 'Use one of the two.');
}

/** The options, checked before anything is sent. */
export type MetricsRequest = Awaited<ReturnType<typeof readRequest>>;

/** Throws a usage error. */
export async function readRequest(
  context: Needs<'io' | 'globals' | 'settings' | 'time' | 'line' | 'program' | 'batch'>,
  options: MetricsOptions,
) {
  checkOptions(context, options);
  const { output } = options;
  const { since } = context.batch ?? {};
  const service = context.settings.serviceId(options.service);
  const isAlone = since === undefined;
  // Of several, it was asked before whether files are replaced.
  const replaces = isAlone ? undefined : true;
  return {
    service,
    options,
    output:
      output === undefined
        ? undefined
        : await claimOutput(context, getPicturePath(output, service), replaces),
    /** Moves with the clock if it ends now. */
    range: () => readRange(options, since ?? context.time.clock.now()),
  };
}

/** The file of a service's picture; its id stands in for `{service}`. */
export function getPicturePath(output: string, service: string): string {
  return output.replaceAll('{service}', encodeURIComponent(service));
}

/** Without a history, the latest values of an hour are shown. */
function wantsHistory(options: Partial<MetricsOptions>): boolean {
  const { history, csv, since, until, step, output } = options;
  return history === true || [csv, since, until, step, output].some((one) => one !== undefined);
}

const HOUR_MS = 3_600_000;

/** What the options ask for at this time: the last hour without any. Throws a usage error. */
export function readRange(options: Partial<MetricsOptions>, now: number): MetricsRange {
  const { since, until, step } = options;
  const nowMs = Math.floor(now / 1000) * 1000;
  const endMs = until === undefined ? nowMs : parseInstant(until, '--until', nowMs);
  const hours = wantsHistory(options) ? 24 : 1;
  const startMs =
    since === undefined ? endMs - hours * HOUR_MS : parseInstant(since, '--since', nowMs);
  const [start, end] = [toIso(startMs), toIso(endMs)];
  if (startMs >= endMs)
    throw usageError(
      `The range ends (${end}) before it begins (${start}).`,
      'For example: --since 6h --until now',
    );
  return { start, end, stepSeconds: step ?? chooseStep(startMs, endMs) };
}

/** Asks for the range as it is now. `isText` is for an answer that is printed, and not read. */
export async function askUsage(
  { assume }: Needs<'assume'>,
  client: Client,
  { service, range }: MetricsRequest,
  isText = false,
) {
  const asked = range();
  return { range: asked, answer: await getMetricsHistory(client, assume, service, asked, isText) };
}

/** The usage in the asked range, ready to be shown. */
export type Usage = ReturnType<typeof readUsage>;

const DATE = /^(?:\d{4}-\d\d-\d\d|today|yesterday)$/;

/** Throws CliError `unexpected` for an unknown form, `usage` for an unknown series. */
export function readUsage(
  context: Needs<'assume' | 'globals' | 'time'>,
  { service, options }: MetricsRequest,
  { answer, range }: Awaited<ReturnType<typeof askUsage>>,
) {
  const { since, until, series: names = [] } = options;
  // JavaScript may round whole numbers with so many digits.
  const value = /(?<![\d.])\d{16}/.test(answer.text) ? asWritten(answer) : answer.value;
  const { parts, series: whole, ...rest } = readPoints(context, service, value);
  const asked = {
    startMs: Date.parse(range.start),
    endMs: Math.min(Date.parse(range.end), context.time.clock.now()),
    stepMs: range.stepSeconds * 1000,
  };
  // The range is sent in whole seconds. One that ends now has no end: the clock of the platform may
  // be ahead of this one.
  const endMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.end) + 999;
  const all: readonly MetricSeries[] = whole.map((one) => cutSeries(one, asked.startMs, endMs));
  const times = whole[0]?.times ?? new Float64Array();
  const answered =
    times.length === 0 ? undefined : `from ${toIso(times[0] ?? 0)} to ${toIso(times.at(-1) ?? 0)}`;
  // The API may answer the bucket in which the range begins.
  const step = Math.max(asked.stepMs, usualSpacing(times));
  const outside = times.filter(
    (time) => time <= asked.startMs - step || time >= endMs + step,
  ).length;
  const found = `${plural(outside, 'point')} outside the range from ${range.start} to ${range.end}`;
  const note = `The API answered ${found}, which are left out: its points are ${answered}. See svc help assumptions.`;
  const repeated = new Set<unknown>([asked.startMs, Date.parse(range.end)]);
  const repeats = (value: unknown) =>
    value === service ||
    repeated.has(readInstant(value)) ||
    readNumber(value) === range.stepSeconds;
  const beside = removeParts(value, new Set(parts));
  return {
    ...{ ...rest, service, range, asked, all },
    history: wantsHistory(options),
    points: all[0]?.times.length ?? rest.points,
    series: all.length === 0 ? [] : selectSeries(names, all),
    /** Whether `--series` named them. */
    isChosen: names.length > 0,
    /** From when to when the API answered points, if any. */
    answered,
    /** Says that the API answered points of another range. */
    outside: outside === 0 ? undefined : note,
    /** Other fields of the answer, except those that repeat the request. */
    beside: isObject(beside)
      ? Object.fromEntries(Object.entries(beside).filter(([, value]) => !repeats(value)))
      : {},
    /** A date is taken as UTC. */
    hasDates: [since, until].some((text) => DATE.test(text ?? '')),
  };
}

function readPoints(
  { assume, globals }: Needs<'assume' | 'globals'>,
  service: string,
  value: unknown,
): History {
  try {
    return readHistory(value, assume('metrics.points'));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw error.with({
      hint: error.details.hint ?? commandLine(['metrics', service], { json: true }, globals),
    });
  }
}

/**
 * From when to when there are points, how far apart (`15m`), and whether they leave no edge of the
 * range empty.
 */
export function spanOfPoints({ series, asked }: Pick<Usage, 'series' | 'asked'>) {
  const times = series[0]?.times ?? new Float64Array();
  const [first = asked.startMs, last = asked.endMs] = [times[0], times.at(-1)];
  const { start, end } = getSpan(times, asked);
  const everyMs = usualSpacing(times);
  const every = everyMs === 0 ? undefined : formatDuration(everyMs);
  return {
    first: toIso(first),
    last: toIso(last),
    every,
    isWhole: start === first && end === last,
  };
}
