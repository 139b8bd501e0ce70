import { toIso } from '../../kit/values/time.ts';
import { latestOf, type MetricSeries, slotsOf, statisticsOf, usualSpacing } from '../../metrics/series.ts';
import type { DocumentOf } from '../../spec/fields/documents.ts';
import type { RecordOf } from '../../spec/fields/field.ts';
import type { METRICS_FIGURES } from '../../spec/fields/metrics.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { formatValue } from '../../terminal/numbers.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { Usage } from './usage.ts';

/** The document of `--summary`. */
export type Summary = DocumentOf<'metrics summary'>;

/** In the order of the columns. */
const FIGURES = ['last', 'min', 'avg', 'p95', 'max'] as const;
const NONE = { last: null, min: null, avg: null, p95: null, max: null };

/** The figures of the series that were asked for, within the asked range. */
export function usageSummary({ service, range, points, series, asked }: Usage): Summary {
  const { start, end, stepSeconds } = range;
  const all = series.map((one) => {
    const latest = latestOf(one, asked);
    const lastAt = latest === undefined ? null : toIso(latest.time);
    return { name: one.name, unit: one.unit, lastAt, ...(statisticsOf(one.values) ?? NONE) };
  });
  return { service, start, end, stepSeconds, points, series: all };
}

/** A row for each series of each service. */
export function summaryTable(summaries: readonly Summary[]): CsvTable {
  const rows = summaries.flatMap(({ service, series }) =>
    series.map((one) => [service, one.name, one.unit, ...FIGURES.map((name) => one[name]), one.lastAt]),
  );
  return { head: ['service', 'series', 'unit', ...FIGURES, 'lastAt'], rows };
}

/** Shows a table of each service, with a row for each series. */
export function showSummary(screen: Screen, summaries: readonly Summary[]): void {
  const head = [
    { name: 'Series', whole: true },
    ...FIGURES.map((name) => ({ name, align: 'right' as const, whole: true })),
  ];
  for (const { service, start, end, series } of summaries) {
    screen.heading(`Usage of ${service} from ${start} to ${end}`);
    const rows = series.map((one) => [
      one.name,
      ...FIGURES.map((name) => (one[name] === null ? '' : formatValue(one[name], one.unit))),
    ]);
    screen.table({ head, rows });
    screen.line();
  }
}

/** Values of a series that a model can afford to read. */
const MAX_PARTS = 60;

/** The answer of the tool: figures of each series that has a value, and its values thinned. */
export function toolAnswerOf(usage: Usage, withValues: boolean): RecordOf<typeof METRICS_FIGURES> {
  const { series: figures, ...summary } = usageSummary(usage);
  const measured = figures.flatMap((one, index) => {
    const series = usage.series[index];
    return one.avg === null || series === undefined ? [] : [{ series, figures: { ...one, avg: short(one.avg) } }];
  });
  const [first] = measured;
  if (!withValues || first === undefined) return { ...summary, series: measured.map((one) => one.figures) };
  const span = { start: first.series.times[0] ?? 0, end: first.series.times.at(-1) ?? 0 };
  const partsOf = (series: MetricSeries) => slotsOf(series, MAX_PARTS, span).map(short);
  const totalMs = span.end - span.start + usualSpacing(first.series.times);
  return {
    ...summary,
    firstPart: toIso(span.start),
    partSeconds: Math.round(totalMs / partsOf(first.series).length / 1000),
    series: measured.map((one) => ({ ...one.figures, values: partsOf(one.series) })),
  };
}

/** A mean has no more digits than anybody reads. */
function short(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(4));
}
