import { expect, test } from 'vitest';
import { toSvg } from '../../../src/commands/metrics/svg.ts';
import type { Usage } from '../../../src/commands/metrics/usage.ts';
import type { MetricSeries } from '../../../src/metrics/series.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const MINUTE = 60_000;

/** A picture of an hour; `more` replaces parts of its usage. */
function draw(series: readonly MetricSeries[], more: Partial<Usage> = {}): string {
  return toSvg({
    ...{ service: 'svc_1', series, all: series, points: series[0]?.times.length ?? 0 },
    range: { start: '2026-03-01T00:00:00Z', end: '2026-03-01T01:00:00Z', stepSeconds: 60 },
    asked: { startMs: START, endMs: START + 60 * MINUTE, stepMs: MINUTE },
    ...{ history: true, isChosen: false, hasDates: false, answered: undefined, outside: undefined },
    ...{ omitted: 0, empty: [], others: [], beside: {}, ...more },
  });
}

function seriesOf(values: readonly number[], name = 'cpuPercent', unit: MetricSeries['unit'] = '%'): MetricSeries {
  const times = Float64Array.from(values, (_, index) => START + index * MINUTE);
  return { name, unit, times, values: Float64Array.from(values), everyMs: MINUTE };
}

const lineOf = (svg: string) => /class="svc-line" d="([^"]*)"/.exec(svg)?.[1] ?? '';
const three = seriesOf([10, 20, 30]);
const slow = { ...three, times: three.times.map((time) => START + (time - START) * 5) };
const whole = seriesOf(Array.from({ length: 59 }, (_, index) => index));
const bytes = seriesOf([1024 ** 3, 2 * 1024 ** 3], 'memoryBytes', 'bytes');
const lateSeries = seriesOf([1, 2, 3, 4, 5, 6]);
lateSeries.times[5] = START + 30 * MINUTE;
const named = { beside: { service: { name: 'kola-blog' } } };

/* biome-ignore format: a row a line */
test.each<[what: string, svg: string, ...parts: (string | RegExp)[]]>([
  ['a panel for each series', draw([three, bytes]), '>cpuPercent<', '>memoryBytes<', 'last 30% · min 10% · avg 20%', '>2 GiB<', '>00:15<', '>01:00<'],
  ['the spacing of its points, whatever step was asked for', draw([slow]), 'to 2026-03-01T01:00:00Z, one point every 5m; points from'],
  ['no spacing of a lone point', draw([seriesOf([1])]), 'to 2026-03-01T01:00:00Z; points from'],
  ['where its points are if they leave an edge empty', draw([three]), 'every 1m; points from 2026-03-01T00:00:00Z to 2026-03-01T00:02:00Z<'],
  ['nothing of that if they do not', draw([whole]), 'to 2026-03-01T01:00:00Z, one point every 1m<'],
  ['that there is no number', draw([], { points: 3 }), '>No number in the usage points.<'],
  ['that there are no points', draw([]), '>No usage points.<'],
  ['its zone, and both looks', draw([three]), '>Times in UTC<', 'prefers-color-scheme: dark'],
  ['the name of the service', draw([three], named), '<title>Usage of kola-blog (svc_1)</title>'],
  ['an area down to zero', draw([seriesOf([1, 9])]), 'class="svc-area"'],
  ['a lone value as a dot', lineOf(draw([seriesOf([5])])), /^M\d+\.\d \d+\.\dh0$/],
  ['a line', lineOf(draw([seriesOf([1, 2, 3, 4])])), /^M[^M]*$/],
  ['a line that is interrupted at a gap', lineOf(draw([seriesOf([1, 2, Number.NaN, 4])])), /^M[^M]*M[^M]*$/],
  ['a line that is interrupted where points are missing', lineOf(draw([lateSeries])), /^M[^M]*M[^M]*$/],
])('a picture has %s', (_what, svg, ...parts) => {
  for (const part of parts) expect(svg).toMatch(part);
});

const HOSTILE = '</text><script>alert("1")</script>&\u0000\u202e';

/* biome-ignore format: a row a line */
test.each<[what: string, series: readonly MetricSeries[], no: RegExp]>([
  ['of numbers far from zero has no area', [seriesOf([90, 91], 'memoryBytes', 'bytes')], /class="svc-area"/],
  ['loads nothing', [three], /https?:(?!\/\/www\.w3\.org\/2000\/svg)|<script|<image|url\(/],
  ['of a series of gaps has no number that is none', [seriesOf([Number.NaN, Number.NaN])], /NaN|Infinity|undefined/],
  ['of equal values', [seriesOf([5, 5, 5])], /NaN|Infinity|undefined/],
  ['of zeros', [seriesOf([0, 0])], /NaN|Infinity|undefined/],
  ['of values below zero', [seriesOf([-5, -1])], /NaN|Infinity|undefined/],
  ['of the largest numbers', [seriesOf([-Number.MAX_VALUE, Number.MAX_VALUE, Number.MIN_VALUE])], /NaN|Infinity|undefined/],
  ['escapes names', [seriesOf([1], HOSTILE)], /<script|<b>|\u0000|\u202e/],
])('a picture %s', (_what, series, no) => {
  expect(draw(series, { service: '<b>"svc"</b>' })).not.toMatch(no);
});

test('a picture of a million points stays small', () => {
  expect(draw([seriesOf(Array.from({ length: 1_000_000 }, (_, index) => Math.sin(index)))]).length).toBeLessThan(
    200_000,
  );
});
