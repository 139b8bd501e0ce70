import { areErrors } from '../../metrics/interest.ts';
import {
  downsample,
  getStatistics,
  longestStep,
  type MetricSeries,
  type Statistics,
} from '../../metrics/series.ts';
import { formatTick, roundInstants } from '../../terminal/dates.ts';
import { formatTicks, formatValue, scaleTicks } from '../../terminal/numbers.ts';
import { safeLine } from '../../terminal/safe-text.ts';
import { describeService } from '../shared/names.ts';
import { spanOfPoints, type Usage } from './usage.ts';

const WIDTH = 960;
const HEAD = 64;
const PANEL = 210;
const PLOT = { left: 104, right: WIDTH - 24, top: 40, bottom: 170 } as const;
const VALUE_TICKS = 4;
const TIME_TICKS = 6;

/** Every rule begins with the class of the picture, so that none reaches the page around it. */
const STYLE = `
.svc-usage .svc-page { fill: #ffffff; }
.svc-usage text { fill: #1f2430; font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
.svc-usage .svc-title { font-size: 18px; font-weight: 600; }
.svc-usage .svc-name { font-size: 14px; font-weight: 600; }
.svc-usage .svc-quiet { fill: #667085; font-size: 12px; }
.svc-usage .svc-grid { stroke: #e4e7ec; }
.svc-usage .svc-axis { stroke: #98a2b3; }
.svc-usage .svc-line { fill: none; stroke: #2f6fed; stroke-width: 1.6; stroke-linecap: round; }
.svc-usage .svc-area { fill: #2f6fed; fill-opacity: 0.1; }
@media (prefers-color-scheme: dark) { .svc-usage { filter: invert(0.93) hue-rotate(180deg); } }`;

type Box = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;

type Frame = ReturnType<typeof frameOf>;

/** Places times and values in a box. */
function frameOf(box: Box, startMs: number, endMs: number, low: number, high: number) {
  const { left, right, top, bottom } = box;
  return {
    ...{ ...box, startMs, endMs },
    x: (time: number) => round(left + shareOf(time, startMs, endMs) * (right - left)),
    y: (value: number) => round(bottom - shareOf(value, low, high) * (bottom - top)),
  };
}

