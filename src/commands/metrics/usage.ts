import type { Context } from '../../command/context.ts';
import { sameTarget } from '../../command/globals.ts';
import { toIso } from '../../command/values/time.ts';
import { CliError } from '../../errors.ts';
import type { JsonObject } from '../../json/values.ts';
import { type History, readHistory, type Series } from '../../metrics/points.ts';
import { besidePoints, meansOnly, oneSeriesNamed, selectSeries } from '../../metrics/select.ts';
import { type AskedRange, latestOf, usualSpacing } from '../../metrics/spacing.ts';
import { evaluateThreshold } from '../../metrics/statistics.ts';
import type { Answer, Client } from '../../service/call.ts';
import { getMetricsHistory, type MetricsRange } from '../../service/operations.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import type { MetricsRequest } from './request.ts';

/** The usage of a service, ready to be shown. */
export interface Usage extends Omit<History, 'parts'> {
  readonly service: string;
  /** Whether to show all points, or only the latest value of each series. */
  readonly history: boolean;
  readonly range: MetricsRange;
  /** The same range in milliseconds, up to now. */
  readonly asked: AskedRange;
  /** The series that were asked for. */
  readonly series: readonly Series[];
  /** Whether `--series` named them. */
  readonly isChosen: boolean;
  /** Every series of the answer. */
  readonly all: readonly Series[];
  /** The other fields of the answer. */
  readonly beside: JsonObject;
}

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
  const { parts, series: all, ...rest } = readPoints(context, service, answer.value);
  const series = all.length === 0 ? [] : selectSeries(request.series, all);
  const beside = besidePoints(answer.value, new Set(parts), { service, ...range });
  const asked = {
    startMs: Date.parse(range.start),
    endMs: Math.min(Date.parse(range.end), context.system.clock.now()),
    stepMs: range.stepSeconds * 1000,
  };
  const isChosen = request.series.length > 0;
  return { ...rest, service, history, range, asked, series, isChosen, all, beside };
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

/**
 * Returns the error of `--fail-if`: its condition is met, or the values are missing or old. An alarm must also go off if
 * the service is no longer measured.
 */
export function judge(request: MetricsRequest, usage: Usage): CliError | undefined {
  const { threshold, options } = request;
  if (threshold === undefined) return undefined;
  const notJudged = (why: string) => new CliError('failed', `${options.failIf} cannot be checked. ${why}`);
  const { asked, points, range } = usage;
  if (usage.all.length === 0) {
    const when = `from ${range.start} to ${range.end}`;
    if (points === 0) return notJudged(`There are no usage points ${when}.`);
    return notJudged(`There is no number in the ${plural(points, 'usage point')} ${when}.`);
  }
  if (meansOnly(threshold.series, usage.empty, usage.all)) {
    return notJudged(`No usage point has a value of ${threshold.series}.`);
  }
  const series = oneSeriesNamed(threshold.series, usage.all);
  const latest = latestOf(series, asked);
  if (latest === undefined) return notJudged(`No usage point has a value of ${series.name}.`);
  const verdict = evaluateThreshold(threshold, series);
  // With --any, old values count too, so a condition that is met matters more than their age.
  if (latest.isOld && !(options.any && verdict.holds)) {
    const age = formatDuration(asked.endMs - latest.time);
    return notJudged(`${series.name} has no value since ${toIso(latest.time)}, ${age} before the end of the range.`);
  }
  if (!verdict.holds) return undefined;
  const { figure = 'last' } = threshold;
  const what = figure === 'last' ? series.name : `${figure}(${series.name})`;
  const when = figure === 'last' ? ` at ${toIso(verdict.time ?? latest.time)}` : '';
  const message = `${what} is ${verdict.value}${when} (condition: ${options.failIf})`;
  return new CliError('failed', message, { isAlert: true });
}
