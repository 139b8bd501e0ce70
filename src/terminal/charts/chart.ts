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
  dim,
  FIGURE_SETS,
  type Styled,
  strong,
  type Tone,
} from '../screen.ts';
import { choosePage, describeConstant, describeRest, hasGap, hasPlot } from './page.ts';
import { type Glyphs, getGlyphs, getTimeSpan, rasterize, type TimeSpan, toSpans } from './plot.ts';

const INTERVALS = 4;

/** Narrower plots show nothing. */
const MIN_COLUMNS = 12;
const TIME_LABEL_COLUMNS = 12;

/** A chart; one without a scale is a line of text. */
type ScaledChart = Chart & { readonly scale: ReturnType<typeof findScale> };

/** The part of the layout that all charts of a block share, so that they line up. */
interface Frame {
  readonly labelWidth: number;
  readonly columns: number;
  readonly time: TimeSpan;
  readonly glyphs: Glyphs;
}

/** Draws charts over one time axis; undefined where drawings are unwanted or do not fit. */
export function drawCharts(
  charts: readonly Chart[],
  options: ChartOptions,
  context: DrawContext,
): string[] | undefined {
  const { view } = context;
  const page = choosePage(charts, options, view);
  const scaled = page.charts.map((chart): ScaledChart => {
    return { ...chart, scale: findScale(chart, page.rows) };
  });
  const labelWidth = maxWidth(scaled.flatMap(({ scale }) => scale?.labels ?? []));
  const columns = view.columns - INDENT.length - labelWidth - 2;
  if (view.accessible || columns < MIN_COLUMNS) return undefined;

  const time = getTimeSpan(page.charts);
  const frame = { labelWidth, columns, time, glyphs: getGlyphs(view) };
  const last = scaled.findLastIndex(({ scale }) => scale !== undefined);
  const drawn = scaled.flatMap((chart, index) => [
    ...(page.gap > 0 && hasGap(scaled, index) ? [''] : []),
    drawTitle(chart, context),
    ...drawPlot(chart, frame, context),
    ...(index === last ? drawTimeAxis(frame, context) : []),
  ]);
  const rest = describeRest(charts, page.charts, options, view.unicode);
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
  const { labelWidth, columns, time, glyphs } = frame;
  const { dotsWide, dotsHigh } = glyphs;
  const bottom = ticks[0] ?? 0;
  const top = ticks.at(-1) ?? 1;
  const spans = toSpans(chart, columns * dotsWide, time);

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
  const { labelWidth, columns, glyphs } = frame;
  const { start, end } = frame.time;
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
