import widthOf from 'fast-string-width';
import { formatTick, formatTicks, formatValue, roundInstants, scaleTicks } from '../format.ts';
import {
  cut,
  type DrawContext,
  INDENT,
  maxWidth,
  paintText,
  textColumns,
  wrap,
} from '../layout/text.ts';
import { safeLine } from '../safe-text.ts';
import {
  type Chart,
  type ChartOptions,
  dim,
  FIGURE_SETS,
  type Styled,
  strong,
  type Tone,
} from '../screen.ts';
import type { View } from '../terminal.ts';
import {
  ASCII,
  type Glyphs,
  getTimeSpan,
  rasterize,
  type TimeSpan,
  toSpans,
  UNICODE,
} from './plot.ts';

const INTERVALS = 4;

/** Narrower plots show nothing. */
const MIN_COLUMNS = 12;
const TIME_LABEL_COLUMNS = 12;

/** A chart; one without a scale is a line of text. */
type ScaledChart = Chart & { readonly scale: ReturnType<typeof findScale> };

/** The part of the layout that all charts of a block share, so that they line up. */
interface Frame extends TimeSpan {
  readonly labelWidth: number;
  readonly columns: number;
  readonly glyphs: Glyphs;
}

/** Draws charts over one time axis; undefined where drawings are unwanted or do not fit. */
export function drawCharts(options: ChartOptions, context: DrawContext): string[] | undefined {
  const { view } = context;
  const page = choosePage(options, view);
  const scaled = page.charts.map((chart): ScaledChart => {
    return { ...chart, scale: findScale(chart, page.rows) };
  });
  const labelWidth = maxWidth(scaled.flatMap(({ scale }) => scale?.labels ?? []));
  const columns = view.columns - INDENT.length - labelWidth - 2;
  if (view.accessible || columns < MIN_COLUMNS) return undefined;

  const glyphs = view.unicode ? UNICODE : ASCII;
  const frame = { labelWidth, columns, glyphs, ...getTimeSpan(page.charts) };
  const last = scaled.findLastIndex(({ scale }) => scale);
  const drawn = scaled.flatMap((chart, index) => [
    ...(hasGap(options, scaled, index) ? [''] : []),
    drawTitle(chart, context),
    ...drawPlot(chart, frame, context),
    ...(index === last ? drawTimeAxis(frame, context) : []),
  ]);
  const rest = describeRest(options, page.charts, view.unicode);
  if (rest === undefined) return drawn;
  return [...drawn, ...wrap(paintText(dim(rest), context), textColumns(view))];
}

function findScale(chart: Chart, rows: number) {
  const { figures, unit, startsAtZero = false } = chart;
  if (figures === undefined || !hasPlot(chart)) return undefined;
  const low = startsAtZero ? Math.min(0, figures.min) : figures.min;
  const all = scaleTicks(low, figures.max, INTERVALS, unit);
  const half = all.length % 2 === 1 ? all.filter((_, index) => index % 2 === 0) : all;
  const ends = [...all.slice(0, 1), ...all.slice(-1)];
  const scales = [all, half, ends].map((ticks) => {
    // The same number of rows between any two ticks keeps the scale even.
    const stride = Math.floor((rows - 1) / (ticks.length - 1));
    const labels = formatTicks(ticks, unit).map(safeLine).reverse();
    return { ticks, stride, rows: stride * (ticks.length - 1) + 1, labels };
  });
  // The most ticks that leave no more than a fifth of the rows empty.
  return scales.find((one) => one.stride > 0 && one.rows >= rows * 0.8) ?? scales.at(-1);
}

function drawTitle(chart: Chart, context: DrawContext): string {
  const { figures, unit, isOld } = chart;
  const room = context.view.columns - INDENT.length;
  const name = paintText(chart.title ?? strong(chart.name), context);
  const constant = describeConstant(chart);
  if (figures === undefined || constant !== undefined) {
    const tone = getTone(chart, figures?.max);
    const text: Styled = { text: constant ?? '', tone: tone === 'accent' ? 'plain' : tone };
    return INDENT + cut(`${name}  ${paintText(text, context)}`, room, context);
  }

  const titles = FIGURE_SETS.map((names) => {
    const texts = names.flatMap((figure): Styled[] => [
      dim(`  ${figure} `),
      { text: formatValue(figures[figure], unit), tone: isOld ? 'dim' : 'plain' },
    ]);
    return name + paintText(texts, context);
  });
  return INDENT + (titles.find((title) => widthOf(title) <= room) ?? cut(name, room, context));
}

/** Returns the tone of a value; that of no value is `accent`. */
function getTone({ tones, isOld }: Chart, value = Number.NaN): Tone {
  if (isOld) return 'dim';
  return tones?.findLast(([from]) => value >= from)?.[1] ?? 'accent';
}

function drawPlot(chart: ScaledChart, frame: Frame, { paint }: DrawContext): string[] {
  if (chart.scale === undefined) return [];
  const { ticks, labels, stride, rows } = chart.scale;
  const { labelWidth, columns, glyphs } = frame;
  const { dotsWide, dotsHigh } = glyphs;
  const bottom = ticks[0] ?? 0;
  const top = ticks.at(-1) ?? 1;
  const spans = toSpans(chart, columns * dotsWide, frame);

  return rasterize(spans, glyphs, { rows, bottom, top }).map((line, row) => {
    const highest = top - ((top - bottom) * row * dotsHigh) / (rows * dotsHigh - 1 || 1);
    const findTone = (column: number) => {
      const highs = spans.high.subarray(column * dotsWide, (column + 1) * dotsWide);
      const value = Math.max(...highs.filter((high) => !Number.isNaN(high)));
      return getTone(chart, Math.min(value, highest));
    };
    // Rows between two ticks have no label.
    const label = labels[row / stride];
    const edge = label === undefined ? glyphs.wall : glyphs.tick;
    const scale = (label ?? '').padStart(labelWidth) + edge;
    return INDENT + paint(scale, 'dim') + paintLine(line.trimEnd(), findTone, paint);
  });
}

