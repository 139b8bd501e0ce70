import { formatValue } from '../numbers.ts';
import type { Chart, ChartOptions } from '../screen.ts';
import type { View } from '../terminal.ts';

/** A plot with fewer rows shows nothing, and one with more is no clearer. */
const MIN_ROWS = 3;
const MAX_ROWS = 12;

/** The rows of a plot where nothing limits them: of up to three charts, and of more. */
const ROWS_OF_FEW = 9;
const ROWS_OF_MANY = 4;
const FEW = 3;

/** A terminal shows this many of many charts: those that answer the first questions. */
const MOST = 4;

/** Headings, the span of the points and the prompt need these. */
const ROWS_AROUND = 5;
const AXIS_ROWS = 2;

/** The charts that are shown, and how high and how far apart their plots are. */
interface Page {
  readonly charts: readonly Chart[];
  readonly rows: number;
  readonly gap: 0 | 1;
}

/** Chooses the charts that fit, those around the chosen one, with plots as high as there is room. */
export function choosePage(charts: readonly Chart[], options: ChartOptions, view: View): Page {
  const { all, rows: liveRows } = options;
  if (liveRows !== undefined) return fitCharts(charts, charts.length, liveRows, options);
  const terminalRows = view.tty && view.rows ? view.rows - ROWS_AROUND : undefined;
  if (terminalRows === undefined || all === undefined) return showAll(charts, terminalRows);

  const page = fitCharts(charts, MOST, terminalRows, options);
  return { ...page, rows: Math.min(MAX_ROWS, page.rows) };
}

function showAll(charts: readonly Chart[], room: number | undefined): Page {
  const usual = charts.length <= FEW ? ROWS_OF_FEW : ROWS_OF_MANY;
  const rows = room === undefined ? usual : Math.min(MAX_ROWS, countPlotRows(charts, room, 1));
  return { charts, rows: Math.max(ROWS_OF_MANY, rows), gap: 1 };
}

/**
 * Takes as many charts as have room: the first ones, or the last ones up to the chosen one. A live
 * view has no gaps between them.
 */
function fitCharts(
  charts: readonly Chart[],
  most: number,
  room: number,
  { chosen = 0, rows: liveRows }: ChartOptions,
): Page {
  const gap = liveRows === undefined ? 1 : 0;
  for (let count = Math.min(most, charts.length); ; count -= 1) {
    const first = Math.max(0, chosen - count + 1);
    const shown = charts.slice(first, first + count);
    const restRows = shown.length < charts.length ? 1 : 0;
    const rows = countPlotRows(shown, room - restRows, gap);
    if (count <= 1 || rows >= MIN_ROWS) {
      return { charts: shown, rows: Math.max(MIN_ROWS, rows), gap };
    }
  }
}

/** Counts the rows that each plot may have, below its title. */
function countPlotRows(charts: readonly Chart[], room: number, gap: number): number {
  const plots = charts.filter(hasPlot).length;
  const gaps = charts.filter((_, index) => hasGap(charts, index)).length * gap;
  return Math.floor((room - AXIS_ROWS - charts.length - gaps) / (plots || 1));
}

/** Whether an empty row stands above a chart: lines of text stand together. */
export function hasGap(charts: readonly Chart[], index: number): boolean {
  return index > 0 && charts.slice(index - 1, index + 1).some(hasPlot);
}

/** Says how many series are not shown; a view with keys says where they are. */
export function describeRest(
  charts: readonly Chart[],
  shown: readonly Chart[],
  { all, chosen }: ChartOptions,
  unicode: boolean,
): string | undefined {
  if (shown.length === charts.length) return undefined;
  if (chosen === undefined) return all && `${shown.length} of ${charts.length} series. ${all}`;

  const before = shown[0] ? charts.indexOf(shown[0]) : 0;
  const after = charts.length - before - shown.length;
  const up = unicode ? '▲' : '^';
  const down = unicode ? '▼' : 'v';
  const ways = [before > 0 ? `${up} ${before}` : '', after > 0 ? `${down} ${after}` : ''];
  return `${ways.filter(Boolean).join('  ')} more series`;
}

/** Whether there is anything to see in a plot: values that read differently. */
export function hasPlot(chart: Chart): boolean {
  return describeConstant(chart) === undefined;
}

/** Describes values that all read the same; undefined where a plot shows more. */
export function describeConstant({ figures, unit }: Chart): string | undefined {
  if (figures === undefined) return 'no values';
  const low = formatValue(figures.min, unit);
  if (low !== formatValue(figures.max, unit)) return undefined;
  return figures.min === figures.max ? `always ${low}` : `about ${low}`;
}
