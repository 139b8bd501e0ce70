import { toIso } from '../../kit/values/time.ts';
import { downsample, type ThinPoint } from '../../metrics/downsample.ts';
import type { MetricSeries } from '../../metrics/points.ts';
import { longestStep, spanOf } from '../../metrics/spacing.ts';
import { type Statistics, statisticsOf } from '../../metrics/statistics.ts';
import { formatTick, roundInstants } from '../../terminal/dates.ts';
import { formatTicks, formatValue, scaleTicks } from '../../terminal/numbers.ts';
import { safeLine } from '../../terminal/safe-text.ts';
import { serviceIn } from '../shared/names.ts';
import { spacingOf, type Usage } from './usage.ts';

const WIDTH = 960;
const HEAD = 64;
const PANEL = 210;
const PLOT = { left: 104, right: WIDTH - 24, top: 40, height: 130 } as const;
const VALUE_TICKS = 4;
const TIME_TICKS = 6;

/** Every rule begins with the class of the picture, so that none reaches the page in which a picture stands. */
const STYLE = `
.svc-usage .svc-page { fill: #ffffff; }
.svc-usage text { fill: #1f2430; font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
.svc-usage .svc-title { font-size: 18px; font-weight: 600; }
.svc-usage .svc-name { font-size: 14px; font-weight: 600; }
.svc-usage .svc-quiet { fill: #667085; font-size: 12px; }
.svc-usage .svc-grid { stroke: #e4e7ec; }
.svc-usage .svc-axis { stroke: #98a2b3; }
.svc-usage .svc-line { fill: none; stroke: #2f6fed; stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
.svc-usage .svc-area { fill: #2f6fed; fill-opacity: 0.1; }
@media (prefers-color-scheme: dark) {
  .svc-usage .svc-page { fill: #12151c; }
  .svc-usage text { fill: #e6e9ef; }
  .svc-usage .svc-quiet { fill: #98a2b3; }
  .svc-usage .svc-grid { stroke: #262c38; }
  .svc-usage .svc-axis { stroke: #4b5565; }
  .svc-usage .svc-line { stroke: #6ea0ff; }
  .svc-usage .svc-area { fill: #6ea0ff; }
}`;

/** The plot area in pixels, and the range of times and values that it shows. */
interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly low: number;
  readonly high: number;
}

/** Returns an SVG picture with a panel for each series, in the viewer's light or dark colours. Times are UTC. */
export function toSvg(usage: Usage): string {
  const { service, range, points, series } = usage;
  const spacing = spacingOf(usage);
  const height = HEAD + Math.max(1, series.length) * PANEL;
  const title = `Usage of ${serviceIn(usage.beside, service)}`;
  const every = spacing === undefined ? '' : `, one point every ${spacing}`;
  const from = `${range.start} to ${range.end}${every}${spanNote(usage)}`;
  const nothing = points === 0 ? 'No usage points.' : 'No number in the usage points.';
  const panels = series.map((one, index) => panel(one, HEAD + index * PANEL, range));
  return `<svg xmlns="http://www.w3.org/2000/svg" class="svc-usage" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${xml(title)}</title>
<desc>${xml(from)}</desc>
<style>${STYLE}
</style>
<rect class="svc-page" width="${WIDTH}" height="${height}"/>
<text class="svc-title" x="24" y="32">${xml(title)}</text>
<text class="svc-quiet" x="24" y="52">${xml(from)}</text>
<text class="svc-quiet" x="${PLOT.right}" y="32" text-anchor="end">Times in UTC</text>
${panels.length > 0 ? panels.join('\n') : `<text class="svc-quiet" x="24" y="${HEAD + 40}">${nothing}</text>`}
</svg>
`;
}

/** The size of a {@link toSketch}, in the units of its coordinates. */
const SKETCH = { left: 0, right: 320, top: 4, bottom: 76 } as const;

/** Returns a small picture of one series, without a scale, for a page with styles of its own. Empty without any value. */
export function toSketch(series: MetricSeries, { start, end }: Usage['range']): string {
  const statistics = statisticsOf(series.values);
  if (statistics === undefined) return '';
  const low = statistics.min >= 0 ? 0 : statistics.min;
  const span = { startMs: Date.parse(start), endMs: Date.parse(end) };
  const frame: Frame = { ...SKETCH, ...span, low, high: statistics.max === low ? low + 1 : statistics.max };
  const { line } = linePaths(series, frame, SKETCH.right / 2);
  const label = `${series.name} from ${start} to ${end}`;
  return `<svg viewBox="0 0 ${SKETCH.right} 80" role="img" aria-label="${xml(label)}"><path d="${line}"/></svg>`;
}

/** Returns the span of the points if it is shorter than the range. */
function spanNote({ series, asked }: Usage): string {
  const times = series[0]?.times ?? new Float64Array();
  const [first, last] = [times[0], times.at(-1)];
  const { start, end } = spanOf(times, asked);
  if (first === undefined || last === undefined || (start === first && end === last)) return '';
  return `; points from ${toIso(first)} to ${toIso(last)}`;
}

