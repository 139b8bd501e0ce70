import { listed } from '../../errors.ts';
import { toIso } from '../../kit/values/time.ts';
import { downsample, slotsOf } from '../../metrics/downsample.ts';
import type { MetricSeries } from '../../metrics/points.ts';
import { type AskedRange, longestStep, spanOf } from '../../metrics/spacing.ts';
import { statisticsOf } from '../../metrics/statistics.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { formatValue, plural } from '../../terminal/numbers.ts';
import { type Chart, date, dim, type Screen } from '../../terminal/screen.ts';
import { serviceIn } from '../shared/names.ts';
import { latestIn, spacingOf, type Usage } from './usage.ts';

/** More than the columns of any sparkline. */
const SPARK_SLOTS = 240;

/** More than the columns of dots of any terminal. */
const CHART_POINTS = 4_000;

/** Nobody looks through more charts than this. */
const MAX_CHARTS = 12;

/** Shows a chart for each series of a history, or a row for each. */
export function showUsage(screen: Screen, usage: Usage, { charts }: { readonly charts: boolean }): void {
  if (usage.series.length === 0) showNothing(screen, usage);
  else showSeries(screen, usage, charts);
  screen.rest(usage.beside);
}

function showSeries(screen: Screen, usage: Usage, charts: boolean): void {
  const { history, series, omitted, others } = usage;
  const service = serviceIn(usage.beside, usage.service);
  screen.heading(history ? `Usage of ${service}` : `Latest usage of ${service}`);
  const draws = history && charts && series.length <= MAX_CHARTS;
  const { startMs, endMs } = usage.asked;
  const span = history ? `over ${formatDuration(endMs - startMs)}` : 'last hour';
  const all = usage.isChosen ? undefined : 'To see all: --series all';
  if (draws)
    screen.charts(
      series.map((one) => chartOf(one, usage.asked)),
      { all },
    );
  else
    screen.series(
      series.map((one) => rowOf(one, usage)),
      span,
    );
  if (history) showSpan(screen, usage);
  else showTime(screen, usage);
  for (const one of series) showOld(screen, one, usage);
  if (omitted > 0) screen.line(dim(`The answer has ${omitted} more series, which svc does not hold.`));
  if (others.length > 0) screen.line(dim(`The points also have ${listed(others)}; --json shows them.`));
}

function showNothing(screen: Screen, { service, range, points }: Usage): void {
  const when = [' of ', service, ' from ', date(range.start), ' to ', date(range.end)];
  if (points === 0) screen.line(['No usage points', ...when, '.']);
  else screen.line([plural(points, 'usage point'), ...when, ', without a number in it; --json shows the answer.']);
}

function rowOf(series: MetricSeries, usage: Usage) {
  const { history, asked } = usage;
  const { name, unit, times, values } = series;
  const statistics = statisticsOf(values);
  const shared = { name, unit, points: slotsOf(series, SPARK_SLOTS, spanOf(times, asked)) };
  if (statistics === undefined) return shared;
  const { min, avg, p95, max, last } = statistics;
  if (history) return { ...shared, min, avg, p95, max, last };
  const ranged = { ...shared, range: [min, max] as const };
  return latestIn(usage, series)?.isOld === false ? { ...ranged, last } : ranged;
}

/** Shows the span of the points, and the range that was asked for if it is wider. */
function showSpan(screen: Screen, usage: Usage): void {
  const { range, points, asked, series } = usage;
  const times = series[0]?.times ?? new Float64Array();
  const spacing = spacingOf(usage);
  const every = spacing === undefined ? '' : `, one every ${spacing},`;
  const [first, last] = [times[0], times.at(-1)];
  const to = last === first ? [] : [dim(' to '), instantOf(last)];
  screen.line([dim(`${plural(points, 'point')}${every} ${last === first ? 'at' : 'from'} `), instantOf(first), ...to]);
  const { start, end } = spanOf(times, asked);
  if (start === first && end === last) return;
  screen.line([dim('Asked for: from '), dateOf(range.start), dim(' to '), dateOf(range.end)]);
}

/** Shows when the latest values were measured, apart from those that {@link showOld} reports. */
function showTime(screen: Screen, usage: Usage): void {
  const times = usage.series.flatMap((one) => {
    const latest = latestIn(usage, one);
    return latest === undefined || latest.isOld ? [] : [latest.time];
  });
  if (times.length > 0) screen.line([dim('As of '), instantOf(Math.max(...times))]);
}

/** Warns of a series that has no recent values. */
function showOld(screen: Screen, series: MetricSeries, usage: Usage): void {
  const latest = latestIn(usage, series);
  if (latest === undefined || !latest.isOld) return;
  const then = `${formatDuration(usage.asked.endMs - latest.time)} before the end: ${formatValue(latest.value, series.unit)} then.`;
  screen.warning([`${series.name} has no value since `, date(toIso(latest.time)), `, ${then}`]);
}

function instantOf(time: number | undefined) {
  return dateOf(time === undefined ? undefined : toIso(time));
}

function dateOf(value: unknown) {
  return { ...date(value), tone: 'dim' as const };
}

/** Makes the chart of a series, thinned out to what any terminal can show. */
export function chartOf(series: MetricSeries, asked: AskedRange): Chart {
  const { name, unit, times, values } = series;
  const { start, end } = spanOf(times, asked);
  const longestStepMs = longestStep(times, (end - start) / CHART_POINTS);
  const empty = (time: number) => ({ time, value: undefined });
  const points = [
    ...(start < (times[0] ?? start) ? [empty(start)] : []),
    ...downsample(series, CHART_POINTS),
    ...(end > (times.at(-1) ?? end) ? [empty(end)] : []),
  ];
  return { name, unit, points, figures: statisticsOf(values), longestStepMs };
}
