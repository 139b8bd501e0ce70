import { textColumns } from '../capabilities.ts';
import { formatTick, roundInstants } from '../dates.ts';
import { cut, INDENT, type Kit, maxWidth, paintText, widthOf, wrap } from '../layout/text.ts';
import { formatTicks, formatValue, scaleTicks } from '../numbers.ts';
import { safeLine } from '../safe-text.ts';
import { type Chart, type ChartOptions, date, dim, type Figures, type Styled } from '../screen.ts';
import { glyphsOf, mostVarying, pageWith, rasterize, spansOf, type TimeSpan, timeOf } from './plot.ts';

/** Rows of a plot: fewer show nothing, and more are no clearer. */
const [MIN_ROWS, MAX_ROWS] = [4, 12];
/** Rows of a plot where nothing limits them, for up to three charts and for more. */
const [ROWS_OF_FEW, ROWS_OF_MANY] = [9, MIN_ROWS];
const FEW = 3;
/** Rows of a terminal for what stands around the charts: headings, the span of the points, the prompt. */
const ROWS_AROUND = 7;
const AXIS_ROWS = 2;
const TWO_COLUMNS = 120;
const BETWEEN = 2;

/** Intervals of a scale; a low chart has fewer. */
const INTERVALS = 4;
/** The figures of a title, in the order in which a narrow one keeps them. */
const TITLE_FIGURES = [['last', 'min', 'avg', 'p95', 'max'], ['last', 'avg', 'max'], ['last']] as const;

/** Fewer columns than this are described in words. */
const MIN_COLUMNS = 12;
const TIME_LABEL_COLUMNS = 12;

/** `scale` is absent if the chart has no values, or only zeros. */
type ScaledChart = { readonly chart: Chart; readonly scale: Scale | undefined };

interface Scale {
  readonly figures: Figures;
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
}

/** Shared by all charts of a block, so that they line up. */
interface Frame {
  readonly rows: number;
  readonly width: number;
  readonly labelWidth: number;
  readonly columns: number;
  readonly time: TimeSpan;
}

/**
 * Draws charts over one time axis, or describes them if drawings are unwanted or do not fit. With `all`, a terminal too low
 * for them shows those that vary most.
 */
export function drawCharts(given: readonly Chart[], options: ChartOptions, kit: Kit): string[] {
  const { view } = kit;
  const side = view.columns >= TWO_COLUMNS && given.length > 1 ? 2 : 1;
  const free = view.tty && view.rows ? view.rows - ROWS_AROUND : undefined;
  const room = options.rows ?? free;
  const width = Math.floor((view.columns - (side - 1) * BETWEEN) / side);
  const charts = view.accessible || room === undefined ? given : chosenOf(given, options, side, room);
  const few = charts.length <= FEW ? ROWS_OF_FEW : ROWS_OF_MANY;
  const fitting = room === undefined ? few : Math.max(MIN_ROWS, heightFor(charts, side, room));
  const rows = options.rows === undefined ? Math.min(MAX_ROWS, fitting) : fitting;
  const scaled = charts.map((chart): ScaledChart => ({ chart, scale: scaleOf(chart, rows) }));
  const labelWidth = maxWidth(scaled.flatMap(({ scale }) => scale?.labels ?? []));
  const frame = { rows, width, labelWidth, columns: width - INDENT.length - labelWidth - 2, time: timeOf(charts) };
  if (view.accessible || frame.columns < MIN_COLUMNS) {
    return scaled.flatMap((one, index) => [
      ...(index === 0 ? [] : ['']),
      ...describe(one, view.tty ? width : textColumns(view), kit),
    ]);
  }
  const omitted = dim(`${charts.length} of ${given.length} series, those that vary most. ${options.all}`);
  const isWhole = charts.length === given.length || options.all === undefined;
  const below = isWhole ? [] : wrap(paintText(omitted, kit), textColumns(view));
  return [...arrange(scaled, side, frame, kit), ...below];
}

