import type { MetricsRange } from '../../api/call.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { WithTable } from '../../cli/define/define.ts';
import {
  fileOption,
  flag,
  LESS_USED,
  list,
  option,
  SERVICE_OPTION,
  under,
  type Values,
} from '../../cli/values/parameters.ts';
import { notBlank, splitAtCommas } from '../../cli/values/text.ts';
import { parseDuration, parseInstant, toIso } from '../../cli/values/time.ts';
import { CliError, quote, usageError } from '../../errors.ts';
import { asObject, isObject, type JsonObject, readInstant, readNumber } from '../../json/values.ts';
import { selectSeries } from '../../metrics/find-series.ts';
import { type History, readHistory } from '../../metrics/history.ts';
import { isWord } from '../../metrics/labels.ts';
import {
  chooseStep,
  cutSeries,
  getSpan,
  getUsualSpacing,
  type RequestedRange,
} from '../../metrics/series.ts';
import { commandLine } from '../../shell-line.ts';
import { formatDuration, plural } from '../../terminal/format.ts';
import { describeService } from '../shared/names.ts';
import { claimOutput } from '../shared/output-file.ts';
import { parseCondition, parseOrder } from './conditions.ts';

const readSeconds = (text: string, field: string) => parseDuration(text, field, { bareUnit: 's' });

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
    step: option('duration', 'time between points (default: to suit the range)', readSeconds),
    interval: option(
      'duration',
      'time between updates of --watch (default: to suit the range)',
      readSeconds,
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

/** The values of {@link METRICS_OPTIONS}. */
export type MetricsOptions = Values<typeof METRICS_OPTIONS> & WithTable;

/**
 * Checks the options against each other.
 * @throws CliError `usage`
 */
export function checkOptions(
  { io, globals, time }: Needs<'io' | 'globals' | 'time'>,
  options: MetricsOptions,
): void {
  const { output, watch, interval, csv, sort, until } = options;
  const data = csv ?? (globals.json && '--json');
  const summary = options.summary && '--summary';
  refuseTogether('--output -', output === '-', [data, summary]);
  refuseTogether('--sort', sort, [data]);
  refuseTogether('--watch', watch, [csv, output && '--output', until && '--until', summary]);

  if (output !== undefined && output !== '-' && !/\.svg$/i.test(output)) {
    const message = `--output ${quote(output)} is not an SVG file.`;
    throw usageError(message, 'For example: --output chart.svg');
  }
  if (!watch && interval !== undefined) {
    throw usageError('--interval needs --watch.', 'For example: --watch --interval 30s');
  }
  if (watch && (globals.json || !io.out.isTty)) {
    throw usageError('--watch needs a terminal.', 'svc metrics --json');
  }
  readRange(options, time.clock.now());
}

/** Refuses an option that is typed beside one of those that contradict it. */
function refuseTogether(name: string, isTyped: unknown, others: readonly unknown[]): void {
  const other = others.find(Boolean);
  if (!isTyped || other === undefined) return;
  throw usageError(`${name} and ${other} cannot be used together.`, 'Use one of the two.');
}

/** The options, checked before anything is sent. */
export type MetricsRequest = Awaited<ReturnType<typeof readRequest>>;

/** @throws CliError `usage` */
export async function readRequest(
  context: Needs<'io' | 'globals' | 'settings' | 'time' | 'line' | 'program' | 'batch'>,
  options: MetricsOptions,
) {
  checkOptions(context, options);
  const service = context.settings.serviceId(options.service);
  const file = options.output && getPicturePath(options.output, service);
  const since = context.batch?.since;
  // Of a batch, it was asked before whether files are replaced.
  const replaces = since === undefined ? undefined : true;
  return {
    service,
    options,
    output: file === undefined ? undefined : await claimOutput(context, file, replaces),
    range: readRange(options, since ?? context.time.clock.now()),
  };
}

/** Returns the file of a service's picture; its id stands in for `{service}`. */
export function getPicturePath(output: string, service: string): string {
  return output.replaceAll('{service}', encodeURIComponent(service));
}

/** Whether a history is asked for, and not the latest values of an hour. */
function wantsHistory(options: Partial<MetricsOptions>): boolean {
  const { history, csv, since, until, step, output } = options;
  return [history, csv, since, until, step, output].some(Boolean);
}

const HOUR_MS = 3_600_000;

/**
 * Reads the range that the options ask for at this time: the last hour without any. `end` is what
 * the platform is asked for, and may be in the future; `endMs` is now at the latest, since what is
 * late or missing is measured up to it.
 * @throws CliError `usage`
 */
export function readRange(
  options: Partial<MetricsOptions>,
  now: number,
): MetricsRange & RequestedRange {
  const { since, until = 'now', step } = options;
  const nowMs = Math.floor(now / 1000) * 1000;
  const endMs = parseInstant(until, '--until', nowMs);
  const hours = wantsHistory(options) ? 24 : 1;
  const usualStartMs = endMs - hours * HOUR_MS;
  const startMs = since === undefined ? usualStartMs : parseInstant(since, '--since', nowMs);

  const start = toIso(startMs);
  const end = toIso(endMs);
  if (startMs >= endMs) {
    const message = `The range ends (${end}) before it begins (${start}).`;
    throw usageError(message, 'For example: --since 6h --until now');
  }
  const stepSeconds = step ?? chooseStep(startMs, endMs);
  const stepMs = stepSeconds * 1000;
  return { start, end, stepSeconds, startMs, endMs: Math.min(endMs, now), stepMs };
}

/** The usage in the asked range, ready to be shown. */
export type Usage = ReturnType<typeof readUsage>;

/**
 * Reads the usage in the asked range. Points outside of it never count: the API may answer another
 * range.
 * @throws CliError `unexpected` for an unknown form, `usage` for an unknown series
 */
export function readUsage(
  context: Needs<'assume' | 'globals' | 'settings' | 'store'>,
  { service, options, range }: MetricsRequest,
  answer: unknown,
) {
  const { until, series: names = [] } = options;
  const { series: answered, ...history } = readPoints(context, service, answer);
  // The range is sent in whole seconds. One that ends now has no end: the clock of the platform may
  // be ahead of this one.
  const endMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.end) + 999;
  const all = answered.map((series) => cutSeries(series, range.startMs, endMs));

  const times = answered[0]?.times ?? new Float64Array();
  const span = `from ${toIso(times[0] ?? 0)} to ${toIso(times.at(-1) ?? 0)}`;
  // The API may answer the bucket in which the range begins.
  const step = Math.max(range.stepMs, getUsualSpacing(times));
  const isOutside = (time: number) => time <= range.startMs - step || time >= endMs + step;
  const outside = plural(times.filter(isOutside).length, 'point');
  const note = `The API answered ${outside} outside the range from ${range.start} to ${range.end}, which are left out: its points are ${span}. See svc help assumptions.`;
  const beside = readOtherFields(answer, service, range);
  return {
    ...history,
    service,
    /** The service as people see it, with its name if svc knows it. */
    title: describeService(context, beside, service),
    range,
    all,
    history: wantsHistory(options),
    points: all[0]?.times.length ?? history.points,
    series: all.length === 0 ? [] : selectSeries(names, all),
    /** Whether `--series` named them. */
    isChosen: names.length > 0,
    /** The range of the answered points, if there are any. */
    answered: times.length === 0 ? undefined : span,
    /** Says that the API answered points of another range. */
    warnings: times.some(isOutside) ? [{ text: note, code: 'other_range' }] : [],
    beside,
  };
}

