import { listed } from '../../errors.ts';
import { toIso } from '../../kit/values/time.ts';
import {
  type AskedRange,
  latestOf,
  longestStep,
  type MetricSeries,
  slotsOf,
  spanOf,
  statisticsOf,
  thinned,
} from '../../metrics/series.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { formatValue, plural } from '../../terminal/numbers.ts';
import { type Chart, date, dim, type Screen, type Series, type Styled } from '../../terminal/screen.ts';
import { serviceIn } from '../shared/names.ts';
import { spanOfPoints, type Usage } from './usage.ts';

/** More than the columns of any sparkline. */
const SPARK_SLOTS = 240;

/** More than the columns of dots of any terminal. */
const CHART_POINTS = 4_000;

/** Nobody looks through more charts than this. */
const MAX_CHARTS = 12;

/** A usage that was asked for, and what was made of it. */
export interface Shown {
  readonly usage: Usage;
  /** The picture or the report that was written. */
  readonly file: string | undefined;
  /** Whether only its figures were asked for. */
  readonly isSummary: boolean;
}

/** Shows a chart for each series of a history, or a row for each. */
export function showUsage(screen: Screen, usage: Usage, { charts }: { readonly charts: boolean }): void {
  if (usage.series.length === 0) showNothing(screen, usage);
  else showSeries(screen, usage, charts);
  screen.rest(usage.beside);
}

function showSeries(screen: Screen, usage: Usage, charts: boolean): void {
  const { history, series, omitted, others, asked } = usage;
  const service = serviceIn(usage.beside, usage.service);
  screen.heading(history ? `Usage of ${service}` : `Latest usage of ${service}`);
  const all = usage.isChosen ? undefined : 'To see all: --series all';
  const drawn = history && charts && series.length <= MAX_CHARTS ? series.map((one) => chartOf(one, asked)) : undefined;
  if (drawn !== undefined) screen.charts(drawn, { all });
  else {
    const rows = series.map((one) => rowOf(one, usage));
    screen.series(rows, history ? `over ${formatDuration(asked.endMs - asked.startMs)}` : 'last hour');
  }
  if (history) showSpan(screen, usage);
  showLatest(screen, usage);
  if (omitted > 0) screen.line(dim(`The answer has ${omitted} more series, which svc does not hold.`));
  if (others.length > 0) screen.line(dim(`The points also have ${listed(others)}; --json shows them.`));
}

function showNothing(screen: Screen, { service, range, points }: Usage): void {
  const when = [' of ', service, ' from ', date(range.start), ' to ', date(range.end)];
  if (points === 0) screen.line(['No usage points', ...when, '.']);
  else screen.line([plural(points, 'usage point'), ...when, ', without a number in it; --json shows the answer.']);
}

function rowOf(series: MetricSeries, { history, asked }: Usage): Series {
  const statistics = statisticsOf(series.values);
  const points = slotsOf(series, SPARK_SLOTS, spanOf(series.times, asked));
  const row = { name: series.name, unit: series.unit, points };
  if (statistics === undefined) return row;
  if (history) return { ...row, ...statistics };
  const { min, max, last } = statistics;
  const isOld = latestOf(series, asked)?.isOld ?? true;
  return { ...row, range: [min, max], ...(!isOld && { last }) };
}

/** Shows the span of the points, and the range that was asked for if it is wider. */
function showSpan(screen: Screen, usage: Usage): void {
  const { range, points } = usage;
  const { first, last, every, isWhole } = spanOfPoints(usage);
  const apart = every === undefined ? '' : `, one every ${every},`;
  const to = last === first ? [] : [dim(' to '), quiet(last)];
  screen.line([dim(`${plural(points, 'point')}${apart} ${last === first ? 'at' : 'from'} `), quiet(first), ...to]);
  if (!isWhole) screen.line([dim('Asked for: from '), quiet(range.start), dim(' to '), quiet(range.end)]);
}

/** Says when the latest values were measured, and warns of each series that has no recent one. */
function showLatest(screen: Screen, { history, series, asked }: Usage): void {
  const found = series.flatMap((one) => {
    const latest = latestOf(one, asked);
    return latest === undefined ? [] : [{ ...one, ...latest }];
  });
  const times = found.flatMap(({ isOld, time }) => (isOld ? [] : [time]));
  if (!history && times.length > 0) screen.line([dim('As of '), quiet(toIso(Math.max(...times)))]);
  for (const { name, unit, value, time, isOld } of found) {
    const then = `${formatDuration(asked.endMs - time)} before the end: ${formatValue(value, unit)} then.`;
    if (isOld) screen.warning([`${name} has no value since `, date(toIso(time)), `, ${then}`]);
  }
}

function quiet(instant: string): Styled {
  return { ...date(instant), tone: 'dim' };
}

/** Makes the chart of a series, thinned out to what any terminal can show. */
export function chartOf(series: MetricSeries, asked: AskedRange): Chart {
  const { name, unit, times, values } = series;
  const { start, end } = spanOf(times, asked);
  const longestStepMs = longestStep(times, (end - start) / CHART_POINTS);
  const empty = (time: number) => ({ time, value: undefined });
  const points = [
    ...(start < (times[0] ?? start) ? [empty(start)] : []),
    ...thinned(series, CHART_POINTS),
    ...(end > (times.at(-1) ?? end) ? [empty(end)] : []),
  ];
  return { name, unit, points, figures: statisticsOf(values), longestStepMs };
}
