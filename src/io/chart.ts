import { formatTick } from './dates.ts';
import { fill, type Line, safePieces, wrap } from './flow.ts';
import { INDENT, type Kit } from './kit.ts';
import { formatTicks, formatValue, niceTicks, plural } from './numbers.ts';
import { spansOf } from './plot.ts';
import { asciiPen, braillePen, rasterize } from './raster.ts';
import { safeLine } from './safe-text.ts';
import type { Chart, ChartPoint } from './screen.ts';
import { type Summary, summarize } from './summary.ts';
import { date, type Styled } from './text.ts';
import { widthOf } from './width.ts';

const ROWS = 8;
const TICKS = 4;
/** Columns that a drawing needs; with fewer, words must do. */
const NARROWEST = 12;
/** A scale starts at zero where the lowest value is not above this share of the highest. */
const FROM_ZERO = 0.6;

/** A line over time with its axes; in words where drawings are not wanted or have no room. */
export function drawChart(chart: Chart, kit: Kit): string[] {
  const summary = summarize(valuesOf(chart.points));
  const name: Styled = { text: chart.name, tone: 'strong' };
  if (summary === undefined) return drawWords([name, '  no values'], kit);
  const ticks = ticksOf(summary, chart.unit);
  const labels = formatTicks(ticks, chart.unit).map(safeLine);
  const labelWidth = labels.reduce((widest, label) => Math.max(widest, widthOf(label)), 0);
  const columns = kit.view.columns - INDENT.length - labelWidth - 2;
  if (kit.view.accessible || columns < NARROWEST) return drawWords(inWords(chart, summary), kit);
  const title = fill([safePieces(name, kit.view), ...figures(summary, chart.unit)], kit.view.columns - INDENT.length);
  return [
    ...title.map((line) => INDENT + kit.paint(line)),
    ...drawPlot(chart, { ticks, labels, labelWidth, columns }, kit),
  ];
}

function* valuesOf(points: readonly ChartPoint[]): Iterable<number | undefined> {
  for (const { value } of points) yield value;
}

function ticksOf({ min, max }: Summary, unit: string | undefined): number[] {
  return niceTicks(min >= 0 && min <= max * FROM_ZERO ? 0 : min, max, TICKS, unit);
}

function figures({ min, max, avg, last }: Summary, unit: string | undefined): Line[] {
  return Object.entries({ last, min, avg, max }).map(([label, value]) => [
    { text: `${label} `, tone: 'dim' },
    { text: safeLine(formatValue(value, unit)), tone: 'plain' },
  ]);
}

function inWords({ name, unit, points }: Chart, { count, gaps, min, avg, max, last }: Summary): (string | Styled)[] {
  const [low, mean, high, end] = [min, avg, max, last].map((value) => formatValue(value, unit));
  const from = points[0]?.time;
  const to = points.at(-1)?.time;
  return [
    { text: name, tone: 'strong' },
    `: ${plural(count, 'value')} from `,
    date(from),
    ' to ',
    date(to),
    `. Lowest ${low}, average ${mean}, highest ${high}, last ${end}.`,
    gaps > 0 ? ` ${plural(gaps, 'gap')}.` : '',
  ];
}

function drawWords(words: readonly (string | Styled)[], { view, paint }: Kit): string[] {
  return wrap(safePieces(words, view), view.columns - INDENT.length).map((line) => INDENT + paint(line));
}

interface Frame {
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
  readonly labelWidth: number;
  readonly columns: number;
}

function drawPlot({ points, height = ROWS }: Chart, frame: Frame, kit: Kit): string[] {
  const { ticks, labels, labelWidth, columns } = frame;
  const { view, paint } = kit;
  const bottom = ticks[0] ?? 0;
  const top = ticks.at(-1) ?? 1;
  const pen = view.unicode ? braillePen : asciiPen;
  // As many rows between two ticks everywhere, so that the scale is even.
  const stride = Math.max(1, Math.round((height - 1) / (ticks.length - 1)));
  const rows = rasterize(spansOf(points, columns * pen.dotsWide), pen, stride * (ticks.length - 1) + 1, bottom, top);
  const { tick, wall, corner, floor } = view.unicode ? LINES : ASCII_LINES;
  const body = rows.map((row, index) => {
    const label = index % stride === 0 ? labels.at(-1 - index / stride) : undefined;
    const axis = (label ?? '').padStart(labelWidth) + (label === undefined ? wall : tick);
    return (
      INDENT +
      paint([
        { text: axis, tone: 'dim' },
        { text: row.trimEnd(), tone: 'accent' },
      ])
    );
  });
  const ground = `${' '.repeat(labelWidth)}${corner}${floor.repeat(columns)}`;
  const times = ' '.repeat(labelWidth + 2) + timeAxis(points, columns, view.timeZone);
  return [...body, INDENT + paint([{ text: ground, tone: 'dim' }]), INDENT + paint([{ text: times, tone: 'dim' }])];
}

const LINES = { tick: ' ┤', wall: ' │', corner: ' └', floor: '─' };
const ASCII_LINES = { tick: ' +', wall: ' |', corner: ' +', floor: '-' };

/** Where the time begins and ends, and between them as many instants as have room. */
function timeAxis(points: readonly ChartPoint[], columns: number, timeZone: string | undefined): string {
  const start = points[0]?.time ?? 0;
  const span = (points.at(-1)?.time ?? start) - start;
  const nameOf = (share: number) => formatTick(start + span * share, span, timeZone);
  const widest = nameOf(0).length + 4;
  const steps = Math.max(1, Math.min(4, Math.floor(columns / widest) - 1));
  let axis = '';
  for (let step = 0; step <= steps && (step === 0 || span > 0); step += 1) {
    const name = nameOf(step / steps);
    const middle = Math.round((columns - 1) * (step / steps) - name.length / 2);
    const at = step === 0 ? 0 : step === steps ? columns - name.length : middle;
    axis = at > axis.length || step === 0 ? axis.padEnd(at) + name : axis;
  }
  return axis;
}
