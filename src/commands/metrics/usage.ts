import { CliError } from '../../errors.ts';
import { readInstant } from '../../json/instant.ts';
import { isObject, type JsonObject, readNumber, withoutParts } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import { sameTarget } from '../../kit/globals.ts';
import { toIso } from '../../kit/values/time.ts';
import { type History, meansOnly, oneSeriesNamed, readHistory, selectSeries } from '../../metrics/history.ts';
import { type AskedRange, type MetricSeries, seriesWithin, spanOf, usualSpacing } from '../../metrics/series.ts';
import type { Answer, Client } from '../../service/call.ts';
import { getMetricsHistory, type MetricsRange } from '../../service/operations.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import { type MetricsRequest, wantsHistory } from './request.ts';

/** The usage of a service in the asked range, ready to be shown. */
export interface Usage extends Omit<History, 'parts'> {
  readonly service: string;
  /** Whether to show all points, or only the latest value of each series. */
  readonly history: boolean;
  readonly range: MetricsRange;
  /** The same range in milliseconds, up to now. */
  readonly asked: AskedRange;
  readonly series: readonly MetricSeries[];
  /** Whether `--series` named them. */
  readonly isChosen: boolean;
  readonly all: readonly MetricSeries[];
  /** From when to when the API answered points, in words; undefined if it answered none. */
  readonly answered: string | undefined;
  /** Says that the API answered points of another range; undefined if it did not. */
  readonly outside: string | undefined;
  readonly beside: JsonObject;
  /** Whether a date was typed for the range; it is taken as UTC. */
  readonly hasDates: boolean;
}

/** Sends operation 7 for the range as it is now. `isText` is for an answer that is printed, and not read. */
export async function askUsage(
  { assume }: Context,
  client: Client,
  { service, range }: MetricsRequest,
  isText = false,
) {
  const asked = range();
  return { range: asked, answer: await getMetricsHistory(client, assume, service, asked, isText) };
}

const DATE = /^(?:\d{4}-\d\d-\d\d|today|yesterday)$/;

/**
 * Reads the usage points of an answer.
 * @throws CliError `unexpected` for an unknown form, `usage` for an unknown series.
 */
export function readUsage(
  context: Context,
  { service, options }: MetricsRequest,
  { answer, range }: { readonly answer: Answer; readonly range: MetricsRange },
): Usage {
  const { since, until, series: names = [] } = options;
  const { parts, series: whole, ...rest } = readPoints(context, service, answer.value);
  const asked = {
    startMs: Date.parse(range.start),
    endMs: Math.min(Date.parse(range.end), context.clock.now()),
    stepMs: range.stepSeconds * 1000,
  };
  // The range is sent in whole seconds. One that ends now has no end: the clock of the platform may be ahead of this one.
  const endMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.end) + 999;
  const all = whole.map((one) => seriesWithin(one, asked.startMs, endMs));
  const times = whole[0]?.times ?? new Float64Array();
  const answered = times.length === 0 ? undefined : `from ${toIso(times[0] ?? 0)} to ${toIso(times.at(-1) ?? 0)}`;
  const outside = countOutside(times, asked, endMs);
  const found = `${plural(outside, 'point')} outside the range from ${range.start} to ${range.end}`;
  const note = `The API answered ${found}: its points are ${answered}. They are left out; see svc help assumptions.`;
  return {
    ...{ ...rest, service, history: wantsHistory(options), range, asked, all, answered },
    points: all[0]?.times.length ?? rest.points,
    series: all.length === 0 ? [] : selectSeries(names, all),
    isChosen: names.length > 0,
    outside: outside === 0 ? undefined : note,
    beside: besidePoints(answer.value, new Set(parts), service, range),
    hasDates: [since, until].some((text) => DATE.test(text ?? '')),
  };
}

/** Suggests a look at the answer itself if svc cannot read it. */
function readPoints({ assume, settings: { globals } }: Context, service: string, value: unknown): History {
  try {
    return readHistory(value, assume('metrics.points'));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw error.with({ hint: error.details.hint ?? sameTarget(['svc', 'metrics', service, '--json'], globals) });
  }
}

/** Counts the times that are further than a step outside: the API may answer the bucket in which the range begins. */
function countOutside(times: Float64Array, { startMs, stepMs }: AskedRange, endMs: number): number {
  const step = Math.max(stepMs, usualSpacing(times));
  return times.filter((time) => time <= startMs - step || time >= endMs + step).length;
}

/** Returns the other fields of an answer, such as that it is incomplete, except those that repeat the request. */
function besidePoints(answer: unknown, parts: ReadonlySet<unknown>, service: string, range: MetricsRange): JsonObject {
  const { start, end, stepSeconds } = range;
  const instants = [start, end].map((text) => Date.parse(text));
  const repeats = (value: unknown) =>
    value === service || instants.includes(readInstant(value)) || readNumber(value) === stepSeconds;
  const beside = withoutParts(answer, parts);
  return isObject(beside) ? Object.fromEntries(Object.entries(beside).filter(([, value]) => !repeats(value))) : {};
}

/** Returns the series of `--sort`; undefined if it has no values. Throws a usage error if there is none of that name. */
export function orderedBy(name: string, { all, empty }: Usage): MetricSeries | undefined {
  return all.length === 0 || meansOnly(name, empty, all) ? undefined : oneSeriesNamed(name, all);
}

/** Says from when to when there are points, how far apart they are (`15m`), and whether they leave an edge of the range empty. */
export function spanOfPoints({ series, asked }: Usage) {
  const times = series[0]?.times ?? new Float64Array();
  const [first = asked.startMs, last = asked.endMs] = [times[0], times.at(-1)];
  const { start, end } = spanOf(times, asked);
  const everyMs = usualSpacing(times);
  const every = everyMs === 0 ? undefined : formatDuration(everyMs);
  return { first: toIso(first), last: toIso(last), every, isWhole: start === first && end === last };
}
