import { toIso } from '../../cli/values/time.ts';
import type { DocumentOf } from '../../contract/fields/documents.ts';
import type { RecordOf } from '../../contract/fields/field.ts';
import type { METRICS_FIGURES } from '../../contract/fields/metrics.ts';
import { listed } from '../../errors.ts';
import { areErrors, orderByInterest } from '../../metrics/interest.ts';
import {
  averageSlots,
  downsample,
  findLatest,
  getSpan,
  getStatistics,
  getWrittenValue,
  longestStep,
  type MetricSeries,
  type RequestedRange,
  usualSpacing,
} from '../../metrics/series.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { formatValue, isPercent, plural } from '../../terminal/numbers.ts';
import {
  type Chart,
  type Column,
  date,
  dim,
  type Screen,
  type Series,
  type Styled,
} from '../../terminal/screen.ts';
import { describeService } from '../shared/names.ts';
import { spanOfPoints, type Usage } from './usage.ts';

/** More than any terminal has columns, or dots. */
const [SPARK_SLOTS, CHART_POINTS] = [240, 4_000];
const MAX_CHARTS = 12;

/** What was asked for, and made of it. */
export interface Shown {
  readonly usage: Usage;
  readonly file: string | undefined;
  /** Whether only its figures were asked for. */
  readonly isSummary: boolean;
}

/** A row for each series, or with `charts` a chart for each of a history. */
export function showUsage(screen: Screen, usage: Usage, charts: boolean): void {
  if (usage.series.length === 0) showNothing(screen, usage);
  else showSeries(screen, usage, charts);
  screen.unknownFields(usage.beside);
}

function showSeries(screen: Screen, usage: Usage, charts: boolean): void {
  const { history, series, omitted, others, asked } = usage;
  const service = describeService(usage.beside, usage.service);
  screen.heading(history ? `Usage of ${service}` : `Latest usage of ${service}`);
  const all = usage.isChosen ? undefined : 'To see all: --series all';
  if (history && charts && series.length <= MAX_CHARTS) {
    const ordered = usage.isChosen ? series : orderByInterest(series);
    screen.charts(
      ordered.map((one) => chartOf(one, asked)),
      { all },
    );
  } else {
    const rows = series.map((one) => rowOf(one, usage));
    screen.series(
      rows,
      history ? `over ${formatDuration(asked.endMs - asked.startMs)}` : 'last hour',
    );
  }
  if (history) showSpan(screen, usage);
  showLatest(screen, usage);
  if (omitted > 0)
    screen.line(dim(`The answer has ${omitted} more series, which svc does not hold.`));
  if (others.length > 0)
    screen.line(dim(`The points also have ${listed(others)}; --json shows them.`));
}

function showNothing(screen: Screen, { service, range, points }: Usage): void {
  const when = [' of ', service, ' from ', date(range.start), ' to ', date(range.end)];
  if (points === 0) screen.line(['No usage points', ...when, '.']);
  else
    screen.line([
      plural(points, 'usage point'),
      ...when,
      ', without a number in it; --json shows the answer.',
    ]);
}

function rowOf(series: MetricSeries, { history, asked }: Usage): Series {
  const statistics = getStatistics(series.values);
  const points = averageSlots(series, SPARK_SLOTS, asked);
  const { name, unit } = series;
  const row = { name, unit, points, areErrors: areErrors(name) };
  if (history || statistics === undefined) return { ...row, ...statistics };
  const { min, max, last } = statistics;
  return { ...row, range: [min, max], ...(findLatest(series, asked)?.isOld === false && { last }) };
}

function showSpan(screen: Screen, usage: Usage): void {
  const { range, points } = usage;
  const { first, last, every, isWhole } = spanOfPoints(usage);
  const apart = every === undefined ? '' : `, one every ${every}`;
  const until = last === first ? ' at ' : ', until ';
  screen.line([dim(`${plural(points, 'point')}${apart}${until}`), quiet(last)]);
  if (!isWhole)
    screen.line([dim('Asked for: from '), quiet(range.start), dim(' to '), quiet(range.end)]);
}

