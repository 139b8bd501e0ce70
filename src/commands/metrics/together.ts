import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MetricsRange } from '../../api/operations.ts';
import { againWith } from '../../cli/define/ask.ts';
import type { BatchItem, BatchView } from '../../cli/define/batch.ts';
import type { Needs } from '../../cli/define/context.ts';
import { toIso } from '../../cli/values/time.ts';
import { listed, quoted, usageError } from '../../errors.ts';
import { oneSeriesNamed } from '../../metrics/history.ts';
import { type MetricSeries, slotsOf, statisticsOf } from '../../metrics/series.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { formatCount, plural } from '../../terminal/numbers.ts';
import type { Screen, Series } from '../../terminal/screen.ts';
import { serviceIn } from '../shared/names.ts';
import { claimOutput } from '../shared/output-file.ts';
import { type Shown, type Summary, showSummary, summaryTable, usageSummary } from './show.ts';
import { figuresText, frameOf, linePaths, xml } from './svg.ts';
import { checkOptions, type MetricsOptions, pictureOf, rangeOf, type Usage } from './usage.ts';

const SPARK_SLOTS = 40;

interface Row {
  readonly index: number;
  readonly id: string;
  readonly rank: number;
  readonly cells: ReadonlyArray<{ readonly series: string; readonly row: Series }>;
}

