import widthOf from 'fast-string-width';
import { formatTick, roundInstants } from '../dates.ts';
import { cut, INDENT, type Kit, maxWidth, paintText, textColumns, wrap } from '../layout/text.ts';
import { formatTicks, formatValue, scaleTicks } from '../numbers.ts';
import { safeLine } from '../safe-text.ts';
import { type Chart, type ChartOptions, date, dim, type Styled, strong } from '../screen.ts';
import { glyphsOf, rasterize, spansOf, type TimeSpan, timeOf } from './plot.ts';

/** Of a plot: fewer show nothing, and more are no clearer. */
const [MIN_ROWS, MAX_ROWS] = [4, 12];
/** Of a plot where nothing limits them. */
const [ROWS_OF_FEW, ROWS_OF_MANY] = [9, MIN_ROWS];
const FEW = 3;
/** For headings, the span of the points, the prompt. */
const ROWS_AROUND = 7;
const AXIS_ROWS = 2;
const TWO_COLUMNS = 120;
const BETWEEN = 2;

const INTERVALS = 4;
/** A narrow title has fewer. */
const TITLE_FIGURES = [
  ['last', 'min', 'avg', 'p95', 'max'],
  ['last', 'avg', 'max'],
  ['last'],
] as const;

/** Narrower charts are described in words. */
const MIN_COLUMNS = 12;
const TIME_LABEL_COLUMNS = 12;

/** `scale` is absent if the chart has no values, or only zeros. */
type ScaledChart = Chart & { readonly scale: Scale | undefined };

interface Scale {
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
  /** The same number of rows between any two ticks keeps the scale even. */
  readonly stride: number;
  readonly rows: number;
}

/** Shared by all charts of a block, so that they line up. */
interface Frame {
  readonly width: number;
  readonly labelWidth: number;
  readonly columns: number;
  readonly time: TimeSpan;
}

/**
 * Draws charts over one time axis, or describes them in words where drawings are unwanted or do not
 * fit.
 */
export function drawCharts(given: readonly Chart[], options: ChartOptions, kit: Kit): string[] {
  const { view } = kit;
  const side = view.columns >= TWO_COLUMNS && given.length > 1 ? 2 : 1;
  const room = options.rows ?? (view.tty && view.rows ? view.rows - ROWS_AROUND : undefined);
  const charts =
    view.accessible || room === undefined ? given : chosenOf(given, options, side, room);
  const few = charts.length <= FEW ? ROWS_OF_FEW : ROWS_OF_MANY;
  const fitting = room === undefined ? few : Math.max(MIN_ROWS, heightFor(charts, side, room));
  const rows = options.rows === undefined ? Math.min(MAX_ROWS, fitting) : fitting;
  const scaled = charts.map((chart): ScaledChart => ({ ...chart, scale: scaleOf(chart, rows) }));
  const width = Math.floor((view.columns - (side - 1) * BETWEEN) / side);
  const labelWidth = maxWidth(scaled.flatMap(({ scale }) => scale?.labels ?? []));
  const columns = width - INDENT.length - labelWidth - 2;
  if (view.accessible || columns < MIN_COLUMNS) {
    const described = scaled.map((chart) =>
      describe(chart, view.tty ? width : textColumns(view), kit),
    );
    return described.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
  }
  const drawn = arrange(scaled, side, { width, labelWidth, columns, time: timeOf(charts) }, kit);
  if (charts.length === given.length || options.all === undefined) return drawn;
  const omitted = dim(
    `${charts.length} of ${given.length} series, those that vary most. ${options.all}`,
  );
  return [...drawn, ...wrap(paintText(omitted, kit), textColumns(view))];
}

/**
 * Returns the page with the chosen chart, the last page as full as the others, or the charts that
 * vary most.
 */
