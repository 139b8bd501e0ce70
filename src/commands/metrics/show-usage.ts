import { listed } from '../../errors.ts';
import { plural } from '../../io/numbers.ts';
import { type Chart, date, dim, type Screen } from '../../io/screen.ts';
import type { Series } from '../../metrics/points.ts';
import { slotsOf } from '../../metrics/slots.ts';
import { longestStep } from '../../metrics/spacing.ts';
import { statisticsOf } from '../../metrics/statistics.ts';
import { thin } from '../../metrics/thin.ts';
import { spacingOf, type Usage } from './usage.ts';

/** More slots than any sparkline has columns. */
const SPARK_SLOTS = 240;

/** More points than any terminal has columns of dots. */
const CHART_POINTS = 4_000;

/** More charts than this are no longer looked at. */
const MOST_CHARTS = 12;

/** Shows usage: a chart for each series of a history, and last, next to the prompt, the figures of all of them. */
export function showUsage(screen: Screen, usage: Usage, { charts }: { readonly charts: boolean }): void {
  if (usage.series.length === 0) nothing(screen, usage);
  else showSeries(screen, usage, charts);
  screen.rest(usage.beside);
}

function showSeries(screen: Screen, usage: Usage, charts: boolean): void {
  const { service, history, series, omitted, others } = usage;
  screen.heading(history ? `Usage of ${service}` : `Latest usage of ${service}`);
  const draws = history && charts && series.length <= MOST_CHARTS;
  if (draws) screen.charts(series.map(chartOf));
  screen.series(series.map((one) => rowOf(one, history)));
  screen.line(history ? span(usage) : asOf(usage));
  if (omitted > 0) screen.line(dim(`The answer has ${omitted} more series, which svc does not hold.`));
  if (others.length > 0) screen.line(dim(`The points also have ${listed(others)}; --json shows them.`));
}

function nothing(screen: Screen, { service, range, points }: Usage): void {
  const when = [' of ', service, ' from ', date(range.start), ' to ', date(range.end)];
  if (points === 0) screen.line(['No usage points', ...when, '.']);
  else screen.line([plural(points, 'usage point'), ...when, ', without a number in it; --json shows the answer.']);
}

function rowOf(series: Series, history: boolean) {
  const { name, unit } = series;
  const statistics = statisticsOf(series.values);
  const shared = { name, unit, points: slotsOf(series, SPARK_SLOTS) };
  if (statistics === undefined) return shared;
  const { min, avg, p95, max, last } = statistics;
  return history ? { ...shared, min, avg, p95, max, last } : { ...shared, last };
}

function span(usage: Usage) {
  const { range, points } = usage;
  const spacing = spacingOf(usage);
  const every = spacing === undefined ? '' : `, one every ${spacing},`;
  return [dim(`${plural(points, 'point')}${every} from `), dateOf(range.start), dim(' to '), dateOf(range.end)];
}

function asOf({ series }: Usage) {
  return [dim('As of '), dateOf(series[0]?.times.at(-1))];
}

function dateOf(value: unknown) {
  return { ...date(value), tone: 'dim' as const };
}

function chartOf(series: Series): Chart {
  const { name, unit, times, values } = series;
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const longestStepMs = longestStep(times, spanMs / CHART_POINTS);
  return { name, unit, points: thin(series, CHART_POINTS), figures: statisticsOf(values), longestStepMs };
}
