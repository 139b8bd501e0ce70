import { CliError } from '../../errors.ts';
import type { JsonObject } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import { sameTarget } from '../../kit/globals.ts';
import { toIso } from '../../kit/values/time.ts';
import { type History, type MetricSeries, readHistory } from '../../metrics/points.ts';
import { besidePoints, meansOnly, oneSeriesNamed, selectSeries } from '../../metrics/select.ts';
import {
  type AskedRange,
  coverageOf,
  type Latest,
  latestOf,
  seriesWithin,
  usualSpacing,
} from '../../metrics/spacing.ts';
import type { Answer, Client } from '../../service/call.ts';
import { getMetricsHistory, type MetricsRange } from '../../service/operations.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import type { MetricsRequest } from './request.ts';

/** The usage of a service in the asked range, ready to be shown. */
export interface Usage extends Omit<History, 'parts'> {
  readonly service: string;
  /** Whether to show all points, or only the latest value of each series. */
  readonly history: boolean;
  readonly range: MetricsRange;
  /** The same range in milliseconds, up to now. */
  readonly asked: AskedRange;
  /** The series that were asked for. */
  readonly series: readonly MetricSeries[];
  /** Whether `--series` named them. */
  readonly isChosen: boolean;
  /** Every series of the answer, within the asked range. */
  readonly all: readonly MetricSeries[];
  /** The same series with the points outside the range. */
  readonly whole: readonly MetricSeries[];
  /** Points that the API answered although they are outside the range, by more than a step. */
  readonly outside: number;
  /** The other fields of the answer. */
  readonly beside: JsonObject;
  /** Whether a date was typed for the range; it is taken as UTC. */
  readonly hasDates: boolean;
}

/** A usage that was asked for, and what was made of it. */
export interface Shown {
  readonly usage: Usage;
  /** The picture or the report that was written. */
  readonly file: string | undefined;
  /** Whether only its figures were asked for. */
  readonly isSummary: boolean;
}

const DATE = /^(?:\d{4}-\d\d-\d\d|today|yesterday)$/;

interface UsageAnswer {
  readonly answer: Answer;
  readonly range: MetricsRange;
}

/** Sends operation 7 for the range as it is now. */
export async function askUsage(
  { api: { assume } }: Context,
  client: Client,
  request: MetricsRequest,
): Promise<UsageAnswer> {
  const range = request.range();
  return { range, answer: await getMetricsHistory(client, assume, request.service, range) };
}

/**
 * Reads the usage points of an answer.
 * @throws CliError `unexpected` for an unknown form, `usage` for an unknown series.
 */
export function readUsage(context: Context, request: MetricsRequest, { answer, range }: UsageAnswer): Usage {
  const { service, history } = request;
  const { parts, series: whole, ...rest } = readPoints(context, service, answer.value);
  const beside = besidePoints(answer.value, new Set(parts), { service, ...range });
  const asked = {
    startMs: Date.parse(range.start),
    endMs: Math.min(Date.parse(range.end), context.system.clock.now()),
    stepMs: range.stepSeconds * 1000,
  };
  // The range is sent in whole seconds. One that ends now has no end: the clock of the platform may be ahead of this one.
  const endMs = request.options.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.end) + 999;
  const all = whole.map((one) => seriesWithin(one, asked.startMs, endMs));
  const series = all.length === 0 ? [] : selectSeries(request.series, all);
  const isChosen = request.series.length > 0;
  const points = all[0]?.times.length ?? rest.points;
  const outside = outsideOf(whole[0]?.times ?? new Float64Array(), asked, endMs);
  const hasDates = [request.options.since, request.options.until].some((text) => DATE.test(text ?? ''));
  return { ...rest, points, service, history, range, asked, series, isChosen, all, whole, outside, beside, hasDates };
}

/** Counts the times that are further than a step outside: the API may answer the bucket in which the range begins. */
function outsideOf(times: Float64Array, { startMs, stepMs }: AskedRange, endMs: number): number {
  const step = Math.max(stepMs, usualSpacing(times));
  return times.filter((time) => time <= startMs - step || time >= endMs + step).length;
}

/** Returns the series of `--sort`; undefined if it has no values. Throws a usage error if there is none of that name. */
export function orderedBy(name: string, { all, empty }: Usage): MetricSeries | undefined {
  return all.length === 0 || meansOnly(name, empty, all) ? undefined : oneSeriesNamed(name, all);
}

/** Returns the share of the asked range, from 0 to 1, that the values of a series cover. */
export function coverageIn({ asked, all, whole }: Usage, series: MetricSeries): number {
  return coverageOf(series, asked, whole[all.indexOf(series)] ?? series);
}

/** Returns the latest value of a series; its own spacing says whether that is an old one. */
export function latestIn({ asked, all, whole }: Usage, series: MetricSeries): Latest | undefined {
  return latestOf(series, asked, whole[all.indexOf(series)]);
}

/** Says that the API answered points of another range; undefined if it did not. */
export function outsideNote({ outside, whole, range }: Usage): string | undefined {
  const times = whole[0]?.times ?? new Float64Array();
  if (outside === 0) return undefined;
  const found = `${plural(outside, 'point')} outside the range from ${range.start} to ${range.end}`;
  const span = `from ${toIso(times[0] ?? 0)} to ${toIso(times.at(-1) ?? 0)}`;
  return `The API answered ${found}: its points are ${span}. They are left out; see svc help assumptions.`;
}

/** Suggests a look at the answer itself if svc cannot read it. */
function readPoints({ api: { assume }, settings: { globals } }: Context, service: string, value: unknown): History {
  try {
    return readHistory(value, assume('metrics.points'));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw error.with({ hint: error.details.hint ?? sameTarget(['svc', 'metrics', service, '--json'], globals) });
  }
}

/** Returns the actual time between two points, as in `15m`; undefined if unknown. */
export function spacingOf({ series }: Usage): string | undefined {
  const every = usualSpacing(series[0]?.times ?? new Float64Array());
  return every === 0 ? undefined : formatDuration(every);
}