function chosenOf(
  given: readonly Chart[],
  { all, chosen }: ChartOptions,
  side: number,
  room: number,
) {
  if (chosen !== undefined) {
    const count = side * Math.max(1, Math.floor((room - AXIS_ROWS + 1) / (MIN_ROWS + 2)));
    const first = Math.min(Math.floor(chosen / count) * count, Math.max(0, given.length - count));
    return given.slice(first, first + count);
  }
  if (all === undefined || heightFor(given, side, room) >= MIN_ROWS) return given;
  const most = [...given].sort((one, other) => variationOf(other) - variationOf(one)).slice(0, FEW);
  return given.filter((chart) => most.includes(chart));
}

/** The standard deviation in relation to the average. */
function variationOf({ points, figures }: Chart): number {
  const values = points.flatMap(({ value }) => value ?? []);
  const avg = figures?.avg ?? 0;
  const square = values.reduce((sum, value) => sum + (value - avg) ** 2, 0) / (values.length || 1);
  return Math.sqrt(square) / Math.abs(avg || 1);
}

/** The rows that each plot may have, below its title and above an empty row. */
function heightFor(charts: readonly Chart[], side: number, room: number): number {
  const lines = Math.ceil(charts.length / side);
  const plots = Array.from({ length: lines }, (_, line) =>
    charts.slice(line * side, (line + 1) * side).some(hasPlot),
  );
  return Math.floor((room - AXIS_ROWS - 2 * lines + 1) / (plots.filter(Boolean).length || 1));
}

function hasPlot({ figures }: Chart): boolean {
  return figures !== undefined && (figures.min !== 0 || figures.max !== 0);
}

/** Draws `side` charts beside each other, and a time axis below the last of each column. */
function arrange(charts: readonly ScaledChart[], side: number, frame: Frame, kit: Kit): string[] {
  const lines: string[] = [];
  const axis = charts.some(({ scale }) => scale !== undefined) ? drawTimeAxis(frame, kit) : [];
  for (let start = 0; start < charts.length; start += side) {
    const beside = charts.slice(start, start + side);
    const height = Math.max(...beside.map(({ scale }) => scale?.rows ?? 0));
    const blocks = beside.map((chart, column) => [
      drawTitle(chart, frame.width, kit),
      ...drawPlot(chart, frame, height, kit),
      ...(start + column + side >= charts.length ? axis : []),
    ]);
    lines.push(...(start === 0 ? [] : ['']), ...besideEachOther(blocks, frame.width + BETWEEN));
  }
  return lines;
}

function besideEachOther(
  [left = [], right]: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  if (right === undefined) return left;
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [line = '', other = ''] = [left[index], right[index]];
    return other === ''
      ? line
      : line + ' '.repeat(Math.max(BETWEEN, width - widthOf(line))) + other;
  });
}

function scaleOf(chart: Chart, rows: number): Scale | undefined {
  const { figures, unit } = chart;
  if (figures === undefined || !hasPlot(chart)) return undefined;
  const all = scaleTicks(figures.min, figures.max, INTERVALS, unit);
  const other = all.length % 2 === 1 ? all.filter((_, index) => index % 2 === 0) : all;
  const scales = [all, other, [...all.slice(0, 1), ...all.slice(-1)]].map((ticks) => {
    const stride = Math.floor((rows - 1) / (ticks.length - 1));
    return { ticks, stride, rows: stride * (ticks.length - 1) + 1 };
  });
  // The most ticks that leave no more than a fifth of the rows empty.
  const scale = scales.find((one) => one.stride > 0 && one.rows >= rows * 0.8) ?? scales.at(-1);
  return scale && { ...scale, labels: formatTicks(scale.ticks, unit).map(safeLine) };
}

function withoutFigures({ figures, unit }: Chart): string | undefined {
  if (figures === undefined) return 'no values';
  return figures.min === figures.max ? `always ${formatValue(figures.max, unit)}` : undefined;
}

