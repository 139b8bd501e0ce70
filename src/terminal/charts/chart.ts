import widthOf from 'fast-string-width';
import { formatTick, roundInstants } from '../dates.ts';
import {
  cut,
  type DrawContext,
  INDENT,
  maxWidth,
  paintText,
  textColumns,
  wrap,
} from '../layout/text.ts';
import { formatTicks, formatValue, scaleTicks } from '../numbers.ts';
import { safeLine } from '../safe-text.ts';
import {
  type Chart,
  type ChartOptions,
  date,
  dim,
  FIGURE_SETS,
  type Styled,
  strong,
  type Tone,
} from '../screen.ts';
import { choosePage, describeConstant, describeRest, hasGap, hasPlot } from './page.ts';
import { getGlyphs, getTimeSpan, rasterize, type TimeSpan, toSpans } from './plot.ts';

const INTERVALS = 4;
/** Narrower charts are described in words. */
const MIN_COLUMNS = 12;
const TIME_LABEL_COLUMNS = 12;

/** `scale` is absent if the chart is a line of text. */
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
export function drawCharts(
  given: readonly Chart[],
  options: ChartOptions,
  context: DrawContext,
): string[] {
  const { view } = context;
  const width = view.columns;
  const { charts, rows, gap } = choosePage(given, options, view);
  const scaled = charts.map((chart): ScaledChart => ({ ...chart, scale: scaleOf(chart, rows) }));
  const labelWidth = maxWidth(scaled.flatMap(({ scale }) => scale?.labels ?? []));
  const columns = width - INDENT.length - labelWidth - 2;
  if (view.accessible || columns < MIN_COLUMNS) {
    const room = (view.tty ? width : textColumns(view)) - INDENT.length;
    return given.flatMap((chart, index) => {
      const text = paintText(describe(chart, given[index - 1]), context);
      const lines = wrap(text, room).map((line) => INDENT + line);
      return index === 0 ? lines : ['', ...lines];
    });
  }

  const frame = { width, labelWidth, columns, time: getTimeSpan(charts) };
  const drawn = drawColumn(scaled, gap, frame, context);
  const rest = describeRest(given, charts, options, view.unicode);
  return rest === undefined
    ? drawn
    : [...drawn, ...wrap(paintText(dim(rest), context), textColumns(view))];
}

/** Draws the charts below each other, and the time axis below the last plot. */
function drawColumn(
  charts: readonly ScaledChart[],
  gap: number,
  frame: Frame,
  context: DrawContext,
): string[] {
  const last = charts.findLastIndex(({ scale }) => scale !== undefined);
  return charts.flatMap((chart, index) => [
    ...(gap > 0 && hasGap(charts, index) ? [''] : []),
    drawTitle(chart, frame.width, context),
    ...drawPlot(chart, frame, context),
    ...(index === last ? drawTimeAxis(frame, context) : []),
  ]);
}

function scaleOf(chart: Chart, rows: number): Scale | undefined {
  const { figures, unit, startsAtZero = false } = chart;
  if (figures === undefined || !hasPlot(chart)) return undefined;
  const low = startsAtZero ? Math.min(0, figures.min) : figures.min;
  const all = scaleTicks(low, figures.max, INTERVALS, unit);
  const other = all.length % 2 === 1 ? all.filter((_, index) => index % 2 === 0) : all;
  const scales = [all, other, [...all.slice(0, 1), ...all.slice(-1)]].map((ticks) => {
    const stride = Math.floor((rows - 1) / (ticks.length - 1));
    return { ticks, stride, rows: stride * (ticks.length - 1) + 1 };
  });
  // The most ticks that leave no more than a fifth of the rows empty.
  const scale = scales.find((one) => one.stride > 0 && one.rows >= rows * 0.8) ?? scales.at(-1);
  return scale && { ...scale, labels: formatTicks(scale.ticks, unit).map(safeLine) };
}

