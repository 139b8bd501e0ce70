import { describe, expect, test } from 'vitest';
import { toSvg } from '../../../src/commands/metrics/svg.ts';
import type { Usage } from '../../../src/commands/metrics/usage.ts';
import type { MetricSeries } from '../../../src/metrics/series.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const MINUTE = 60_000;

function usageOf(series: readonly MetricSeries[], service = 'svc_1'): Usage {
  const range = { start: '2026-03-01T00:00:00Z', end: '2026-03-01T01:00:00Z', stepSeconds: 60 };
  return {
    service,
    history: true,
    isChosen: false,
    range,
    asked: { startMs: START, endMs: START + 60 * MINUTE, stepMs: MINUTE },
    points: series[0]?.times.length ?? 0,
    series,
    all: series,
    answered: undefined,
    outside: undefined,
    hasDates: false,
    omitted: 0,
    empty: [],
    others: [],
    beside: {},
  };
}

function seriesOf(values: readonly number[], name = 'cpuPercent', unit: MetricSeries['unit'] = '%'): MetricSeries {
  const times = Float64Array.from(values, (_, index) => START + index * MINUTE);
  return { name, unit, times, values: Float64Array.from(values), everyMs: MINUTE };
}

const lineOf = (svg: string) => /class="svc-line" d="([^"]*)"/.exec(svg)?.[1] ?? '';

describe('a picture of usage', () => {
  test('has a panel for each series, with its name, figures and scale', () => {
    const svg = toSvg(usageOf([seriesOf([10, 20, 30]), seriesOf([1024 ** 3, 2 * 1024 ** 3], 'memoryBytes', 'bytes')]));
    expect(svg.match(/<g transform/g)).toHaveLength(2);
    expect(svg).toContain('>cpuPercent<');
    expect(svg).toContain('last 30% · min 10% · avg 20%');
    expect(svg).toContain('>2 GiB<');
    expect(svg).toContain('>00:15<');
    expect(svg).toContain('>01:00<');
  });

  test('names the spacing of its points, whatever step was requested', () => {
    const series = seriesOf([1, 2, 3]);
    expect(toSvg(usageOf([{ ...series, times: series.times.map((time) => START + (time - START) * 5) }]))).toContain(
      'to 2026-03-01T01:00:00Z, one point every 5m; points from',
    );
    expect(toSvg(usageOf([seriesOf([1])]))).toContain('to 2026-03-01T01:00:00Z; points from');
  });

  test('says where its points are if they leave an edge of the range empty', () => {
    expect(toSvg(usageOf([seriesOf([1, 2, 3])]))).toContain(
      'every 1m; points from 2026-03-01T00:00:00Z to 2026-03-01T00:02:00Z<',
    );
    const whole = seriesOf(Array.from({ length: 59 }, (_, index) => index));
    expect(toSvg(usageOf([whole]))).toContain('to 2026-03-01T01:00:00Z, one point every 1m<');
  });

  test('of points without a number says so', () => {
    expect(toSvg({ ...usageOf([]), points: 3 })).toContain('>No number in the usage points.<');
    expect(toSvg(usageOf([]))).toContain('>No usage points.<');
  });

  test('goes with the light or dark look of its viewer, and loads nothing', () => {
    const svg = toSvg(usageOf([seriesOf([1])]));
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|<image|url\(/);
  });

  test('says its zone, and names the service as the answer does', () => {
    expect(toSvg(usageOf([seriesOf([1])]))).toContain('>Times in UTC<');
    const svg = toSvg({ ...usageOf([seriesOf([1])]), beside: { service: { name: 'kola-blog' } } });
    expect(svg).toContain('<title>Usage of kola-blog (svc_1)</title>');
  });

  test('fills the area below its line only down to zero', () => {
    expect(toSvg(usageOf([seriesOf([1, 9])]))).toContain('class="svc-area"');
    expect(toSvg(usageOf([seriesOf([90, 91], 'memoryBytes', 'bytes')]))).not.toContain('class="svc-area"');
  });

  test('interrupts its line at a gap', () => {
    expect(lineOf(toSvg(usageOf([seriesOf([1, 2, 3, 4])]))).match(/M/g)).toHaveLength(1);
    expect(lineOf(toSvg(usageOf([seriesOf([1, 2, Number.NaN, 4])]))).match(/M/g)).toHaveLength(2);
    const missing = seriesOf([1, 2, 3, 4, 5, 6]);
    missing.times[5] = START + 30 * MINUTE;
    expect(lineOf(toSvg(usageOf([missing]))).match(/M/g)).toHaveLength(2);
  });

  test('shows a lone value as a dot', () => {
    expect(lineOf(toSvg(usageOf([seriesOf([5])])))).toMatch(/^M\d+\.\d \d+\.\dh0$/);
  });

  test.each([
    ['no series', []],
    ['a series of gaps', [seriesOf([Number.NaN, Number.NaN])]],
    ['equal values', [seriesOf([5, 5, 5])]],
    ['zeros', [seriesOf([0, 0])]],
    ['values below zero', [seriesOf([-5, -1])]],
    ['the largest numbers', [seriesOf([-Number.MAX_VALUE, Number.MAX_VALUE, Number.MIN_VALUE])]],
  ])('of %s holds no number that is none', (_name, series) => {
    expect(toSvg(usageOf(series))).not.toMatch(/NaN|Infinity|undefined/);
  });

  test('escapes names', () => {
    const svg = toSvg(usageOf([seriesOf([1], '</text><script>alert("1")</script>&\u0000\u202e')], '<b>"svc"</b>'));
    expect(svg).not.toMatch(/<script|<b>|\u0000|\u202e/);
    expect(svg).toContain('&#60;script&#62;');
  });

  test('of a million points stays small', () => {
    const svg = toSvg(usageOf([seriesOf(Array.from({ length: 1_000_000 }, (_, index) => Math.sin(index)))]));
    expect(svg.length).toBeLessThan(200_000);
  });
});
