import {
  areErrors,
  downsample,
  getLongestStep,
  getStatistics,
  type MetricSeries,
} from '../../metrics/series.ts';
import {
  formatTick,
  formatTicks,
  formatValue,
  roundInstants,
  scaleTicks,
} from '../../terminal/format.ts';
import { safeLine } from '../../terminal/safe-text.ts';
import { FIGURES } from '../../terminal/screen.ts';
import { getPointSpan, type Usage } from './usage.ts';

const WIDTH = 960;
const HEAD = 64;
const PANEL = 210;
const PLOT = { left: 104, right: WIDTH - 24, top: 40, bottom: 170 };
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
@media (prefers-color-scheme: dark) { .svc-usage { filter: invert(0.93) hue-rotate(180deg); } }`;

/** Draws a panel for each series, in the viewer's light or dark colours. Times are UTC. */
export function toSvg(usage: Usage): string {
  const { title: service, range, points, series } = usage;
  const { first, last, every, isWhole } = getPointSpan(usage);
  const height = HEAD + Math.max(1, series.length) * PANEL;
  const title = escapeXml(`Usage of ${service}`);
  const apart = every && `, one point every ${every}`;
  const note = points === 0 || isWhole ? '' : `; points from ${first} to ${last}`;
  const span = escapeXml(`${range.start} to ${range.end}${apart}${note}`);
  const nothing = points === 0 ? 'No usage points.' : 'No number in the usage points.';
  const panels = series.map(
    (one, index) => `<g transform="translate(0 ${HEAD + index * PANEL})">
<text class="svc-name" x="24" y="22">${escapeXml(one.name)}</text>
${drawPlot(one, range)}
</g>`,
  );
  if (panels.length === 0) panels.push(drawQuiet(24, HEAD + 40, nothing));
  return `<svg xmlns="http://www.w3.org/2000/svg" class="svc-usage" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${title}</title>
<desc>${span}</desc>
<style>${STYLE}
</style>
<rect class="svc-page" width="${WIDTH}" height="${height}"/>
<text class="svc-title" x="24" y="32">${title}</text>
${drawQuiet(24, 52, span)}
${drawQuiet(PLOT.right, 32, 'Times in UTC', 'end')}
${panels.join('\n')}
</svg>
`;
}

/** Draws a small text, which is escaped already. */
function drawQuiet(x: number, y: number, text: string, anchor = 'start'): string {
  return `<text class="svc-quiet" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

function drawPlot(series: MetricSeries, { startMs, end }: Usage['range']): string {
  const { name, times, values, unit } = series;
  const statistics = getStatistics(values);
  if (statistics === undefined) return drawQuiet(24, 60, 'No values.');

  const figures = FIGURES.map((figure) => `${figure} ${formatValue(statistics[figure], unit)}`);
  const bottom = areErrors(name) ? Math.min(0, statistics.min) : statistics.min;
  const ticks = scaleTicks(bottom, statistics.max, VALUE_TICKS, unit);
  const span: Ends = [
    Math.min(startMs, ...times.subarray(0, 1)),
    Math.max(Date.parse(end), ...times.subarray(-1)),
  ];
  const toX = createScale(span, [PLOT.left, PLOT.right]);
  const toY = createScale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [PLOT.bottom, PLOT.top]);
  return [
    drawQuiet(PLOT.right, 22, escapeXml(figures.join(' · ')), 'end'),
    ...formatTicks(ticks, unit).map((label, index) => drawValueTick(label, toY(ticks[index] ?? 0))),
    ...drawTimeAxis(span, toX),
    `<path class="svc-line" d="${createPath(series, span, toX, toY)}"/>`,
  ].join('\n');
}

type Ends = readonly [first: number, last: number];

type Scale = ReturnType<typeof createScale>;

/** Creates a function that places what lies between two values between two coordinates. */
function createScale([low, high]: Ends, [from, to]: Ends) {
  return (value: number) => {
    // The difference of large numbers can overflow, so it halves first.
    const share = (value / 2 - low / 2) / (high / 2 - low / 2 || 1);
    return Math.round((from + share * (to - from)) * 10) / 10;
  };
}

/** Creates the path of the line, which is interrupted by gaps. */
function createPath(series: MetricSeries, [start, end]: Ends, toX: Scale, toY: Scale): string {
  const most = 2 * (PLOT.right - PLOT.left);
  const longestMs = getLongestStep(series.times, (end - start) / most);
  const runs: string[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const { time, value } of downsample(series, most)) {
    if (value === undefined) {
      before = Number.NEGATIVE_INFINITY;
      continue;
    }
    if (time - before > longestMs) runs.push([]);
    runs.at(-1)?.push(`${toX(time).toFixed(1)} ${toY(value).toFixed(1)}`);
    before = time;
  }
  // A point alone is a dot.
  return runs.map((run) => (run.length === 1 ? `M${run[0]}h0` : `M${run.join('L')}`)).join('');
}

function drawValueTick(label: string, y: number): string {
  const grid = `<line class="svc-grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y}" y2="${y}"/>`;
  return grid + drawQuiet(PLOT.left - 8, y + 4, escapeXml(label), 'end');
}

function drawTimeAxis([start, end]: Ends, toX: Scale): string[] {
  const { left, right, bottom } = PLOT;
  const drawLine = (x1: number, x2: number, y2: number) =>
    `<line class="svc-axis" x1="${x1}" x2="${x2}" y1="${bottom}" y2="${y2}"/>`;
  const { instants, stepMs } = roundInstants(start, end, TIME_TICKS, 'UTC');
  const ticks = instants.map((time) => {
    const x = toX(time);
    const label = escapeXml(formatTick(time, stepMs, 'UTC'));
    return drawLine(x, x, bottom + 4) + drawQuiet(x, bottom + 18, label, 'middle');
  });
  return [drawLine(left, right, bottom), ...ticks];
}

/** Writes a text for XML, as data or in an attribute. */
function escapeXml(text: string): string {
  return safeLine(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