/** Returns the charts that have room: a page of them, or those that vary most. */
function chosenOf(
  given: readonly Chart[],
  { all, chosen }: ChartOptions,
  side: number,
  room: number,
): readonly Chart[] {
  if (chosen !== undefined) {
    return pageWith(chosen, given, side * Math.max(1, Math.floor((room - AXIS_ROWS + 1) / (MIN_ROWS + 2))));
  }
  return all !== undefined && heightFor(given, side, room) < MIN_ROWS ? mostVarying(given) : given;
}

/** Returns the rows that each plot may have: below each title and above an empty row. */
function heightFor(charts: readonly Chart[], side: number, room: number): number {
  const lines = Math.ceil(charts.length / side);
  const plots = Array.from({ length: lines }, (_, line) => charts.slice(line * side, (line + 1) * side).some(hasPlot));
  return Math.floor((room - AXIS_ROWS - 2 * lines + 1) / (plots.filter(Boolean).length || 1));
}

function hasPlot({ figures }: Chart): boolean {
  return figures !== undefined && (figures.min !== 0 || figures.max !== 0);
}

/** Draws the charts row by row, `side` of them beside each other, with a time axis below the last of each column. */
function arrange(charts: readonly ScaledChart[], side: number, frame: Frame, kit: Kit): string[] {
  const lines: string[] = [];
  const hasAxis = charts.some(({ scale }) => scale !== undefined);
  for (let start = 0; start < charts.length; start += side) {
    const beside = charts.slice(start, start + side);
    const rows = beside.reduce((most, { scale }) => Math.max(most, rowsOf(frame, scale)), 0);
    const blocks = beside.map(({ chart, scale }, column) => [
      drawTitle({ chart, scale }, frame, kit),
      ...(scale === undefined ? [] : drawPlot(chart, scale, frame, rows, kit)),
      ...(hasAxis && start + column + side >= charts.length ? drawTimeAxis(frame, kit) : []),
    ]);
    lines.push(...(start === 0 ? [] : ['']), ...besideEachOther(blocks, frame.width + BETWEEN));
  }
  return lines;
}

function besideEachOther([left = [], right]: readonly (readonly string[])[], width: number): readonly string[] {
  if (right === undefined) return left;
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [line = '', other = ''] = [left[index], right[index]];
    return other === '' ? line : line + ' '.repeat(Math.max(BETWEEN, width - widthOf(line))) + other;
  });
}

function scaleOf(chart: Chart, rows: number): Scale | undefined {
  const { figures, unit } = chart;
  if (figures === undefined || !hasPlot(chart)) return undefined;
  const { min, max } = figures;
  const ticks = ticksFor(rows, scaleTicks(min, max, INTERVALS, unit));
  return { figures, ticks, labels: formatTicks(ticks, unit).map(safeLine) };
}

/** Returns all ticks, every other one, or the first and the last: the most that leave no more than a fifth of the rows empty. */
function ticksFor(rows: number, all: readonly number[]): readonly number[] {
  const other = all.length % 2 === 1 ? all.filter((_, index) => index % 2 === 0) : all;
  const fills = (ticks: readonly number[]) => rowsBetween(rows, ticks) * (ticks.length - 1) + 1 >= rows * 0.8;
  return (
    [all, other].find((ticks) => rowsBetween(rows, ticks) > 0 && fills(ticks)) ?? [...all.slice(0, 1), ...all.slice(-1)]
  );
}

/** The same number of rows between any two ticks keeps the scale even. */
function rowsBetween(rows: number, ticks: readonly number[]): number {
  return Math.floor((rows - 1) / (ticks.length - 1));
}

function describe({ chart, scale }: ScaledChart, width: number, kit: Kit): string[] {
  const name: Styled = { text: chart.name, tone: 'strong' };
  const always = alwaysOf(chart);
  const words =
    scale === undefined || always !== undefined
      ? [name, `  ${always ?? 'no values'}`]
      : [name, ...describeFigures(chart, scale.figures)];
  return wrap(paintText(words, kit), width - INDENT.length).map((line) => INDENT + line);
}

/** Returns what is said of values that never change in place of their figures. */
function alwaysOf({ figures, unit }: Chart): string | undefined {
  return figures === undefined || figures.min !== figures.max ? undefined : `always ${formatValue(figures.max, unit)}`;
}

