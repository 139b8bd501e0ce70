import { getMetricsHistory, type MetricsRange } from '../../api/services.ts';
import type { Context } from '../../command/context.ts';
import { toIso } from '../../command/parse/instant.ts';
import { CliError } from '../../errors.ts';
import type { Answer, AnswerStream, Client } from '../../http/call.ts';
import { readHistory, type Series } from '../../metrics/points.ts';
import { oneSeriesNamed, selectSeries } from '../../metrics/select.ts';
import { evaluateThreshold } from '../../metrics/threshold.ts';
import type { MetricsRequest } from './request.ts';

/** What a service used, as it is shown. */
export interface Usage {
  readonly service: string;
  /** Whether all points are shown, or the latest value of each series alone. */
  readonly history: boolean;
  readonly range: MetricsRange;
  /** The series that were asked for. */
  readonly series: readonly Series[];
  /** Every series of the answer. */
  readonly all: readonly Series[];
  /** How many series of the answer are not held. */
  readonly omitted: number;
}

/** An answer of operation 7 with the range it was asked for. */
export interface UsageAnswer {
  readonly answer: Answer;
  readonly range: MetricsRange;
}

/** Asks operation 7. The range is taken now. */
export async function askUsage(
  { assume }: Context,
  client: Client,
  request: MetricsRequest,
  stream?: AnswerStream,
): Promise<UsageAnswer> {
  const range = request.range();
  return { range, answer: await getMetricsHistory(client, assume, request.service, range, stream) };
}

/** Reads the usage points of an answer. Throws `unexpected` for a form that svc does not know, `usage` for no such series. */
export function readUsage({ assume }: Context, request: MetricsRequest, { answer, range }: UsageAnswer): Usage {
  const { points, series: all, omitted } = readHistory(answer.value, assume('metrics.points'));
  const series = points === 0 ? [] : selectSeries(request.series, all);
  return { service: request.service, history: request.history, range, series, all, omitted };
}

/** The error that `--fail-if` ends the command with; `undefined` where its condition does not hold. */
export async function judge({ io }: Context, request: MetricsRequest, { all }: Usage): Promise<CliError | undefined> {
  const { threshold, options, history } = request;
  if (threshold === undefined) return undefined;
  const series = all.length === 0 ? undefined : oneSeriesNamed(threshold.series, all);
  // Where the latest value of each series is shown, it is the one that a bare name means.
  const figure = threshold.figure ?? (history ? undefined : 'last');
  const verdict = series && evaluateThreshold({ ...threshold, series: series.name, figure }, [series]);
  if (series === undefined || verdict === undefined || verdict.isEmpty) {
    await io.warn(`There is no value that --fail-if could compare.`);
    return undefined;
  }
  if (!verdict.holds) return undefined;
  const what = figure === undefined ? series.name : `${figure}(${series.name})`;
  const when = verdict.time === undefined ? '' : ` at ${toIso(verdict.time)}`;
  return new CliError('failed', `${options.failIf} holds: ${what} is ${verdict.value}${when}.`);
}
