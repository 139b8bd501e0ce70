import { toIso } from '../../command/parse/instant.ts';
import { formatTick, roundInstants } from '../../io/dates.ts';
import { formatTicks, formatValue, niceTicks } from '../../io/numbers.ts';
import { safeLine } from '../../io/safe-text.ts';
import { spanOf } from '../../metrics/edges.ts';
import type { Series } from '../../metrics/points.ts';
import { type Statistics, statisticsOf } from '../../metrics/statistics.ts';
import { type Frame, linePaths, shareOf } from './svg-path.ts';
import { spacingOf, type Usage } from './usage.ts';

const WIDTH = 960;
const HEAD = 64;
const PANEL = 210;
const PLOT = { left: 72, right: WIDTH - 24, top: 40, height: 130 } as const;
const VALUE_TICKS = 4;
const TIME_TICKS = 6;

/** A scale starts at zero where the lowest value is not above this share of the highest. */
const FROM_ZERO = 0.6;

/** The colours of a page by day and by night. */
const STYLE = `
:root { color-scheme: light dark; }
.page { fill: #ffffff; } text { fill: #1f2430; font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
.title { font-size: 18px; font-weight: 600; } .name { font-size: 14px; font-weight: 600; }
.quiet { fill: #667085; font-size: 12px; } .grid { stroke: #e4e7ec; } .axis { stroke: #98a2b3; }
.line { fill: none; stroke: #2f6fed; stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
.area { fill: #2f6fed; fill-opacity: 0.1; }
@media (prefers-color-scheme: dark) {
  .page { fill: #12151c; } text { fill: #e6e9ef; } .quiet { fill: #98a2b3; }
  .grid { stroke: #262c38; } .axis { stroke: #4b5565; } .line { stroke: #6ea0ff; } .area { fill: #6ea0ff; }
}`;

/** Usage as an SVG picture, one panel for each series, that follows the light or dark look of its viewer. Times are UTC. */
export function toSvg(usage: Usage): string {
  const { service, range, points, series } = usage;
  const spacing = spacingOf(usage);
  const height = HEAD + Math.max(1, series.length) * PANEL;
  const title = `Usage of ${service}`;
  const every = spacing === undefined ? '' : `, one point every ${spacing}`;
  const from = `${range.start} to ${range.end}${every}${edges(usage)}`;
  const nothing = points === 0 ? 'No usage points.' : 'No number in the usage points.';
  const panels = series.map((one, index) => panel(one, HEAD + index * PANEL, range));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${xml(title)}</title>
<desc>${xml(from)}</desc>
<style>${STYLE}
</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
<text class="title" x="24" y="32">${xml(title)}</text>
<text class="quiet" x="24" y="52">${xml(from)}</text>
${panels.length > 0 ? panels.join('\n') : `<text class="quiet" x="24" y="${HEAD + 40}">${nothing}</text>`}
</svg>
`;
}

/** Where the points are, if they leave an edge of the range empty. */
function edges({ series, asked }: Usage): string {
  const times = series[0]?.times ?? new Float64Array();
  const [first, last] = [times[0], times.at(-1)];
  const { start, end } = spanOf(times, asked);
  if (first === undefined || last === undefined || (start === first && end === last)) return '';
  return `; points from ${toIso(first)} to ${toIso(last)}`;
}

function panel(series: Series, top: number, range: Usage['range']): string {
  const name = `<text class="name" x="24" y="22">${xml(series.name)}</text>`;
  const statistics = statisticsOf(series.values);
  const body =
    statistics === undefined ? '<text class="quiet" x="24" y="60">No values.</text>' : plot(series, statistics, range);
  return `<g transform="translate(0 ${top})">\n${name}\n${body}\n</g>`;
}

function plot(series: Series, statistics: Statistics, { start, end }: Usage['range']): string {
  const ticks = ticksOf(statistics, series.unit);
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
    `<text class="quiet" x="${frame.right}" y="22" text-anchor="end">${xml(figures(statistics, series.unit))}</text>`,
    ...formatTicks(ticks, series.unit).map((label, index) => valueTick(ticks[index] ?? 0, label, frame)),
    ...timeTicks(frame),
    `<path class="area" d="${area}"/>`,
    `<path class="line" d="${line}"/>`,
  ].join('\n');
}

function ticksOf({ min, max }: Statistics, unit: string): number[] {
  return niceTicks(min >= 0 && min <= max * FROM_ZERO ? 0 : min, max, VALUE_TICKS, unit);
}

function figures({ last, min, avg, p95, max }: Statistics, unit: string): string {
  return Object.entries({ last, min, avg, p95, max })
    .map(([label, value]) => `${label} ${formatValue(value, unit)}`)
    .join(' · ');
}

function valueTick(tick: number, label: string, { left, right, top, bottom, low, high }: Frame): string {
  const y = round(bottom - shareOf(tick, low, high) * (bottom - top));
  return `<line class="grid" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/><text class="quiet" x="${left - 8}" y="${y + 4}" text-anchor="end">${xml(label)}</text>`;
}

function timeTicks({ left, right, bottom, startMs, endMs }: Frame): string[] {
  const span = endMs - startMs;
  const axis = `<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>`;
  const { instants, stepMs } = roundInstants(startMs, endMs, TIME_TICKS, 'UTC');
  const ticks = instants.map((at) => {
    const x = round(left + (right - left) * ((at - startMs) / span));
    const mark = `<line class="axis" x1="${x}" x2="${x}" y1="${bottom}" y2="${bottom + 4}"/>`;
    return `${mark}<text class="quiet" x="${x}" y="${bottom + 18}" text-anchor="middle">${xml(formatTick(at, stepMs, 'UTC'))}</text>`;
  });
  return [axis, ...ticks];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function xml(text: string): string {
  return safeLine(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
