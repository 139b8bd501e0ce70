import { formatValue } from '../numbers.ts';
import type { Chart, ChartOptions } from '../screen.ts';
import type { View } from '../terminal.ts';

/** A plot with fewer rows shows nothing, and one with more is no clearer. */
const MIN_ROWS = 3;
const MAX_ROWS = 12;
/** A plot has this many rows where nothing limits them, one of many fewer. */
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
export function choosePage(given: readonly Chart[], options: ChartOptions, view: View): Page {
  const { all, chosen = 0, rows: givenRows } = options;
  const terminalRows = view.tty && view.rows ? view.rows - ROWS_AROUND : undefined;
  const room = givenRows ?? terminalRows;
  const mayOmit = givenRows !== undefined || (all !== undefined && room !== undefined);
  if (view.accessible || room === undefined || !mayOmit) {
    const usual = given.length <= FEW ? ROWS_OF_FEW : ROWS_OF_MANY;
    const rows = room === undefined ? usual : Math.min(MAX_ROWS, getPlotRows(given, room, 1));
    return { charts: given, rows: Math.max(ROWS_OF_MANY, rows), gap: 1 };
  }

  const most = all === undefined ? given.length : Math.min(MOST, given.length);
  const getPage = (count: number, gap: 0 | 1): Page => {
    const charts = takeAround(given, chosen, count);
    const restRows = charts.length < given.length ? 1 : 0;
    return { charts, rows: getPlotRows(charts, room - restRows, gap), gap };
  };
  const getLargestPage = (gap: 0 | 1): Page => {
    let count = most;
    while (count > 1 && getPage(count, gap).rows < MIN_ROWS) count -= 1;
    return getPage(count, gap);
  };

  const spaced = getLargestPage(1);
  const isEnough = spaced.charts.length >= Math.min(MOST, given.length);
  const page = isEnough ? spaced : getLargestPage(0);
  const rows = Math.max(MIN_ROWS, page.rows);
  return { ...page, rows: givenRows === undefined ? Math.min(MAX_ROWS, rows) : rows };
}

/** Takes `count` charts: the first ones, or the last ones up to the chosen one. */
function takeAround(given: readonly Chart[], chosen: number, count: number): readonly Chart[] {
  const first = Math.max(0, chosen - count + 1);
  return given.slice(first, first + count);
}

/** The rows that each plot may have, below its title. */
function getPlotRows(charts: readonly Chart[], room: number, gap: number): number {
  const plots = charts.filter(hasPlot).length;
  const gaps = charts.filter((_, index) => hasGap(charts, index)).length * gap;
  return Math.floor((room - AXIS_ROWS - charts.length - gaps) / (plots || 1));
}

/** Whether an empty row stands above a chart: lines of text stand together. */
export function hasGap(charts: readonly Chart[], index: number): boolean {
  const chart = charts[index];
  const above = charts[index - 1];
  return chart !== undefined && above !== undefined && (hasPlot(chart) || hasPlot(above));
}

/** Says how many series are not shown; a view with keys says where they are. */
export function describeRest(
  given: readonly Chart[],
  charts: readonly Chart[],
  { all, chosen }: ChartOptions,
  unicode: boolean,
): string | undefined {
  if (charts.length === given.length) return undefined;
  if (chosen === undefined) {
    return all && `${charts.length} of ${given.length} series. ${all}`;
  }
  const before = given.indexOf(charts[0] as Chart);
  const after = given.length - before - charts.length;
  const up = unicode ? '▲' : '^';
  const down = unicode ? '▼' : 'v';
  const ways = [before > 0 ? `${up} ${before}` : '', after > 0 ? `${down} ${after}` : ''];
  return `${ways.filter(Boolean).join('  ')} more series`;
}

/** Whether there is anything to see in a plot: values that read differently. */
export function hasPlot(chart: Chart): boolean {
  return chart.figures !== undefined && describeConstant(chart) === undefined;
}

/** Describes values that all read the same; undefined where a plot shows more. */
export function describeConstant({ figures, unit }: Chart): string | undefined {
  if (figures === undefined) return 'no values';
  const low = formatValue(figures.min, unit);
  if (low !== formatValue(figures.max, unit)) return undefined;
  return `${figures.min === figures.max ? 'always' : 'about'} ${low}`;
}