function describe(chart: Chart, width: number, kit: Kit): string[] {
  const { name, unit, points, figures } = chart;
  const words: (string | Styled)[] = [strong(name)];
  const said = withoutFigures(chart);
  if (figures === undefined || said !== undefined) words.push(`  ${said}`);
  else {
    const measured = points.filter(({ value }) => value !== undefined);
    const { min, avg, p95, max, last } = figures;
    const [low, mean, most, high, end] = [min, avg, p95, max, last].map((value) =>
      formatValue(value, unit),
    );
    words.push(' from ', date(measured[0]?.time), ' to ', date(measured.at(-1)?.time));
    words.push(
      `: lowest ${low}, average ${mean}, 95% up to ${most}, highest ${high}, last ${end}.`,
    );
  }
  return wrap(paintText(words, kit), width - INDENT.length).map((line) => INDENT + line);
}

function drawTitle(chart: Chart, width: number, kit: Kit): string {
  const { figures, unit } = chart;
  const room = width - INDENT.length;
  const name = paintText(chart.title ?? strong(chart.name), kit);
  const said = withoutFigures(chart);
  if (figures === undefined || said !== undefined)
    return INDENT + cut(`${name}  ${paintText(said ?? '', kit)}`, room, kit);
  const titles = TITLE_FIGURES.map((shown) => {
    const beside = shown.flatMap((figure) => [
      dim(`  ${figure} `),
      formatValue(figures[figure], unit),
    ]);
    return name + paintText(beside, kit);
  });
  return INDENT + (titles.find((title) => widthOf(title) <= room) ?? cut(name, room, kit));
}

/** Draws a plot as high as its neighbour, so that both stand on one time axis. */
function drawPlot(
  chart: ScaledChart,
  frame: Frame,
  height: number,
  { view, paint }: Kit,
): string[] {
  if (chart.scale === undefined) return [];
  const { ticks, labels, stride, rows } = chart.scale;
  const { labelWidth, columns, time } = frame;
  const glyphs = glyphsOf(view);
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const spans = spansOf(chart, columns * glyphs.dotsWide, time);
  const above = Array.from({ length: height - rows }, () => ({
    line: '',
    label: undefined,
    tone: 'dim' as const,
  }));
  const plot = rasterize(spans, glyphs, rows, bottom, top).map((line, index) => {
    const value = top - ((top - bottom) * index) / (rows - 1);
    const tone = chart.tones?.findLast(([from]) => value >= from)?.[1] ?? 'accent';
    return { line, label: index % stride === 0 ? labels.at(-1 - index / stride) : undefined, tone };
  });
  return [...above, ...plot].map(({ line, label, tone }) => {
    const edge =
      (label ?? '').padStart(labelWidth) + (label === undefined ? glyphs.wall : glyphs.tick);
    return INDENT + paint(edge, 'dim') + paint(line.trimEnd(), tone);
  });
}

/** Draws the line below the charts, with as many round times as fit. */
function drawTimeAxis(
  { time: { start, end }, labelWidth, columns }: Frame,
  { view, paint }: Kit,
): string[] {
  const { corner, floor, mark } = glyphsOf(view);
  // Off a terminal all times are UTC.
  const timeZone = view.tty ? view.timeZone : 'UTC';
  const { instants, stepMs } = roundInstants(
    start,
    end,
    Math.floor(columns / TIME_LABEL_COLUMNS),
    timeZone,
  );
  const line = Array.from({ length: columns }, () => floor);
  const columnOf = (at: number) => Math.round(((at - start) / (end - start || 1)) * (columns - 1));
  let labels = '';
  // A span too short for a round time is labelled with its start.
  for (const at of instants.length === 0 ? [start] : instants) {
    const column = columnOf(at);
    const label = formatTick(at, stepMs, timeZone);
    const left = Math.min(
      columns - label.length,
      Math.max(0, Math.round(column - label.length / 2)),
    );
    if (labels !== '' && left <= labels.length) continue;
    line[column] = mark;
    labels = labels.padEnd(left) + label;
  }
  const edge = ' '.repeat(labelWidth);
  return [`${edge}${corner}${line.join('')}`, `${edge}  ${labels}`].map(
    (text) => INDENT + paint(text, 'dim'),
  );
}
