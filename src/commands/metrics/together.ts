import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listed, quoted, usageError } from '../../errors.ts';
import { againWith } from '../../kit/ask.ts';
import type { Context } from '../../kit/context.ts';
import type { OneOfSeveral, Together } from '../../kit/result.ts';
import { toIso } from '../../kit/values/time.ts';
import { oneSeriesNamed } from '../../metrics/history.ts';
import { slotsOf, statisticsOf } from '../../metrics/series.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import type { Screen, Series } from '../../terminal/screen.ts';
import { claimOutput } from '../shared/output-file.ts';
import { createReport } from './report.ts';
import { type Shown, type Summary, showSummary, summaryTable, usageSummary } from './show.ts';
import { checkOptions, type MetricsOptions, pictureOf, rangeOf, type Usage } from './usage.ts';

/** More than the columns of any sparkline of a table. */
const SPARK_SLOTS = 40;

interface Row {
  readonly index: number;
  readonly id: string;
  /** The figure of `--sort`. */
  readonly rank: number;
  readonly cells: ReadonlyArray<{ readonly series: string; readonly row: Series }>;
}

/** Makes one table, one report or one output of the usage of several services. Throws a usage error. */
export async function showTogether(
  context: Context,
  options: MetricsOptions,
  items: readonly OneOfSeveral[],
): Promise<Together<Shown | undefined>> {
  checkOptions(context, options);
  if (options.output !== undefined) checkPictures(context, options.output, items);
  const file = options.report === undefined ? undefined : await claimOutput(context, options.report);
  const range = rangeOf(options, context.severalSince ?? context.clock.now());
  const report = file && createReport(range);
  const [rows, summaries]: [Row[], Summary[]] = [[], []];
  return {
    csv: {
      head: options.summary ? summaryTable([]).head : ['service', 'time', 'series', 'value'],
      rowsOf(shown) {
        if (shown === undefined) return [];
        return options.summary ? summaryTable([usageSummary(shown.usage)]).rows : pointRows(shown.usage);
      },
    },
    add({ index, id }, shown, error) {
      const usage = shown?.usage;
      const ranked = usage && sortedBy(options, usage);
      const rank = ranked && options.sort && statisticsOf(ranked.values)?.[options.sort.figure];
      const [alert, problem] = error?.code === 'alert' ? [error.message] : [undefined, error?.message];
      report?.add({ index, id, usage, rank, problem, alert });
      if (usage === undefined || options.csv) return;
      if (options.summary) summaries[index] = usageSummary(usage);
      else if (file === undefined)
        rows.push({ index, id, rank: rank ?? -Number.MAX_VALUE, cells: cellsOf(options, usage) });
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

/** Checks the files of `--output` before anything is sent, without a question for each. */
function checkPictures({ cwd, again, io, settings }: Context, output: string, items: readonly OneOfSeveral[]): void {
  const ids = items.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined)
    throw usageError(`${quoted(twice)} is in the list for two organizations.`, 'Take them one at a time.');
  if (items.length > 1 && !output.includes('{service}'))
    throw usageError(`--output ${quoted(output)} would be one file for all.`, "For example: --output '{service}.svg'");
  const taken = ids.map((id) => pictureOf(output, id)).filter((path) => existsSync(resolve(cwd(), path)));
  if (taken.length === 0 || settings.globals.yes) return;
  const exist = taken.length === 1 ? 'exists already' : 'exist already';
  throw usageError(`${listed(taken)} ${exist}. Nothing was sent.`, {
    say: 'Choose another name, or replace the files with -y.',
    run: againWith({ io, again }, ['-y']),
  });
}

function sortedBy({ sort }: MetricsOptions, { all, empty }: Usage) {
  return sort && oneSeriesNamed(sort.series, all, empty);
}

/** The rows of a service in the tables of `--series`, of that of `--sort`, or else of the first one. */
function cellsOf(options: MetricsOptions, usage: Usage): Row['cells'] {
  const usual = options.sort === undefined ? usage.series[0] : sortedBy(options, usage);
  return (options.series === undefined ? [usual] : usage.series).flatMap((series) => {
    const statistics = series && statisticsOf(series.values);
    if (series === undefined || statistics === undefined) return [];
    const { last, avg, p95, max } = statistics;
    const points = slotsOf(series, SPARK_SLOTS, usage.asked);
    return [{ series: series.name, row: { name: usage.service, unit: series.unit, points, last, avg, p95, max } }];
  });
}

function showTables(screen: Screen, { since, until }: MetricsOptions, rows: readonly Row[], ms: number): void {
  const ordered = [...rows].sort((one, other) => other.rank - one.rank || one.index - other.index);
  const cells = ordered.flatMap((row) => row.cells);
  const isHistory = since !== undefined || until !== undefined;
  for (const name of new Set(cells.map(({ series }) => series))) {
    const table = cells.filter(({ series }) => series === name).map(({ row }) => row);
    screen.heading(`${name} of ${plural(table.length, 'service')}`);
    screen.series(table, isHistory ? `over ${formatDuration(ms)}` : 'last hour', 'service');
  }
  const empty = ordered.filter((row) => row.cells.length === 0).map(({ id }) => id);
  if (empty.length > 0) screen.line(`No values: ${listed(empty)}.`);
}

/** Yields a row for each value, and none for a gap. */
function* pointRows({ service, series }: Usage): Iterable<readonly unknown[]> {
  for (const { name, times, values } of series) {
    for (const [at, time] of times.entries()) {
      const value = values[at] ?? Number.NaN;
      if (!Number.isNaN(value)) yield [service, toIso(time), name, value];
    }
  }
}