/** Describes a chart in words; its time only if the chart before it has another one. */
function describe(chart: Chart, before: Chart | undefined): readonly (string | Styled)[] {
  const { name, unit, figures } = chart;
  const constant = describeConstant(chart);
  if (figures === undefined || constant !== undefined) return [strong(name), `  ${constant}`];

  const { start, end } = findMeasured(chart);
  const last = before === undefined ? undefined : findMeasured(before);
  const isSameTime = start === last?.start && end === last?.end;
  const time = isSameTime ? [] : [' from ', date(start), ' to ', date(end)];
  const format = (value: number) => formatValue(value, unit);
  const most = `95% up to ${format(figures.p95)}, highest ${format(figures.max)}`;
  return [
    strong(name),
    ...time,
    `: lowest ${format(figures.min)}, average ${format(figures.avg)}, ${most}, last ${format(figures.last)}.`,
  ];
}

/** Finds when the first and the last value were measured. */
function findMeasured({ points }: Chart) {
  const measured = points.filter(({ value }) => value !== undefined);
  return { start: measured[0]?.time, end: measured.at(-1)?.time };
}

function drawTitle(chart: Chart, width: number, context: DrawContext): string {
  const { figures, unit, isOld = false } = chart;
  const room = width - INDENT.length;
  const name = paintText(chart.title ?? strong(chart.name), context);
  const constant = describeConstant(chart);
  if (figures === undefined || constant !== undefined) {
    const tone = isOld ? 'dim' : getTone(chart, figures?.max);
    const text = { text: constant ?? '', tone: tone === 'accent' ? 'plain' : tone };
    return INDENT + cut(`${name}  ${paintText(text, context)}`, room, context);
  }
  const titles = FIGURE_SETS.map((shown) => {
    const beside = shown.flatMap((figure) => [
      dim(`  ${figure} `),
      { text: formatValue(figures[figure], unit), tone: isOld ? 'dim' : 'plain' } as const,
    ]);
    return name + paintText(beside, context);
  });
  return INDENT + (titles.find((title) => widthOf(title) <= room) ?? cut(name, room, context));
}

/** The tone of a value; that of no value is `accent`. */
function getTone({ tones, isOld }: Chart, value: number | undefined): Tone {
  if (isOld) return 'dim';
  return tones?.findLast(([from]) => value !== undefined && value >= from)?.[1] ?? 'accent';
}

function drawPlot(chart: ScaledChart, frame: Frame, { view, paint }: DrawContext): string[] {
  if (chart.scale === undefined) return [];
  const { ticks, labels, stride, rows } = chart.scale;
  const { labelWidth, columns, time } = frame;
  const glyphs = getGlyphs(view);
  const bottom = ticks[0] ?? 0;
  const top = ticks.at(-1) ?? 1;
  const spans = toSpans(chart, columns * glyphs.dotsWide, time);
  const dots = rows * glyphs.dotsHigh;
  return rasterize(spans, glyphs, rows, bottom, top).map((line, index) => {
    const highest = top - ((top - bottom) * index * glyphs.dotsHigh) / (dots - 1 || 1);
    const toneAt = (column: number) => {
      const first = column * glyphs.dotsWide;
      const highs = spans.high.subarray(first, first + glyphs.dotsWide);
      const value = Math.max(...highs.filter((high) => !Number.isNaN(high)));
      return getTone(chart, Math.min(value, highest));
    };
    const label = index % stride === 0 ? labels.at(-1 - index / stride) : undefined;
    const edge = label === undefined ? glyphs.wall : glyphs.tick;
    const scale = (label ?? '').padStart(labelWidth) + edge;
    return INDENT + paint(scale, 'dim') + paintLine(line.trimEnd(), toneAt, paint);
  });
}

/** Paints each stretch of one tone at once. */
function paintLine(
  line: string,
  toneAt: (column: number) => Tone,
  paint: DrawContext['paint'],
): string {
  const stretches: { text: string; tone: Tone }[] = [];
  for (const [column, character] of [...line].entries()) {
    const last = stretches.at(-1);
    const tone = character === ' ' && last !== undefined ? last.tone : toneAt(column);
    if (last?.tone === tone) last.text += character;
    else stretches.push({ text: character, tone });
  }
  return stretches.map(({ text, tone }) => paint(text, tone)).join('');
}

/** Draws the line below the charts, with as many round times as fit. */
function drawTimeAxis(
  { time: { start, end }, labelWidth, columns }: Frame,
  { view, paint }: DrawContext,
): string[] {
  const { corner, floor, mark } = getGlyphs(view);
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
