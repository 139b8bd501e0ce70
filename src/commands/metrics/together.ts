import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { proposeRepeats } from '../../cli/define/ask.ts';
import type { BatchItem, BatchView } from '../../cli/define/batch.ts';
import type { Needs } from '../../cli/define/context.ts';
import { toIso } from '../../cli/values/time.ts';
import { listed, quoted, usageError } from '../../errors.ts';
import { findOneSeries } from '../../metrics/history.ts';
import { areErrors } from '../../metrics/interest.ts';
import { averageSlots, getStatistics, getWrittenValue } from '../../metrics/series.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { plural } from '../../terminal/numbers.ts';
import type { Screen, Series } from '../../terminal/screen.ts';
import { type Shown, type Summary, showSummary, summaryTable, usageSummary } from './show.ts';
import {
  checkOptions,
  getPicturePath,
  type MetricsOptions,
  readRange,
  type Usage,
} from './usage.ts';

const SPARK_SLOTS = 40;

interface Row {
  readonly index: number;
  readonly id: string;
  readonly rank: number;
  readonly cells: ReadonlyArray<{ readonly series: string; readonly row: Series }>;
}

/** Shows one table, or pictures, of the usage of several services. Throws a usage error. */
export async function showTogether(
  context: Needs<'io' | 'globals' | 'time' | 'line' | 'program' | 'batch'>,
  options: MetricsOptions,
  items: readonly BatchItem[],
): Promise<BatchView<Shown | undefined>> {
  checkOptions(context, options);
  if (options.output !== undefined) checkPictures(context, options.output, items);
  const range = readRange(options, context.batch?.since ?? context.time.clock.now());
  const [rows, summaries]: [Row[], Summary[]] = [[], []];
  return {
    csv: {
      head: options.summary ? summaryTable([]).head : ['service', 'time', 'series', 'value'],
      rowsOf(shown: Shown | undefined) {
        if (shown === undefined) return [];
        return options.summary
          ? summaryTable([usageSummary(shown.usage)]).rows
          : pointRows(shown.usage);
      },
    },
    add({ index, id }, shown) {
      const usage = shown?.usage;
      if (usage === undefined || options.csv) return;
      if (options.summary) summaries[index] = usageSummary(usage);
      else rows.push({ index, id, rank: getRank(options, usage), cells: cellsOf(options, usage) });
    },
    show(screen) {
      if (options.summary) showSummary(screen, summaries.filter(Boolean));
      else if (options.output !== undefined)
        screen.success(`Drawn in ${plural(rows.length, 'picture')}`);
      else showTables(screen, options, rows, Date.parse(range.end) - Date.parse(range.start));
      screen.line();
    },
  };
}

/** Checks the files of `--output` before anything is sent, without a question for each. */
function checkPictures(
  { io, globals, line, program }: Needs<'io' | 'globals' | 'line' | 'program'>,
  output: string,
  items: readonly BatchItem[],
): void {
  const ids = items.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined)
    throw usageError(
      `${quoted(twice)} is in the list for two organizations.`,
      'Take them one at a time.',
    );
  if (items.length > 1 && !output.includes('{service}'))
    throw usageError(
      `--output ${quoted(output)} would be one file for all.`,
      "For example: --output '{service}.svg'",
    );
  const taken = ids
    .map((id) => getPicturePath(output, id))
    .filter((path) => existsSync(resolve(program.cwd(), path)));
  if (taken.length === 0 || globals.yes) return;
  throw usageError(`Nothing was sent. These files exist already: ${listed(taken)}.`, {
    say: 'Choose another name, or replace the files with -y.',
    run: proposeRepeats({ io, line }, ['-y']),
  });
}

/** Returns the figure of `--sort`, or the lowest of all numbers. */
function getRank(options: MetricsOptions, usage: Usage): number {
  const series = sortedBy(options, usage);
  const figure = series && options.sort && getStatistics(series.values)?.[options.sort.figure];
  return figure ?? -Number.MAX_VALUE;
}

function sortedBy({ sort }: MetricsOptions, usage: Usage) {
  return sort && findOneSeries(sort.series, usage);
}

/**
 * The rows of a service in the tables of `--series`, of that of `--sort`, or else of the first one.
 */
function cellsOf(options: MetricsOptions, usage: Usage): Row['cells'] {
  const usual = options.sort === undefined ? usage.series[0] : sortedBy(options, usage);
  return (options.series === undefined ? [usual] : usage.series).flatMap((series) => {
    const statistics = series && getStatistics(series.values);
    if (series === undefined || statistics === undefined) return [];
    const { last, avg, p95, max } = statistics;
    const points = averageSlots(series, SPARK_SLOTS, usage.asked);
    return [
      {
        series: series.name,
        row: {
          name: usage.service,
          unit: series.unit,
          points,
          last,
          avg,
          p95,
          max,
          areErrors: areErrors(series.name),
        },
      },
    ];
  });
}

function showTables(
  screen: Screen,
  { since, until }: MetricsOptions,
  rows: readonly Row[],
  ms: number,
): void {
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

function* pointRows({ service, series }: Usage): Iterable<readonly unknown[]> {
  for (const one of series) {
    for (const [at, time] of one.times.entries()) {
      const value = getWrittenValue(one, at);
      if (!Number.isNaN(value)) yield [service, toIso(time), one.name, value];
    }
  }
}
