import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Needs, proposeRepeats } from '../../cli/define/context.ts';
import type { BatchItem, BatchView } from '../../cli/define/define.ts';
import { toIso } from '../../cli/values/time.ts';
import { listNames, quote, usageError } from '../../errors.ts';
import { findOneSeries } from '../../metrics/find-series.ts';
import { getStatistics } from '../../metrics/series.ts';
import { formatDuration, plural } from '../../terminal/format.ts';
import type { Screen } from '../../terminal/screen.ts';
import {
  createRow,
  createSummaryTable,
  type ShownUsage,
  type Summary,
  showSummary,
} from './show.ts';
import {
  checkOptions,
  getPicturePath,
  type MetricsOptions,
  readRange,
  type Usage,
} from './usage.ts';

/** The figures of a service that the tables show. */
type ServiceRows = BatchItem & ReturnType<typeof createCells>;

/**
 * Shows one table, or pictures, of the usage of several services.
 * @throws CliError `usage`
 */
export async function showTogether(
  context: Needs<'io' | 'globals' | 'time' | 'line' | 'program' | 'batch'>,
  options: MetricsOptions,
  items: readonly BatchItem[],
): Promise<BatchView<ShownUsage>> {
  checkOptions(context, options);
  if (options.output !== undefined) checkPictures(context, options.output, items);
  const range = readRange(options, context.batch?.since ?? context.time.clock.now());
  const services: ServiceRows[] = [];
  const summaries: Summary[] = [];
  return {
    csv: {
      head: options.summary ? createSummaryTable([]).head : ['service', 'time', 'series', 'value'],
      rowsOf(shown) {
        if (shown === undefined) return [];
        const { usage, summary } = shown;
        return summary ? createSummaryTable([summary]).rows : listPoints(usage);
      },
    },
    add(item, shown) {
      if (shown === undefined || options.csv) return;
      if (shown.summary) summaries[item.index] = shown.summary;
      else services.push({ ...item, ...createCells(options, shown.usage) });
    },
    show(screen) {
      const rangeMs = Date.parse(range.end) - range.startMs;
      const pictures = plural(services.length, 'picture');
      if (options.summary) showSummary(screen, summaries.filter(Boolean));
      else if (options.output !== undefined) screen.success(`${pictures} saved`);
      else showTables(screen, options, services, rangeMs);
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
  if (items.length > 1 && !output.includes('{service}')) {
    const message = `--output ${quote(output)} would be one file for all.`;
    throw usageError(message, "For example: --output '{service}.svg'");
  }

  const taken = items
    .map(({ id }) => getPicturePath(output, id))
    .filter((path) => existsSync(resolve(program.cwd(), path)));
  if (taken.length === 0 || globals.yes) return;
  throw usageError(`Nothing was sent. These files exist already: ${listNames(taken)}.`, {
    say: 'Choose another name, or replace the files with -y.',
    run: proposeRepeats({ io, line }, ['-y']),
  });
}

/** Creates the rows of a service, for the tables of `--series`, of `--sort`, or of the first. */
function createCells({ sort, series: names }: MetricsOptions, usage: Usage) {
  const usual = sort === undefined ? usage.series[0] : findOneSeries(sort.series, usage);
  const shown = names === undefined ? [usual] : usage.series;
  return {
    // What has no such figure comes last.
    rank: (sort && usual && getStatistics(usual.values)?.[sort.figure]) ?? -Number.MAX_VALUE,
    cells: shown.flatMap((series) => {
      const row = series && createRow(series, usage.range);
      if (row?.last === undefined) return [];
      return [{ series: row.name, row: { ...row, name: usage.title } }];
    }),
  };
}

function showTables(
  screen: Screen,
  { since, until }: MetricsOptions,
  services: readonly ServiceRows[],
  rangeMs: number,
): void {
  const ordered = services.toSorted(
    (one, other) => other.rank - one.rank || one.index - other.index,
  );
  const cells = ordered.flatMap((service) => service.cells);
  const isHistory = since !== undefined || until !== undefined;
  for (const name of new Set(cells.map(({ series }) => series))) {
    const rows = cells.filter(({ series }) => series === name).map(({ row }) => row);
    screen.heading(`${name} of ${plural(rows.length, 'service')}`);
    const span = isHistory ? `over ${formatDuration(rangeMs)}` : 'last hour';
    screen.series({ rows, span, what: 'service' });
  }
  const empty = ordered.filter((service) => service.cells.length === 0).map(({ id }) => id);
  if (empty.length > 0) screen.line(`No values: ${listNames(empty)}.`);
}

function* listPoints({ service, series }: Usage): Iterable<readonly unknown[]> {
  for (const { name, times, values } of series) {
    for (const [at, time] of times.entries()) {
      if (!Number.isNaN(values[at])) yield [service, toIso(time), name, values[at]];
    }
  }
}