/** Scales a value to 0 … 1. The difference of large numbers can overflow, so it halves first. */
function shareOf(value: number, low: number, high: number): number {
  return (value / 2 - low / 2) / (high / 2 - low / 2 || 1);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A picture with a panel for each series, in the viewer's light or dark colours. Times are UTC. */
export function toSvg(usage: Usage): string {
  const { service, range, points, series } = usage;
  const { first, last, every, isWhole } = spanOfPoints(usage);
  const height = HEAD + Math.max(1, series.length) * PANEL;
  const title = xml(`Usage of ${describeService(usage.beside, service)}`);
  const apart = every === undefined ? '' : `, one point every ${every}`;
  const note = points === 0 || isWhole ? '' : `; points from ${first} to ${last}`;
  const from = xml(`${range.start} to ${range.end}${apart}${note}`);
  const nothing = points === 0 ? 'No usage points.' : 'No number in the usage points.';
  const panels = series.map((one, index) => panel(one, HEAD + index * PANEL, range));
  return `<svg xmlns="http://www.w3.org/2000/svg" class="svc-usage" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${title}</title>
<desc>${from}</desc>
<style>${STYLE}
</style>
<rect class="svc-page" width="${WIDTH}" height="${height}"/>
<text class="svc-title" x="24" y="32">${title}</text>
<text class="svc-quiet" x="24" y="52">${from}</text>
<text class="svc-quiet" x="${PLOT.right}" y="32" text-anchor="end">Times in UTC</text>
${panels.length > 0 ? panels.join('\n') : `<text class="svc-quiet" x="24" y="${HEAD + 40}">${nothing}</text>`}
</svg>
`;
}

function panel(series: MetricSeries, top: number, range: Usage['range']): string {
  const statistics = getStatistics(series.values);
  return `<g transform="translate(0 ${top})">
<text class="svc-name" x="24" y="22">${xml(series.name)}</text>
${statistics === undefined ? '<text class="svc-quiet" x="24" y="60">No values.</text>' : plot(series, statistics, range)}
</g>`;
}

function plot(
  series: MetricSeries,
  statistics: Statistics,
  { start, end }: Usage['range'],
): string {
  const { times, unit } = series;
  const bottom = areErrors(series.name) ? Math.min(0, statistics.min) : statistics.min;
  const ticks = scaleTicks(bottom, statistics.max, VALUE_TICKS, unit);
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const startMs = Math.min(Date.parse(start), times[0] ?? Number.POSITIVE_INFINITY);
  const endMs = Math.max(Date.parse(end), times.at(-1) ?? Number.NEGATIVE_INFINITY);
  const frame = frameOf(PLOT, startMs, endMs, low, high);
  const { line, area } = linePaths(series, frame);
  return [
    `<text class="svc-quiet" x="${PLOT.right}" y="22" text-anchor="end">${xml(figuresText(statistics, unit))}</text>`,
    ...formatTicks(ticks, unit).map((label, index) => valueTick(ticks[index] ?? 0, label, frame)),
    ...timeTicks(frame),
    // Above another line than zero, an area would exaggerate the differences.
    ...(low === 0 ? [`<path class="svc-area" d="${area}"/>`] : []),
    `<path class="svc-line" d="${line}"/>`,
  ].join('\n');
}

/** The figures of a series, in one line. */
function figuresText({ last, min, avg, p95, max }: Statistics, unit: string): string {
  const figures = Object.entries({ last, min, avg, p95, max });
  return figures.map(([label, value]) => `${label} ${formatValue(value, unit)}`).join(' · ');
}

/** The paths of the line and of the area below it, both interrupted by gaps. */
function linePaths(series: MetricSeries, frame: Frame) {
  const most = 2 * (frame.right - frame.left);
  const longestMs = longestStep(series.times, (frame.endMs - frame.startMs) / most);
  const runs: string[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const { time, value } of downsample(series, most)) {
    const isKnown = value !== undefined && Number.isFinite(value);
    if (isKnown && !(time - before <= longestMs)) runs.push([]);
    if (isKnown) runs.at(-1)?.push(`${frame.x(time).toFixed(1)} ${frame.y(value).toFixed(1)}`);
    before = isKnown ? time : Number.NEGATIVE_INFINITY;
  }
  const xOf = (place = '') => place.split(' ')[0];
  const areaOf = (run: readonly string[]) =>
    `M${xOf(run[0])} ${frame.bottom}L${run.join('L')}L${xOf(run.at(-1))} ${frame.bottom}Z`;
  return {
    line: runs.map((run) => `M${run.join('L')}${run.length === 1 ? 'h0' : ''}`).join(''),
    area: runs.map(areaOf).join(''),
  };
}

function valueTick(tick: number, label: string, { left, right, y }: Frame): string {
  const at = y(tick);
  const grid = `<line class="svc-grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/>`;
  return `${grid}<text class="svc-quiet" x="${left - 8}" y="${at + 4}" text-anchor="end">${xml(label)}</text>`;
}

function timeTicks({ left, right, bottom, startMs, endMs, x }: Frame): string[] {
  const line = (x1: number, x2: number, y2: number) =>
    `<line class="svc-axis" x1="${x1}" x2="${x2}" y1="${bottom}" y2="${y2}"/>`;
  const { instants, stepMs } = roundInstants(startMs, endMs, TIME_TICKS, 'UTC');
  const ticks = instants.map((time) => {
    const label = xml(formatTick(time, stepMs, 'UTC'));
    const text = `<text class="svc-quiet" x="${x(time)}" y="${bottom + 18}" text-anchor="middle">${label}</text>`;
    return line(x(time), x(time), bottom + 4) + text;
  });
  return [line(left, right, bottom), ...ticks];
}

/** Writes a text for XML, as data or in an attribute. */
function xml(text: string): string {
  return safeLine(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