function describeFigures({ unit, points }: Chart, { min, avg, p95, max, last }: Figures): (string | Styled)[] {
  const measured = points.filter(({ value }) => value !== undefined);
  const [low, mean, most, high, end] = [min, avg, p95, max, last].map((value) => formatValue(value, unit));
  const figures = `: lowest ${low}, average ${mean}, 95% up to ${most}, highest ${high}, last ${end}.`;
  return [' from ', date(measured[0]?.time), ' to ', date(measured.at(-1)?.time), figures];
}

/** Draws the name and as many figures as fit beside it. */
function drawTitle({ chart, scale }: ScaledChart, { width }: Frame, kit: Kit): string {
  const room = width - INDENT.length;
  const name = paintText(chart.title ?? { text: chart.name, tone: 'strong' }, kit);
  const always = alwaysOf(chart);
  if (scale === undefined || always !== undefined) {
    return INDENT + cut(`${name}  ${paintText(always ?? 'no values', kit)}`, room, kit);
  }
  const titles = TITLE_FIGURES.map((figures) => {
    const beside = figures.map((figure) => [dim(`  ${figure} `), formatValue(scale.figures[figure], chart.unit)]);
    return name + paintText(beside.flat(), kit);
  });
  return INDENT + (titles.find((title) => widthOf(title) <= room) ?? cut(name, room, kit));
}

function rowsOf({ rows }: Frame, scale: Scale | undefined): number {
  return scale === undefined ? 0 : rowsBetween(rows, scale.ticks) * (scale.ticks.length - 1) + 1;
}

/** Draws a plot with its wall as high as that of its neighbour, so that both stand on one time axis. */
function drawPlot(chart: Chart, scale: Scale, frame: Frame, height: number, { view, paint }: Kit): string[] {
  const { ticks, labels } = scale;
  const { labelWidth, columns, time } = frame;
  const glyphs = glyphsOf(view);
  const stride = rowsBetween(frame.rows, ticks);
  const rows = rowsOf(frame, scale);
  const above = INDENT + paint(' '.repeat(labelWidth) + glyphs.wall, 'dim');
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const spans = spansOf(chart, columns * glyphs.dotsWide, time);
  const plot = rasterize(spans, glyphs, rows, bottom, top).map((line, index) => {
    const label = index % stride === 0 ? labels.at(-1 - index / stride) : undefined;
    const edge = (label ?? '').padStart(labelWidth) + (label === undefined ? glyphs.wall : glyphs.tick);
    const value = top - ((top - bottom) * index) / (rows - 1);
    const tone = chart.tones?.findLast(([from]) => value >= from)?.[1] ?? 'accent';
    return INDENT + paint(edge, 'dim') + paint(line.trimEnd(), tone);
  });
  return [...Array.from({ length: height - rows }, () => above), ...plot];
}

/** Draws the line below the charts, with as many labels of round times as fit. */
function drawTimeAxis({ time: { start, end }, labelWidth, columns }: Frame, { view, paint }: Kit): string[] {
  const { corner, floor, mark } = glyphsOf(view);
  // Off a terminal all times are UTC.
  const timeZone = view.tty ? view.timeZone : 'UTC';
  const { instants, stepMs } = roundInstants(start, end, Math.floor(columns / TIME_LABEL_COLUMNS), timeZone);
  const line = Array.from({ length: columns }, () => floor);
  const columnOf = (at: number) => Math.round(((at - start) / (end - start || 1)) * (columns - 1));
  let labels = '';
  // A span too short for a round time is labelled with its start.
  for (const at of instants.length === 0 ? [start] : instants) {
    const column = columnOf(at);
    const label = formatTick(at, stepMs, timeZone);
    const left = Math.min(columns - label.length, Math.max(0, Math.round(column - label.length / 2)));
    if (labels !== '' && left <= labels.length) continue;
    line[column] = mark;
    labels = labels.padEnd(left) + label;
  }
  const edge = ' '.repeat(labelWidth);
  return [`${edge}${corner}${line.join('')}`, `${edge}  ${labels}`].map((text) => INDENT + paint(text, 'dim'));
}
