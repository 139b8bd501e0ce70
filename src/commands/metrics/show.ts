import { toIso } from '../../cli/values/time.ts';
import type { DocumentOf, METRICS_FIGURES } from '../../contract/fields/documents.ts';
import type { RecordOf } from '../../contract/fields/field.ts';
import {
  areErrors,
  averageSlots,
  downsample,
  findLatest,
  getLongestStep,
  getSpan,
  getStatistics,
  getUsualSpacing,
  getWrittenValue,
  type MetricSeries,
  orderByInterest,
  type RequestedRange,
} from '../../metrics/series.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { formatDuration, formatValue, isPercent, plural } from '../../terminal/format.ts';
import {
  type Chart,
  type Column,
  date,
  dim,
  FIGURES,
  type Screen,
  type Series,
  type Styled,
} from '../../terminal/screen.ts';
import { getPointSpan, type Usage } from './usage.ts';

/** More than any terminal has columns. */
const SPARK_SLOTS = 240;

/** More than any terminal has dots. */
const CHART_POINTS = 4_000;

const MAX_CHARTS = 12;

/** Shows a row for each series, or with `charts` a chart for each of a history. */
export function showUsage(screen: Screen, usage: Usage, charts: boolean): void {
  if (usage.series.length === 0) showNothing(screen, usage);
  else showSeries(screen, usage, charts);
  screen.unknownFields(usage.beside);
}

function showSeries(screen: Screen, usage: Usage, charts: boolean): void {
  const { history, series, range, title } = usage;
  screen.heading(history ? `Usage of ${title}` : `Latest usage of ${title}`);
  if (history && charts && series.length <= MAX_CHARTS) {
    const ordered = usage.isChosen ? series : orderByInterest(series);
    const all = usage.isChosen ? undefined : 'To see all: --series all';
    screen.charts({ charts: ordered.map((one) => createChart(one, range)), all });
  } else {
    const over = `over ${formatDuration(range.endMs - range.startMs)}`;
    const rows = series.map((one) => {
      const row = createRow(one, range);
      if (history) return row;
      // An old value is not the last one.
      const last = findLatest(one, range)?.isOld ? undefined : row.last;
      return { ...row, last, avg: undefined, p95: undefined };
    });
    screen.series({ rows, span: history ? over : 'last hour' });
  }

  if (history) showSpan(screen, usage);
  showLatest(screen, usage);
}

function showNothing(screen: Screen, { title, range, points }: Usage): void {
  const when = [' of ', title, ' from ', date(range.start), ' to ', date(range.end)];
  const without = ', without a number in it; --json shows the answer.';
  if (points === 0) screen.line(['No usage points', ...when, '.']);
  else screen.line([plural(points, 'usage point'), ...when, without]);
}

/** Creates the row of a series, with all its figures. */
export function createRow(
  series: MetricSeries,
  range: RequestedRange,
  slots = SPARK_SLOTS,
): Series & Pick<MetricSeries, 'unit'> {
  const { name, unit, values } = series;
  const points = averageSlots(series, slots, range);
  return { name, unit, points, areErrors: areErrors(name), ...getStatistics(values) };
}

function showSpan(screen: Screen, usage: Usage): void {
  const { range, points } = usage;
  const { first, last, every, isWhole } = getPointSpan(usage);
  const apart = every && `, one every ${every}`;
  const until = last === first ? ' at ' : ', until ';
  screen.line([dim(`${plural(points, 'point')}${apart}${until}`), dimDate(last)]);
  if (isWhole) return;
  screen.line([dim('Asked for: from '), dimDate(range.start), dim(' to '), dimDate(range.end)]);
}

function showLatest(screen: Screen, { history, series, range }: Usage): void {
  const latest = series.flatMap((one) => {
    const value = findLatest(one, range);
    return value === undefined ? [] : { ...one, ...value };
  });
  const times = latest.filter(({ isOld }) => !isOld).map(({ time }) => time);
  if (!history && times.length > 0) {
    screen.line([dim('As of '), dimDate(toIso(Math.max(...times)))]);
  }
  for (const { name, unit, value, time, isOld } of latest) {
    const then = `${formatDuration(range.endMs - time)} before the end: ${formatValue(value, unit)} then.`;
    if (isOld) screen.warning([`${name} has no value since `, date(toIso(time)), `, ${then}`]);
  }
}

function dimDate(instant: string): Styled {
  return { ...date(instant), tone: 'dim' };
}

const PERCENT_TONES = [[70, 'warn'] as const, [90, 'bad'] as const];
const ERROR_LOOK = { startsAtZero: true, tones: [[Number.MIN_VALUE, 'bad'] as const] };