function showLatest(screen: Screen, { history, series, asked }: Usage): void {
  const found = series.flatMap((one) => {
    const latest = findLatest(one, asked);
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

/** Thinned out to what any terminal can show. */
export function chartOf(series: MetricSeries, asked: RequestedRange): Chart {
  const { name, unit, times, values } = series;
  const { start, end } = getSpan(times, asked);
  const longestStepMs = longestStep(times, (end - start) / CHART_POINTS);
  const empty = (time: number) => ({ time, value: undefined });
  const points = [
    ...(start < (times[0] ?? start) ? [empty(start)] : []),
    ...downsample(series, CHART_POINTS),
    ...(end > (times.at(-1) ?? end) ? [empty(end)] : []),
  ];
  return {
    name,
    unit,
    points,
    figures: getStatistics(values),
    longestStepMs,
    ...(isPercent(unit) && { tones: PERCENT_TONES }),
    ...(areErrors(name) && ERROR_LOOK),
  };
}

const PERCENT_TONES = [[70, 'warn'] as const, [90, 'bad'] as const];
const ERROR_LOOK = { startsAtZero: true, tones: [[Number.MIN_VALUE, 'bad'] as const] };

/** The document of `--summary`. */
export type Summary = DocumentOf<'metrics summary'>;

const FIGURES = ['last', 'min', 'avg', 'p95', 'max'] as const;
const NONE = { last: null, min: null, avg: null, p95: null, max: null };

/** The figures of the series that were asked for, within the asked range. */
export function usageSummary({ service, range, points, series, asked }: Usage): Summary {
  const { start, end, stepSeconds } = range;
  const all = series.map((one) => {
    const latest = findLatest(one, asked);
    const lastAt = latest === undefined ? null : toIso(latest.time);
    return { name: one.name, unit: one.unit, lastAt, ...(getStatistics(one.values) ?? NONE) };
  });
  return { service, start, end, stepSeconds, points, series: all };
}

/** A row for each series of each service. */
export function summaryTable(summaries: readonly Summary[]): CsvTable {
  const rows = summaries.flatMap(({ service, series }) =>
    series.map((one) => [
      service,
      one.name,
      one.unit,
      ...FIGURES.map((name) => one[name]),
      one.lastAt,
    ]),
  );
  return { head: ['service', 'series', 'unit', ...FIGURES, 'lastAt'], rows };
}

/** A row for each time, with a column for each series. */
export function pointsTable(usage: Usage | undefined): CsvTable {
  const series = usage?.series ?? [];
  const times = series[0]?.times ?? new Float64Array();
  // Row by row: a million points as text would fill the memory.
  const rows = function* () {
    for (const [index, time] of times.entries())
      yield [toIso(time), ...series.map((one) => getWrittenValue(one, index))];
  };
  return { head: ['time', ...series.map(({ name }) => name)], rows: rows() };
}

/** What a narrow terminal leaves out, in this order. */
const SPARE = ['avg', 'p95', 'min'];

/** A table of each service, with a row for each series. */
export function showSummary(screen: Screen, summaries: readonly Summary[]): void {
  const columnOf = (name: string): Column => {
    const spare = SPARE.indexOf(name);
    return { name, align: 'right', whole: true, ...(spare >= 0 && { spare }) };
  };
  const head = [{ name: 'Series', whole: true }, ...FIGURES.map(columnOf)];
  for (const { service, start, end, series } of summaries) {
    const range = formatDuration(Date.parse(end) - Date.parse(start));
    screen.heading([`Usage of ${service} over ${range} until `, date(end)]);
    const rows = series.map((one) => [
      one.name,
      ...FIGURES.map((name) => (one[name] === null ? '' : formatValue(one[name], one.unit))),
    ]);
    screen.table({ head, rows });
    screen.line();
  }
}

const MAX_PARTS = 60;

/** The answer of the tool: figures of each series that has a value, and its values downsample. */
export function toolAnswerOf(usage: Usage, withValues: boolean): RecordOf<typeof METRICS_FIGURES> {
  const { series: figures, ...summary } = usageSummary(usage);
  const series = figures.flatMap((one, index) => {
    if (one.avg === null) return [];
    const measured = usage.series[index];
    const values =
      withValues && measured ? averageSlots(measured, MAX_PARTS).map(short) : undefined;
    return [{ ...one, avg: short(one.avg), ...(values && { values }) }];
  });
  const times = usage.series[0]?.times ?? new Float64Array();
  const parts = series[0]?.values?.length;
  if (parts === undefined) return { ...summary, series };
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const partSeconds = Math.round((last - first + usualSpacing(times)) / parts / 1000);
  return { ...summary, firstPart: toIso(first), partSeconds, series };
}

function short(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(4));
}