/** Paints each stretch of one tone at once. */
function paintLine(
  line: string,
  findTone: (column: number) => Tone,
  paint: DrawContext['paint'],
): string {
  const stretches: { text: string; tone: Tone }[] = [];
  for (const [column, character] of [...line].entries()) {
    const last = stretches.at(-1);
    const tone = character === ' ' && last !== undefined ? last.tone : findTone(column);
    if (last?.tone === tone) last.text += character;
    else stretches.push({ text: character, tone });
  }
  return stretches.map(({ text, tone }) => paint(text, tone)).join('');
}

/** Draws the line below the charts, with as many round times as fit. */
function drawTimeAxis(frame: Frame, { view, paint }: DrawContext): string[] {
  const { labelWidth, columns, glyphs, start, end } = frame;
  // Off a terminal all times are UTC.
  const timeZone = view.tty ? view.timeZone : 'UTC';
  const most = Math.floor(columns / TIME_LABEL_COLUMNS);
  const { instants, stepMs } = roundInstants(start, end, most, timeZone);
  const line = Array.from({ length: columns }, () => glyphs.floor);
  let labels = '';
  // A span too short for a round time is labelled with its start.
  for (const at of instants.length === 0 ? [start] : instants) {
    const column = Math.round(((at - start) / (end - start || 1)) * (columns - 1));
    const label = formatTick(at, stepMs, timeZone);
    const centred = Math.max(0, Math.round(column - label.length / 2));
    const left = Math.min(columns - label.length, centred);
    if (labels !== '' && left <= labels.length) continue;
    line[column] = glyphs.mark;
    labels = labels.padEnd(left) + label;
  }

  const edge = ' '.repeat(labelWidth);
  const axis = [`${edge}${glyphs.corner}${line.join('')}`, `${edge}  ${labels}`];
  return axis.map((text) => INDENT + paint(text, 'dim'));
}

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

/** The charts that are shown, and how high their plots are. */
interface Page {
  readonly charts: readonly Chart[];
  readonly rows: number;
}

/** Chooses the charts that fit, those around the chosen one, with plots as high as there is room. */
function choosePage(options: ChartOptions, view: View): Page {
  const { charts, all, rows: liveRows } = options;
  if (liveRows !== undefined) return fitCharts(options, charts.length, liveRows);

  const room = view.tty && view.rows ? view.rows - ROWS_AROUND : undefined;
  if (room !== undefined && all !== undefined) {
    const page = fitCharts(options, MOST, room);
    return { ...page, rows: Math.min(MAX_ROWS, page.rows) };
  }
  const usual = charts.length <= FEW ? ROWS_OF_FEW : ROWS_OF_MANY;
  const rows =
    room === undefined ? usual : Math.min(MAX_ROWS, countPlotRows(options, charts, room));
  return { charts, rows: Math.max(ROWS_OF_MANY, rows) };
}

/** Takes as many charts as have room: the first ones, or the last ones up to the chosen one. */
function fitCharts(options: ChartOptions, most: number, room: number): Page {
  const { charts: all, chosen = 0 } = options;
  for (let count = Math.min(most, all.length); ; count -= 1) {
    const first = Math.max(0, chosen - count + 1);
    const charts = all.slice(first, first + count);
    const restRows = charts.length < all.length ? 1 : 0;
    const rows = countPlotRows(options, charts, room - restRows);
    if (count <= 1 || rows >= MIN_ROWS) return { charts, rows: Math.max(MIN_ROWS, rows) };
  }
}

/** Counts the rows that each plot may have, below its title. */
function countPlotRows(options: ChartOptions, charts: readonly Chart[], room: number): number {
  const plots = charts.filter(hasPlot).length;
  const gaps = charts.filter((_, index) => hasGap(options, charts, index)).length;
  return Math.floor((room - AXIS_ROWS - charts.length - gaps) / (plots || 1));
}

/**
 * Whether an empty row stands above a chart: lines of text stand together, and a live view has no
 * room for gaps.
 */
function hasGap({ rows }: ChartOptions, charts: readonly Chart[], index: number): boolean {
  return rows === undefined && index > 0 && charts.slice(index - 1, index + 1).some(hasPlot);
}

/** Says how many series are not shown; a view with keys says where they are. */
function describeRest(
  { charts, all, chosen }: ChartOptions,
  shown: readonly Chart[],
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
function hasPlot(chart: Chart): boolean {
  return describeConstant(chart) === undefined;
}

/** Describes values that all read the same; undefined where a plot shows more. */
function describeConstant({ figures, unit }: Chart): string | undefined {
  if (figures === undefined) return 'no values';
  const low = formatValue(figures.min, unit);
  if (low !== formatValue(figures.max, unit)) return undefined;
  return figures.min === figures.max ? `always ${low}` : `about ${low}`;
}
