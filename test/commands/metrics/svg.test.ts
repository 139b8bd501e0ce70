import { expect, test } from 'vitest';
import { toSvg } from '../../../src/commands/metrics/svg.ts';
import type { Usage } from '../../../src/commands/metrics/usage.ts';
import type { MetricSeries } from '../../../src/metrics/series.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const MINUTE = 60_000;

/** A picture of an hour; `more` replaces parts of its usage. */
function draw(series: readonly MetricSeries[], more: Partial<Usage> = {}): string {
  const range = {
    start: '2026-03-01T00:00:00Z',
    end: '2026-03-01T01:00:00Z',
    startMs: START,
    endMs: START + 60 * MINUTE,
    stepMs: MINUTE,
  };
  const usage = {
    title: 'svc_1',
    series,
    range,
    points: series[0]?.times.length ?? 0,
    beside: {},
    ...more,
  };
  return toSvg(usage as Usage);
}

function seriesOf(
  values: readonly number[],
  name = 'cpuPercent',
  unit: MetricSeries['unit'] = '%',
): MetricSeries {
  const times = Float64Array.from(values, (_, index) => START + index * MINUTE);
  return { name, measure: name, unit, times, values: Float64Array.from(values), everyMs: MINUTE };
}

const lineOf = (svg: string) => /class="svc-line" d="([^"]*)"/.exec(svg)?.[1] ?? '';
const three = seriesOf([10, 20, 30]);
const slow = { ...three, times: three.times.map((time) => START + (time - START) * 5) };
const bytes = seriesOf([1024 ** 3, 2 * 1024 ** 3], 'memoryBytes', 'bytes');
const late = seriesOf([1, 2, 3, 4, 5, 6]);
late.times[5] = START + 30 * MINUTE;
const named = { title: 'kola-blog (svc_1)' };

test.each<[what: string, svg: string, ...parts: (string | RegExp)[]]>([
  [
    'a panel for each series',
    draw([three, bytes]),
    '>cpuPercent<',
    '>memoryBytes<',
    'avg 20%',
    '>2 GiB<',
    '>01:00<',
  ],
  [
    'the spacing of its points, and where they are',
    draw([slow]),
    ', one point every 5m; points from 2026-03-01T00:00',
  ],
  ['that there are no points', draw([]), '>No usage points.<'],
  ['the name of the service', draw([three], named), '<title>Usage of kola-blog (svc_1)</title>'],
  ['a lone value as a dot', lineOf(draw([seriesOf([5])])), /^M\d+\.\d \d+\.\dh0$/],
  [
    'a line that is interrupted at a gap',
    lineOf(draw([seriesOf([1, 2, Number.NaN, 4])])),
    /^M[^M]*M[^M]*$/,
  ],
  ['a line that is interrupted where points are missing', lineOf(draw([late])), /^M[^M]*M[^M]*$/],
])('a picture has %s', (_what, svg, ...parts) => {
  for (const part of parts) expect(svg).toMatch(part);
});

const HOSTILE = '</text><script>alert("1")</script>&\u0000\u202e';
const [MAX, MIN] = [Number.MAX_VALUE, Number.MIN_VALUE];

test.each<[what: string, series: readonly MetricSeries[], no: RegExp]>([
  ['loads nothing', [three], /https?:(?!\/\/www\.w3\.org\/2000\/svg)|<script|<image|url\(/],
  ['has no style for the page around it', [three], /^(?! *\.svc-usage |@media).*\{ /m],
  ['of gaps', [seriesOf([Number.NaN, Number.NaN])], /NaN|Infinity|undefined/],
  ['of the largest numbers', [seriesOf([-MAX, MAX, MIN])], /NaN|Infinity|undefined/],
  ['escapes names', [seriesOf([1], HOSTILE)], /<script|<b>|\u0000|\u202e/],
])('a picture %s', (_what, series, no) => {
  expect(draw(series, { service: '<b>"svc"</b>' })).not.toMatch(no);
});