/** Creates a chart with as many points as any terminal can show. */
export function createChart(series: MetricSeries, range: RequestedRange): Chart {
  const { name, unit, times, values } = series;
  const { start, end } = getSpan(times, range);
  const points = downsample(series, CHART_POINTS);
  if (start < (times[0] ?? start)) points.unshift({ time: start, value: undefined });
  if (end > (times.at(-1) ?? end)) points.push({ time: end, value: undefined });
  return {
    name,
    unit,
    points,
    figures: getStatistics(values),
    longestStepMs: getLongestStep(times, (end - start) / CHART_POINTS),
    ...(isPercent(unit) && { tones: PERCENT_TONES }),
    ...(areErrors(name) && ERROR_LOOK),
  };
}

/** The document of `--summary`. */
export type Summary = DocumentOf<'metrics summary'>;

const NO_FIGURES = { last: null, min: null, avg: null, p95: null, max: null };

/** Returns the figures of the series that were asked for, within the asked range. */
export function summarizeUsage({ service, range, points, series }: Usage): Summary {
  const { start, end, stepSeconds } = range;
  const figures = series.map((one) => {
    const latest = findLatest(one, range);
    const lastAt = latest === undefined ? null : toIso(latest.time);
    return { name: one.name, unit: one.unit, lastAt, ...(getStatistics(one.values) ?? NO_FIGURES) };
  });
  return { service, start, end, stepSeconds, points, series: figures };
}

/** The usage that was asked for, and what is made of it. */
export interface ShownUsage {
  readonly usage: Usage;
  /** The figures of the usage, if they were asked for. */
  readonly summary: Summary | undefined;
  /** The path of its picture. */
  readonly file: string | undefined;
}

/** Creates a table with a row for each series of each service. */
export function createSummaryTable(summaries: readonly Summary[]): CsvTable {
  const rows = summaries.flatMap(({ service, series }) =>
    series.map((one) => {
      return [service, one.name, one.unit, ...FIGURES.map((name) => one[name]), one.lastAt];
    }),
  );
  return { head: ['service', 'series', 'unit', ...FIGURES, 'lastAt'], rows };
}

/** Creates a table with a row for each time, and a column for each series. */
export function createPointsTable({ series }: Usage): CsvTable {
  const times = series[0]?.times ?? new Float64Array();
  // Row by row: a million points as text would fill the memory.
  const rows = function* () {
    for (const [index, time] of times.entries()) {
      yield [toIso(time), ...series.map((one) => getWrittenValue(one, index))];
    }
  };
  return { head: ['time', ...series.map(({ name }) => name)], rows: rows() };
}

/** The figures that a narrow terminal leaves out, in this order. */
const SPARE = ['avg', 'p95', 'min'];

/** Shows a table of each service, with a row for each series. */
export function showSummary(screen: Screen, summaries: readonly Summary[]): void {
  const columns = FIGURES.map((name): Column => {
    const spare = SPARE.indexOf(name) + 1;
    return { name, align: 'right', whole: true, ...(spare > 0 && { spare }) };
  });
  for (const { service, start, end, series } of summaries) {
    const range = formatDuration(Date.parse(end) - Date.parse(start));
    screen.heading([`Usage of ${service} over ${range} until `, date(end)]);
    const rows = series.map((one) => [
      one.name,
      ...FIGURES.map((name) => (one[name] === null ? '' : formatValue(one[name], one.unit))),
    ]);
    screen.table({ head: [{ name: 'Series', whole: true }, ...columns], rows });
    screen.line();
  }
}

const MAX_PARTS = 60;

/** Creates the answer of the tool: the figures of each series that has a value, and its values. */
export function createToolAnswer(
  usage: Usage,
  withValues: boolean,
): RecordOf<typeof METRICS_FIGURES> {
  const { series: figures, ...summary } = summarizeUsage(usage);
  const series = figures.flatMap((one, index) => {
    if (one.avg === null) return [];
    const measured = usage.series[index];
    const values = withValues && measured && averageSlots(measured, MAX_PARTS).map(shorten);
    return [{ ...one, avg: shorten(one.avg), ...(values && { values }) }];
  });

  const parts = series[0]?.values?.length;
  if (parts === undefined) return { ...summary, series };
  const times = usage.series[0]?.times ?? new Float64Array();
  const first = times[0] ?? 0;
  const span = (times.at(-1) ?? 0) - first + getUsualSpacing(times);
  const partSeconds = Math.round(span / parts / 1000);
  return { ...summary, firstPart: toIso(first), partSeconds, series };
}

function shorten(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(4));
}