/** One table, report or output of the usage of several services. Throws a usage error. */
export async function showTogether(
  context: Needs<'io' | 'globals' | 'time' | 'line' | 'program' | 'batch'>,
  options: MetricsOptions,
  items: readonly BatchItem[],
): Promise<BatchView<Shown | undefined>> {
  checkOptions(context, options);
  if (options.output !== undefined) checkPictures(context, options.output, items);
  const file =
    options.report === undefined ? undefined : await claimOutput(context, options.report);
  const range = rangeOf(options, context.batch?.since ?? context.time.clock.now());
  const report = file && createReport(range);
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
    add({ index, id }, shown, error) {
      const usage = shown?.usage;
      const ranked = usage && sortedBy(options, usage);
      const rank =
        (ranked && options.sort && statisticsOf(ranked.values)?.[options.sort.figure]) ??
        -Number.MAX_VALUE;
      const [alert, problem] =
        error?.code === 'alert' ? [error.message] : [undefined, error?.message];
      report?.add({ index, id, usage, rank, problem, alert });
      if (usage === undefined || options.csv) return;
      if (options.summary) summaries[index] = usageSummary(usage);
      else if (file === undefined) rows.push({ index, id, rank, cells: cellsOf(options, usage) });
    },
    async end() {
      if (report !== undefined) await file?.write(report.toHtml(items.length));
    },
    show(screen) {
      if (options.summary) showSummary(screen, summaries.filter(Boolean));
      else if (file !== undefined) screen.success(`Written to ${file.path}`);
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
    .map((id) => pictureOf(output, id))
    .filter((path) => existsSync(resolve(program.cwd(), path)));
  if (taken.length === 0 || globals.yes) return;
  throw usageError(`Nothing was sent. These files exist already: ${listed(taken)}.`, {
    say: 'Choose another name, or replace the files with -y.',
    run: againWith({ io, line }, ['-y']),
  });
}

function sortedBy({ sort }: MetricsOptions, usage: Usage) {
  return sort && oneSeriesNamed(sort.series, usage);
}

/**
 * The rows of a service in the tables of `--series`, of that of `--sort`, or else of the first one.
 */
function cellsOf(options: MetricsOptions, usage: Usage): Row['cells'] {
  const usual = options.sort === undefined ? usage.series[0] : sortedBy(options, usage);
  return (options.series === undefined ? [usual] : usage.series).flatMap((series) => {
    const statistics = series && statisticsOf(series.values);
    if (series === undefined || statistics === undefined) return [];
    const { last, avg, p95, max } = statistics;
    const points = slotsOf(series, SPARK_SLOTS, usage.asked);
    return [
      {
        series: series.name,
        row: { name: usage.service, unit: series.unit, points, last, avg, p95, max },
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
  for (const { name, times, values } of series) {
    for (const [at, time] of times.entries()) {
      const value = values[at] ?? Number.NaN;
      if (!Number.isNaN(value)) yield [service, toIso(time), name, value];
    }
  }
}

interface Reported {
  readonly index: number;
  readonly id: string;
  readonly usage: Usage | undefined;
  /** The conditions of `--fail-if` that hold. */
  readonly alert: string | undefined;
  /** Why it could not be read or checked. */
  readonly problem: string | undefined;
  /** Those with the highest come first. */
  readonly rank: number;
}

/** A service of the page without its usage, which may be a million points. */
type Card = Omit<Reported, 'usage'> & { readonly html: string };

/** Services with pictures; the others have their figures as text. */
const MAX_DRAWN = 500;

const MAX_SERIES = 12;

const STYLE = `
:root { color-scheme: light dark; --page: #f5f6f8; --text: #1f2430; --quiet: #586174; --edge: #dfe3e9; --line: #2f6fed; --bad: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1016; --text: #e6e9ef; --quiet: #a0a9b8; --edge: #2a313d; --line: #6ea0ff; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1, h2 { font-size: 1.2rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; } header p, figcaption span { color: var(--quiet); }
section { border: 1px solid var(--edge); padding: 1rem; margin: 1rem 0; }
section.alarm { border-left: .3rem solid var(--bad); } .alarm p, strong.alarm { color: var(--bad); overflow-wrap: anywhere; }
.pictures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
figure { margin: .5rem 0 0; min-width: 0; } figcaption { font-size: .875rem; overflow-wrap: anywhere; } figcaption span { display: block; }
figure svg { display: block; width: 100%; height: auto; }
figure path { fill: none; stroke: var(--line); stroke-width: 1.6; stroke-linecap: round; }`;

/** A page without scripts, in the reader's light or dark colours. */
export function createReport(range: MetricsRange) {
  const cards: Card[] = [];
  return {
    add(service: Reported): void {
      const { index, id, alert, problem, rank } = service;
      cards.push({
        index,
        id,
        alert,
        problem,
        rank,
        html: cardOf(service, cards.length < MAX_DRAWN),
      });
    },
    /** @param total how many services there are, if not all of them were added */
    toHtml: (total = cards.length) => pageOf(range, cards.sort(byUrgency), total),
  };
}

function byUrgency(one: Card, other: Card): number {
  const urgency = ({ alert, problem }: Card) =>
    (alert === undefined ? 2 : 0) - (problem === undefined ? 0 : 1);
  return urgency(one) - urgency(other) || other.rank - one.rank || one.index - other.index;
}

function pageOf({ start, end }: MetricsRange, cards: readonly Card[], total: number): string {
  const alarms = cards.filter(({ alert }) => alert !== undefined).length;
  const unread = total - cards.filter(({ problem }) => problem === undefined).length;
  const counts = [
    `${start} to ${end}, times in UTC`,
    alarms > 0 && `<strong class="alarm">alarms: ${formatCount(alarms)}</strong>`,
    unread > 0 && `not read: ${formatCount(unread)}`,
  ];
  const title = `Usage of ${plural(total, 'service')}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}
</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${counts.filter(Boolean).join(' · ')}</p>
</header>
<main>
${cards.map(({ html }) => html).join('\n')}
</main>
</body>
</html>
`;
}

function cardOf({ id, usage, alert, problem }: Reported, isDrawn: boolean): string {
  const series = usage?.series.slice(0, MAX_SERIES) ?? [];
  const pictures = series.map(
    (one) => `<figure>${captionOf(one)}${isDrawn ? sketchOf(one, usage) : ''}</figure>`,
  );
  const says = alert ?? problem;
  return `<section${alert === undefined ? '' : ' class="alarm"'}>
<h2>${xml(usage === undefined ? id : serviceIn(usage.beside, id))}</h2>
${says === undefined ? '' : `<p>${xml(says)}</p>\n`}${pictures.length === 0 ? '' : `<div class="pictures">${pictures.join('')}</div>\n`}</section>`;
}

function captionOf({ name, values, unit }: MetricSeries): string {
  const statistics = statisticsOf(values);
  const said = statistics === undefined ? 'no values' : figuresText(statistics, unit);
  return `<figcaption>${xml(name)}<span>${xml(said)}</span></figcaption>`;
}

const PICTURE = { left: 0, right: 320, top: 4, bottom: 76 } as const;

/** A small picture of one series, without a scale; empty without values. */
function sketchOf(series: MetricSeries, usage: Usage | undefined): string {
  const { min, max } = statisticsOf(series.values) ?? {};
  if (usage === undefined || min === undefined || max === undefined) return '';
  const { start, end } = usage.range;
  const low = Math.min(0, min);
  const frame = frameOf(
    PICTURE,
    Date.parse(start),
    Date.parse(end),
    low,
    max === low ? low + 1 : max,
  );
  const { line } = linePaths(series, frame, PICTURE.right / 2);
  const label = xml(`${series.name} from ${start} to ${end}`);
  return `<svg viewBox="0 0 ${PICTURE.right} 80" role="img" aria-label="${label}"><path d="${line}"/></svg>`;
}