function panel(series: MetricSeries, top: number, range: Usage['range']): string {
  const name = `<text class="svc-name" x="24" y="22">${xml(series.name)}</text>`;
  const statistics = statisticsOf(series.values);
  const body =
    statistics === undefined
      ? '<text class="svc-quiet" x="24" y="60">No values.</text>'
      : plot(series, statistics, range);
  return `<g transform="translate(0 ${top})">\n${name}\n${body}\n</g>`;
}

function plot(series: MetricSeries, statistics: Statistics, { start, end }: Usage['range']): string {
  const ticks = scaleTicks(statistics.min, statistics.max, VALUE_TICKS, series.unit);
  const frame: Frame = {
    left: PLOT.left,
    right: PLOT.right,
    top: PLOT.top,
    bottom: PLOT.top + PLOT.height,
    startMs: Math.min(Date.parse(start), series.times[0] ?? Number.POSITIVE_INFINITY),
    endMs: Math.max(Date.parse(end), series.times.at(-1) ?? Number.NEGATIVE_INFINITY),
    low: ticks[0] ?? 0,
    high: ticks.at(-1) ?? 1,
  };
  const { line, area } = linePaths(series, frame);
  return [
    `<text class="svc-quiet" x="${frame.right}" y="22" text-anchor="end">${xml(figures(statistics, series.unit))}</text>`,
    ...formatTicks(ticks, series.unit).map((label, index) => valueTick(ticks[index] ?? 0, label, frame)),
    ...timeTicks(frame),
    // Above another line than zero, an area would exaggerate the differences.
    ...(frame.low === 0 ? [`<path class="svc-area" d="${area}"/>`] : []),
    `<path class="svc-line" d="${line}"/>`,
  ].join('\n');
}

/** The figures of a series, in one line. */
export function figures({ last, min, avg, p95, max }: Statistics, unit: string): string {
  return Object.entries({ last, min, avg, p95, max })
    .map(([label, value]) => `${label} ${formatValue(value, unit)}`)
    .join(' · ');
}

/** Returns the paths of the line and of the area below it, both interrupted by gaps. */
function linePaths(
  series: MetricSeries,
  frame: Frame,
  most = 2 * (frame.right - frame.left),
): { line: string; area: string } {
  const points = downsample(series, most);
  const longest = longestStep(series.times, (frame.endMs - frame.startMs) / most);
  const runs = unbroken(points, longest).map((run) => run.map((point) => place(point, frame)));
  const lines = runs.map((run) => `M${run.join('L')}${run.length === 1 ? 'h0' : ''}`);
  const areas = runs.map(
    (run) => `M${xOf(run[0])} ${frame.bottom}L${run.join('L')}L${xOf(run.at(-1))} ${frame.bottom}Z`,
  );
  return { line: lines.join(''), area: areas.join('') };
}

/** Scales a value to 0 … 1. It halves first, because the difference of large numbers can overflow. */
function shareOf(value: number, low: number, high: number): number {
  return (value / 2 - low / 2) / (high / 2 - low / 2 || 1);
}

interface Known {
  readonly time: number;
  readonly value: number;
}

/** Splits the points at gaps. */
function unbroken(points: readonly ThinPoint[], longestMs: number): Known[][] {
  const runs: Known[][] = [];
  let before: number | undefined;
  for (const { time, value } of points) {
    if (value === undefined || !Number.isFinite(value)) {
      before = undefined;
      continue;
    }
    const run = before !== undefined && time - before <= longestMs ? runs.at(-1) : undefined;
    if (run === undefined) runs.push([{ time, value }]);
    else run.push({ time, value });
    before = time;
  }
  return runs;
}

function place({ time, value }: Known, { left, right, top, bottom, startMs, endMs, low, high }: Frame): string {
  const x = left + shareOf(time, startMs, endMs) * (right - left);
  const y = bottom - shareOf(value, low, high) * (bottom - top);
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

function xOf(place = ''): string {
  return place.split(' ')[0] ?? '';
}

function valueTick(tick: number, label: string, { left, right, top, bottom, low, high }: Frame): string {
  const y = round(bottom - shareOf(tick, low, high) * (bottom - top));
  return `<line class="svc-grid" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/><text class="svc-quiet" x="${left - 8}" y="${y + 4}" text-anchor="end">${xml(label)}</text>`;
}

function timeTicks({ left, right, bottom, startMs, endMs }: Frame): string[] {
  const span = endMs - startMs;
  const axis = `<line class="svc-axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>`;
  const { instants, stepMs } = roundInstants(startMs, endMs, TIME_TICKS, 'UTC');
  const ticks = instants.map((at) => {
    const x = round(left + (right - left) * ((at - startMs) / span));
    const mark = `<line class="svc-axis" x1="${x}" x2="${x}" y1="${bottom}" y2="${bottom + 4}"/>`;
    return `${mark}<text class="svc-quiet" x="${x}" y="${bottom + 18}" text-anchor="middle">${xml(formatTick(at, stepMs, 'UTC'))}</text>`;
  });
  return [axis, ...ticks];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Writes a text for XML or HTML, as data or in an attribute. */
export function xml(text: string): string {
  return safeLine(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
