import { type ChartPoint, date, dim, type Screen } from '../../io/screen.ts';
import type { Series } from '../../metrics/points.ts';
import { slotsOf } from '../../metrics/slots.ts';
import { statisticsOf } from '../../metrics/statistics.ts';
import { thin } from '../../metrics/thin.ts';
import type { Usage } from './usage.ts';

/** More slots than any sparkline has columns. */
const SPARK_SLOTS = 240;

/** More points than any terminal has columns of dots. */
const CHART_POINTS = 4_000;

/** More charts than this are no longer looked at. */
const MOST_CHARTS = 4;

/** Shows usage: the figures of each series with a small drawing, and charts where there are few. */
export function showUsage(screen: Screen, usage: Usage, { charts }: { readonly charts: boolean }): void {
  const { service, history, range, series, omitted } = usage;
  if (series.length === 0) {
    screen.line(['No usage points of ', service, ' from ', date(range.start), ' to ', date(range.end), '.']);
    return;
  }
  screen.heading(history ? `Usage of ${service}` : `Latest usage of ${service}`);
  screen.series(series.map((one) => rowOf(one, history)));
  screen.line(history ? span(usage) : asOf(usage));
  if (omitted > 0) screen.line(dim(`The answer has ${omitted} more series, which svc does not hold.`));
  if (history && charts && series.length <= MOST_CHARTS) for (const one of series) chart(screen, one);
}

function rowOf(series: Series, history: boolean) {
  const { name, unit } = series;
  const statistics = statisticsOf(series.values);
  const shared = { name, unit, points: slotsOf(series, SPARK_SLOTS) };
  if (statistics === undefined) return shared;
  const { min, avg, p95, max, last } = statistics;
  return history ? { ...shared, min, avg, p95, max, last } : { ...shared, last };
}

function span({ range, series }: Usage) {
  const points = series[0]?.times.length ?? 0;
  return [
    dim(`${points} points, one every ${range.stepSeconds} s, from `),
    dateOf(range.start),
    dim(' to '),
    dateOf(range.end),
  ];
}

function asOf({ series }: Usage) {
  return [dim('As of '), dateOf(series[0]?.times.at(-1))];
}

function dateOf(value: unknown) {
  return { ...date(value), tone: 'dim' as const };
}

function chart(screen: Screen, series: Series): void {
  const points: readonly ChartPoint[] = thin(series, CHART_POINTS);
  screen.chart({ name: series.name, unit: series.unit, points });
}
