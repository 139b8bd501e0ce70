import { CliError } from '../../errors.ts';
import { toIso } from '../../kit/values/time.ts';
import type { MetricSeries } from '../../metrics/points.ts';
import { meansOnly, oneSeriesNamed } from '../../metrics/select.ts';
import { latestOf, seriesWithin } from '../../metrics/spacing.ts';
import { evaluateThreshold, type Threshold } from '../../metrics/statistics.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import type { MetricsRequest } from './request.ts';
import type { Usage } from './usage.ts';

/**
 * Returns the error of `--fail-if`: `alert` if its condition holds, `no_data` if the asked range has nothing to check or
 * old values only. Points outside the asked range never count: a service may answer another range than it was asked for.
 * @throws CliError `usage` if there is no such series, or several.
 */
export function judgeThresholds({ threshold, options }: MetricsRequest, usage: Usage): CliError | undefined {
  if (threshold === undefined) return undefined;
  const condition = String(options.failIf);
  const notChecked = (why: string) => new CliError('no_data', `${condition} cannot be checked. ${why}`);
  const missing = whatIsMissing(threshold, usage);
  if (missing !== undefined) return notChecked(missing);
  const whole = oneSeriesNamed(threshold.series, usage.all);
  const series = withinRange(whole, options.until, usage);
  if (series.times.length === 0) return notChecked(otherRange(whole, usage));
  const latest = latestOf(series, usage.asked, whole);
  if (latest === undefined) return notChecked(`No usage point ${rangeOf(usage)} has a value of ${series.name}.`);
  const verdict = evaluateThreshold(threshold, series);
  // An old value is not the latest one; other figures hold for the values that there are.
  const isAbsent = latest.isOld && (threshold.figure === 'last' || !verdict.holds);
  if (isAbsent) {
    const age = formatDuration(usage.asked.endMs - latest.time);
    return notChecked(`${series.name} has no value since ${toIso(latest.time)}, ${age} before the end of the range.`);
  }
  return verdict.holds ? alertOf(threshold, series.name, verdict, condition) : undefined;
}

function whatIsMissing({ series }: Threshold, usage: Usage): string | undefined {
  const { all, points, empty } = usage;
  if (points === 0) return `There are no usage points ${rangeOf(usage)}.`;
  if (all.length === 0) return `There is no number in the ${plural(points, 'usage point')} ${rangeOf(usage)}.`;
  return meansOnly(series, empty, all) ? `No usage point has a value of ${series}.` : undefined;
}

/** The range is sent in whole seconds. One that ends now has no end: the clock of the service may be ahead of this one. */
function withinRange(series: MetricSeries, until: string | undefined, { asked, range }: Usage): MetricSeries {
  const endMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.end) + 999;
  return seriesWithin(series, asked.startMs, endMs);
}

function otherRange({ times }: MetricSeries, usage: Usage): string {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const found = `The service answered with points from ${toIso(first)} to ${toIso(last)}`;
  return `${found}, and none ${rangeOf(usage)}. See svc help assumptions.`;
}

function rangeOf({ range }: Usage): string {
  return `from ${range.start} to ${range.end}`;
}

function alertOf(
  { figure, limit }: Threshold,
  series: string,
  { value = Number.NaN, time }: ReturnType<typeof evaluateThreshold>,
  condition: string,
): CliError {
  const at = time === undefined ? null : toIso(time);
  const isSingle = figure === 'last' || figure === undefined;
  const what = isSingle ? series : `${figure}(${series})`;
  const message = `${what} is ${value}${at === null ? '' : ` at ${at}`} (condition: ${condition})`;
  return new CliError('alert', message, { alerts: [{ series, figure: figure ?? 'any', value, limit, at }] });
}
