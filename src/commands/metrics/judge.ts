import { CliError } from '../../errors.ts';
import { toIso } from '../../kit/values/time.ts';
import { type Condition, evaluateCondition } from '../../metrics/conditions.ts';
import { meansOnly, oneSeriesNamed } from '../../metrics/history.ts';
import { coverageOf, latestOf, type MetricSeries } from '../../metrics/series.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import type { Usage } from './usage.ts';

/** A condition that does not hold is not judged if the values cover less of the asked range than this. */
const LEAST_COVERAGE = 0.5;

/**
 * Returns the error of all `--fail-if`: `alert` if a condition holds, or else `no_data` if one cannot be checked. Points
 * outside the asked range never count: the API may answer another range than it was asked for.
 * @throws CliError `usage` if there is no such series, or several, or one of another unit.
 */
export function judgeConditions(conditions: readonly Condition[], usage: Usage): CliError | undefined {
  const failures = conditions.flatMap((condition) => judgeOne(condition, usage) ?? []);
  const isAlert = ({ code }: CliError) => code === 'alert';
  const [first, ...more] = [...failures.filter(isAlert), ...failures.filter((one) => !isAlert(one))];
  if (first === undefined || more.length === 0) return first;
  const message = [first, ...more].map((one) => one.message).join('; ');
  const alerts = failures.flatMap(({ details }) => details.alerts ?? []);
  return new CliError(first.code, message, alerts.length > 0 ? { alerts } : {});
}

function judgeOne(condition: Condition, usage: Usage): CliError | undefined {
  const notChecked = (why: string) => new CliError('no_data', `${condition.text} cannot be checked. ${why}`);
  const missing = whatIsMissing(condition, usage);
  if (missing !== undefined) return notChecked(missing);
  const series = oneSeriesNamed(condition.series, usage.all);
  const verdict = evaluateCondition(condition, series);
  const absent = whatIsAbsent(condition, verdict.holds, series, usage);
  if (absent !== undefined) return notChecked(absent);
  return verdict.holds ? alertOf(condition, series.name, verdict) : undefined;
}

function whatIsMissing({ series }: Condition, usage: Usage): string | undefined {
  const { all, points, empty, answered } = usage;
  if (all.length > 0) return meansOnly(series, empty, all) ? `No usage point has a value of ${series}.` : undefined;
  if (points === 0 && answered === undefined) return `There are no usage points ${rangeOf(usage)}.`;
  return `There is no number in the ${plural(points, 'usage point')} ${rangeOf(usage)}.`;
}

/** An old value is not the latest one. What holds for the values that there are holds, whatever is missing. */
function whatIsAbsent({ figure }: Condition, holds: boolean, series: MetricSeries, usage: Usage): string | undefined {
  if (series.times.length === 0) {
    const found = `The API answered with points ${usage.answered}`;
    return `${found}, and none ${rangeOf(usage)}. See svc help assumptions.`;
  }
  if (holds && figure !== 'last') return undefined;
  const latest = latestOf(series, usage.asked);
  if (latest === undefined) return `No usage point ${rangeOf(usage)} has a value of ${series.name}.`;
  if (figure === 'last') {
    const age = formatDuration(usage.asked.endMs - latest.time);
    const since = `${series.name} has no value since ${toIso(latest.time)}, ${age} before the end of the range.`;
    return latest.isOld ? since : undefined;
  }
  const coverage = coverageOf(series, usage.asked);
  if (coverage >= LEAST_COVERAGE) return undefined;
  return `The values of ${series.name} cover ${Math.floor(coverage * 100)}% of the range ${rangeOf(usage)}.`;
}

function rangeOf({ range }: Usage): string {
  return `from ${range.start} to ${range.end}`;
}

function alertOf(
  { text, figure }: Condition,
  series: string,
  { value = Number.NaN, limit, time }: ReturnType<typeof evaluateCondition>,
): CliError {
  const at = time === undefined ? null : toIso(time);
  const what = figure === 'last' ? series : `${figure}(${series})`;
  const message = `${what} is ${value}${at === null ? '' : ` at ${at}`} (condition: ${text})`;
  return new CliError('alert', message, { alerts: [{ series, figure, value, limit, at }] });
}
