import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listed, quoted, usageError } from '../../errors.ts';
import { againWith } from '../../kit/ask.ts';
import type { Context } from '../../kit/context.ts';
import type { OneOfSeveral, Together } from '../../kit/result.ts';
import { toIso } from '../../kit/values/time.ts';
import { slotsOf } from '../../metrics/downsample.ts';
import type { MetricSeries } from '../../metrics/points.ts';
import { spanOf } from '../../metrics/spacing.ts';
import { statisticsOf } from '../../metrics/statistics.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import type { Screen, Series } from '../../terminal/screen.ts';
import { claimOutput } from '../shared/output-file.ts';
import { createReport } from './report.ts';
import { checkOptions, type MetricsOptions, pictureOf, rangeOf } from './request.ts';
import { type Summary, showSummary, summaryTable, usageSummary } from './summary.ts';
import { orderedBy, type Shown, type Usage } from './usage.ts';

/** More than the columns of any sparkline of a table. */
const SPARK_SLOTS = 40;

/** What the table keeps of a service. */
interface Row {
  readonly index: number;
  readonly id: string;
  /** The figure of `--sort`. */
  readonly rank: number | undefined;
  /** A row of a table for each series that was chosen. */
  readonly cells: ReadonlyArray<{ readonly series: string; readonly row: Series }>;
}

/** Makes one table, one report or one output of the usage of several services. Throws a usage error. */
export async function showTogether(
  context: Context,
  options: MetricsOptions,
  items: readonly OneOfSeveral[],
): Promise<Together<Shown | undefined>> {
  checkOptions(context, options);
  checkNames(options, items);
  checkPictures(context, options, items);
  const file = options.report === undefined ? undefined : await claimOutput(context, options.report);
  const range = rangeOf(options, context.system.severalSince ?? context.system.clock.now());
  const report = file && createReport(range);
  const [rows, summaries]: [Row[], Summary[]] = [[], []];
  return {
    csv: {
      head: options.summary ? summaryTable([]).head : ['service', 'time', 'series', 'value'],
      rowsOf: (shown) => (options.summary ? summaryRows(shown?.usage) : pointRows(shown?.usage)),
    },
    add({ index, id }, shown, error) {
      const usage = shown?.usage;
      const rank = usage && rankOf(options, usage);
      const problem = error?.code === 'alert' ? undefined : error?.message;
      report?.add({ index, id, usage, rank, problem, alert: error?.code === 'alert' ? error.message : undefined });
      if (usage !== undefined && options.summary && !options.csv) summaries[index] = usageSummary(usage);
      else if (usage !== undefined && file === undefined && !options.csv)
        rows.push({ index, id, rank, cells: cellsOf(options, usage) });
    },
    async end() {
      if (file !== undefined && report !== undefined) await file.write(report.toHtml(items.length));
    },
    show(screen) {
      if (options.summary) showSummary(screen, summaries.filter(Boolean));
      else if (file !== undefined) screen.success(`Written to ${file.path}`);
      else if (options.output !== undefined) screen.success(`Drawn in ${plural(rows.length, 'picture')}`);
      else showTables(screen, options, rows, Date.parse(range.end) - Date.parse(range.start));
      screen.line();
    },
  };
}

/** An id in two organizations would be one file. */
function checkNames({ output }: MetricsOptions, items: readonly OneOfSeveral[]): void {
  if (output === undefined) return;
  const ids = new Set<string>();
  for (const { id } of items) {
    if (ids.has(id))
      throw usageError(`${quoted(id)} is in the list for two organizations.`, 'Take them one at a time.');
    ids.add(id);
  }
}

/** Checks the files of `--output` before anything is sent, without a question for each. */
function checkPictures(
  { system, io, settings: { globals } }: Context,
  { output }: MetricsOptions,
  items: readonly OneOfSeveral[],
): void {
  if (output === undefined) return;
  if (items.length > 1 && !output.includes('{service}')) {
    throw usageError(`--output ${quoted(output)} would be one file for all.`, "For example: --output '{service}.svg'");
  }
  const taken = items.map(({ id }) => pictureOf(output, id)).filter((path) => existsSync(resolve(system.cwd, path)));
  if (taken.length === 0 || globals.yes) return;
  const exist = taken.length === 1 ? 'exists already' : 'exist already';
  throw usageError(`${listed(taken)} ${exist}. Nothing was sent.`, {
    say: 'Choose another name, or replace the files with -y.',
    run: againWith({ io, system }, ['-y']),
  });
}

function rankOf({ sort }: MetricsOptions, usage: Usage): number | undefined {
  const series = sort && orderedBy(sort.series, usage);
  return sort && series && statisticsOf(series.values)?.[sort.figure];
}

/** The series of the tables: those of `--series`, that of `--sort`, or else the first one. */
function chosenIn({ series, sort }: MetricsOptions, usage: Usage): readonly MetricSeries[] {
  if (series !== undefined) return usage.series;
  const [first] = usage.series;
  const one = sort === undefined ? first : orderedBy(sort.series, usage);
  return one === undefined ? [] : [one];
}

function cellsOf(options: MetricsOptions, usage: Usage): Row['cells'] {
  return chosenIn(options, usage).flatMap((series) => {
    const statistics = statisticsOf(series.values);
    if (statistics === undefined) return [];
    const { last, avg, p95, max } = statistics;
    const points = slotsOf(series, SPARK_SLOTS, spanOf(series.times, usage.asked));
    return [{ series: series.name, row: { name: usage.service, unit: series.unit, points, last, avg, p95, max } }];
  });
}

/** Shows a table for each series, with a row for each service. */
function showTables(screen: Screen, { since, until }: MetricsOptions, rows: readonly Row[], ms: number): void {
  const ranked = (row: Row) => row.rank ?? Number.NEGATIVE_INFINITY;
  const ordered = [...rows].sort((one, other) =>
    ranked(one) === ranked(other) ? one.index - other.index : ranked(other) - ranked(one),
  );
  const cells = ordered.flatMap((row) => row.cells);
  const names = [...new Set(cells.map(({ series }) => series))];
  const isHistory = since !== undefined || until !== undefined;
  for (const name of names) {
    const table = cells.filter(({ series }) => series === name).map(({ row }) => row);
    screen.heading(`${name} of ${plural(table.length, 'service')}`);
    screen.series(table, isHistory ? `over ${formatDuration(ms)}` : 'last hour', 'service');
  }
  const empty = ordered.filter(({ cells }) => cells.length === 0).map(({ id }) => id);
  if (empty.length > 0) screen.line(`No values: ${listed(empty)}.`);
}

function summaryRows(usage: Usage | undefined): Iterable<readonly unknown[]> {
  return usage === undefined ? [] : summaryTable([usageSummary(usage)]).rows;
}

/** Yields a row for each value, and none for a gap. */
function* pointRows(usage: Usage | undefined): Iterable<readonly unknown[]> {
  for (const { name, times, values } of usage?.series ?? []) {
    for (const [at, time] of times.entries()) {
      const value = values[at] ?? Number.NaN;
      if (!Number.isNaN(value)) yield [usage?.service, toIso(time), name, value];
    }
  }
}
