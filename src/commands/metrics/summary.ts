import { toIso } from '../../kit/values/time.ts';
import { statisticsOf } from '../../metrics/statistics.ts';
import type { DocumentOf } from '../../spec/fields/documents.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { formatValue } from '../../terminal/numbers.ts';
import type { Screen } from '../../terminal/screen.ts';
import { latestIn, type Usage } from './usage.ts';

/** The document of `--summary`. */
export type Summary = DocumentOf<'metrics summary'>;
type SeriesSummary = Summary['series'][number];

/** In the order of the columns. */
const FIGURES = ['last', 'min', 'avg', 'p95', 'max'] as const;
const FIELDS = ['unit', ...FIGURES, 'lastAt'] as const satisfies readonly (keyof SeriesSummary)[];

/** The figures of the series that were asked for, within the asked range. */
export function usageSummary(usage: Usage): Summary {
  const { service, range, points } = usage;
  const series = usage.series.map((one): SeriesSummary => {
    const figures = statisticsOf(one.values);
    const latest = latestIn(usage, one);
    const known = Object.fromEntries(FIGURES.map((name) => [name, figures?.[name] ?? null]));
    return {
      name: one.name,
      unit: one.unit,
      ...(known as Record<(typeof FIGURES)[number], number | null>),
      lastAt: latest === undefined ? null : toIso(latest.time),
    };
  });
  return { service, start: range.start, end: range.end, stepSeconds: range.stepSeconds, points, series };
}

/** A row for each series of each service. */
export function summaryTable(summaries: readonly Summary[]): CsvTable {
  const rows = summaries.flatMap(({ service, series }) =>
    series.map((one) => [service, one.name, ...FIELDS.map((field) => one[field])]),
  );
  return { head: ['service', 'series', ...FIELDS], rows };
}

/** Shows a table of each service, with a row for each series. */
export function showSummary(screen: Screen, summaries: readonly Summary[]): void {
  const head = [
    { name: 'Series', whole: true },
    ...FIGURES.map((name) => ({ name, align: 'right' as const, whole: true })),
  ];
  for (const { service, start, end, series } of summaries) {
    const figure = (one: SeriesSummary) => (name: (typeof FIGURES)[number]) =>
      one[name] === null ? '' : formatValue(one[name], one.unit);
    screen.heading(`Usage of ${service} from ${start} to ${end}`);
    screen.table({ head, rows: series.map((one) => [one.name, ...FIGURES.map(figure(one))]) });
    screen.line();
  }
}