/** Reads the fields beside the points, except those that repeat the request. */
function readOtherFields(answer: unknown, service: string, range: MetricsRange): JsonObject {
  const instants = [range.start, range.end].map(Date.parse);
  const repeats = (value: unknown) =>
    value === service ||
    instants.includes(readInstant(value)) ||
    readNumber(value) === range.stepSeconds;
  const fields = Object.entries(asObject(withoutPoints(answer)));
  return Object.fromEntries(fields.filter(([, value]) => !repeats(value)));
}

/** Drops the lists of anything but words, which hold points; undefined if nothing else is there. */
function withoutPoints(value: unknown): unknown {
  if (Array.isArray(value)) return value.every(isWord) ? value : undefined;
  if (!isObject(value)) return value;
  const kept = Object.entries(value)
    .map(([name, child]) => [name, withoutPoints(child)] as const)
    .filter(([, child]) => child !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
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
    const look = commandLine(['metrics', service], { json: true }, globals);
    throw error.with({ hint: error.details.hint ?? look });
  }
}

/**
 * Returns from when to when there are points, how far apart (`15m`; empty if unknown), and whether
 * they leave no edge of the range empty.
 */
export function getPointSpan({ series, range }: Usage) {
  const times = series[0]?.times ?? new Float64Array();
  const first = times[0] ?? range.startMs;
  const last = times.at(-1) ?? range.endMs;
  const { start, end } = getSpan(times, range);
  const everyMs = getUsualSpacing(times);
  return {
    first: toIso(first),
    last: toIso(last),
    every: everyMs === 0 ? '' : formatDuration(everyMs),
    isWhole: start === first && end === last,
  };
}
