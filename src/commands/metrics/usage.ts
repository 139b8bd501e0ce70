import { CliError } from '../../errors.ts';
import type { JsonObject } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import { sameTarget } from '../../kit/globals.ts';
import { type History, type MetricSeries, readHistory } from '../../metrics/points.ts';
import { besidePoints, selectSeries } from '../../metrics/select.ts';
import { type AskedRange, usualSpacing } from '../../metrics/spacing.ts';
import type { Answer, Client } from '../../service/call.ts';
import { getMetricsHistory, type MetricsRange } from '../../service/operations.ts';
import { formatDuration } from '../../terminal/dates.ts';
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
  readonly series: readonly MetricSeries[];
  /** Whether `--series` named them. */
  readonly isChosen: boolean;
  /** Every series of the answer. */
  readonly all: readonly MetricSeries[];
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
