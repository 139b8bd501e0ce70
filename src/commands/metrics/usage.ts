import type { Context } from '../../command/context.ts';
import { sameTarget } from '../../command/next.ts';
import { toIso } from '../../command/values/time.ts';
import { CliError } from '../../errors.ts';
import type { JsonObject } from '../../json/values.ts';
import { type History, readHistory, type Series } from '../../metrics/points.ts';
import { besidePoints, meansOnly, oneSeriesNamed, selectSeries } from '../../metrics/select.ts';
import { type AskedRange, type Latest, latestOf, usualSpacing } from '../../metrics/spacing.ts';
import { evaluateThreshold } from '../../metrics/statistics.ts';
import type { Answer, AnswerStream, Client } from '../../service/call.ts';
import { getMetricsHistory, type MetricsRange } from '../../service/operations.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import type { MetricsRequest } from './request.ts';

/** What a service used, as it is shown. */
export interface Usage {
  readonly service: string;
  /** Whether all points are shown, or the latest value of each series alone. */
  readonly history: boolean;
  readonly range: MetricsRange;
  /** The same range in milliseconds, up to now. */
  readonly asked: AskedRange;
  /** How many points have a time. */
  readonly points: number;
  /** The series that were asked for. */
  readonly series: readonly Series[];
  /** Every series of the answer. */
  readonly all: readonly Series[];
  /** How many series of the answer are not held. */
  readonly omitted: number;
  /** Series of which nothing was measured. */
  readonly empty: readonly string[];
  /** Fields of the points without a number that hold something else, such as a text. */
  readonly others: readonly string[];
  /** What the answer says beside its points. */
  readonly beside: JsonObject;
}

/** An answer of operation 7 with the range it was asked for. */
export interface UsageAnswer {
  readonly answer: Answer;
  readonly range: MetricsRange;
}

/** Asks operation 7. The range is taken now. */
export async function askUsage(
  { api: { assume } }: Context,
  client: Client,
  request: MetricsRequest,
  stream?: AnswerStream,
): Promise<UsageAnswer> {
  const range = request.range();
  return { range, answer: await getMetricsHistory(client, assume, request.service, range, stream) };
}

/** Reads the usage points of an answer. Throws `unexpected` for a form that svc does not know, `usage` for no such series. */
export function readUsage(context: Context, request: MetricsRequest, { answer, range }: UsageAnswer): Usage {
  const { service, history } = request;
  const { points, parts, series: all, omitted, empty, others } = readAnswered(context, service, answer.value);
  const series = all.length === 0 ? [] : selectSeries(request.series, all);
  const beside = besidePoints(answer.value, new Set(parts), { service, ...range });
  const asked = {
    startMs: Date.parse(range.start),
    endMs: Math.min(Date.parse(range.end), context.system.clock.now()),
    stepMs: range.stepSeconds * 1000,
  };
  return { service, history, range, asked, points, series, all, omitted, empty, others, beside };
}

/** Reads the points; where that is not possible, the answer itself is what helps. */
function readAnswered({ api: { assume }, settings: { globals } }: Context, service: string, value: unknown): History {
  try {
    return readHistory(value, assume('metrics.points'));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw error.with({ hint: error.details.hint ?? sameTarget(['svc', 'metrics', service, '--json'], globals) });
  }
}

/** Why there is no series to show: no points, or points without a number. */
function emptinessOf({ points, range }: Usage): string {
  if (points === 0) return `There are no usage points from ${range.start} to ${range.end}.`;
  return `There is no number in the ${plural(points, 'usage point')} from ${range.start} to ${range.end}.`;
}

/** How far the points are apart, whatever was asked for, as in `15m`; `undefined` where that cannot be said. */
export function spacingOf({ series }: Usage): string | undefined {
  const every = usualSpacing(series[0]?.times ?? new Float64Array());
  return every === 0 ? undefined : formatDuration(every);
}

/**
 * The error that `--fail-if` ends the command with; `undefined` where its condition does not hold. Where there is nothing
 * to judge, or nothing new, that is an error too: whoever watches a service must hear of it when nothing is measured any
 * more.
 */
export function judge(request: MetricsRequest, usage: Usage): CliError | undefined {
  const { threshold, options } = request;
  if (threshold === undefined) return undefined;
  const notJudged = (why: string) => new CliError('failed', `${options.failIf} cannot be judged. ${why}`);
  if (usage.all.length === 0) return notJudged(emptinessOf(usage));
  if (meansOnly(threshold.series, usage.empty, usage.all))
    return notJudged(`No usage point has a value of ${threshold.series}.`);
  const series = oneSeriesNamed(threshold.series, usage.all);
  const latest = latestOf(series, usage.asked);
  if (latest === undefined) return notJudged(`No usage point has a value of ${series.name}.`);
  const verdict = evaluateThreshold(threshold, series);
  // With --any an old value counts as well as a new one, so that one that holds is the better answer.
  if (latest.isOld && !(options.any && verdict.holds)) return notJudged(ageOf(series, latest, usage));
  if (!verdict.holds) return undefined;
  const what = threshold.figure === undefined ? series.name : `${threshold.figure}(${series.name})`;
  const when = verdict.time === undefined ? '' : ` at ${toIso(verdict.time)}`;
  return new CliError('failed', `${options.failIf} holds: ${what} is ${verdict.value}${when}.`);
}

function ageOf({ name }: Series, { time }: Latest, { asked }: Usage): string {
  return `${name} has no value since ${toIso(time)}, ${formatDuration(asked.endMs - time)} before the end of the range.`;
}
