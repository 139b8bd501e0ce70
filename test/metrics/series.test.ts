import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  averageSlots,
  chooseStep,
  downsample,
  getLongestStep,
  getStatistics,
  getUsualSpacing,
  type MetricSeries,
} from '../../src/metrics/series.ts';
import { tries } from '../support/property.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NONE = Number.NaN;

function seriesOf(points: ReadonlyArray<readonly [minute: number, value: number]>): MetricSeries {
  const times = Float64Array.from(points, ([minute]) => minute * MINUTE);
  return {
    name: 'x',
    unit: 'count',
    times,
    values: Float64Array.from(points, ([, value]) => value),
    measure: 'x',
    everyMs: MINUTE,
  };
}

const evenly = (values: readonly number[]) =>
  seriesOf(values.map((value, minute) => [minute, value]));

test.each<
  [what: string, series: MetricSeries, most: number, slots: readonly (number | undefined)[]]
>([
  [
    'gaps',
    seriesOf([
      [0, 1],
      [1, NONE],
      [2, 3],
      [3, 4],
      [6, 7],
    ]),
    240,
    [1, undefined, 3, 4, undefined, undefined, 7],
  ],
  ['means if there are fewer', evenly([0, 0, 5, 5, 20, 0, 10, 10]), 4, [0, 5, 10, 10]],
  ['nothing', seriesOf([]), 10, [undefined]],
  [
    'the mean of one time',
    seriesOf([
      [5, 1],
      [5, 3],
    ]),
    10,
    [2],
  ],
])('slots of equal time hold %s', (_what, series, most, slots) => {
  expect(averageSlots(series, most)).toEqual(slots);
});

test('a downsample series of few points is the series; a stretch without values is a gap', () => {
  expect(downsample(evenly([1, NONE]), 10)).toEqual([
    { time: 0, value: 1 },
    { time: MINUTE, value: undefined },
  ]);
  const gap = evenly(
    Array.from({ length: 1000 }, (_, minute) => (minute >= 300 && minute < 700 ? NONE : 1)),
  );
  expect(downsample(gap, 100).filter(({ value }) => value === undefined).length).toBeGreaterThan(
    10,
  );
});

test('a downsample series keeps every peak, the order of time, and no more points than asked for', () => {
  const values = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), {
    minLength: 1,
    maxLength: 2000,
  });
  const keepsPeaks = (numbers: number[], most: number) => {
    const points = downsample(evenly(numbers), most);
    const kept = points.map(({ value }) => value ?? NONE);
    expect(points.length).toBeLessThanOrEqual(Math.max(most, 2));
    expect([Math.max(...kept), Math.min(...kept)]).toEqual([
      Math.max(...numbers),
      Math.min(...numbers),
    ]);
    const times = points.map(({ time }) => time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  };
  fc.assert(fc.property(values, fc.integer({ min: 2, max: 300 }), keepsPeaks), tries(200, 513));
});

test('the usual spacing is the one that most points have; a gap is longer than three of them', () => {
  const spacings = [[0, 60, 120, 180, 900], [5], [5, 5, 5]].map((times) =>
    getUsualSpacing(Float64Array.from(times)),
  );
  expect(spacings).toEqual([60, 0, 0]);
  expect(
    [10, 100].map((drawn) => getLongestStep(Float64Array.of(0, 60, 120, 180, 900), drawn)),
  ).toEqual([180, 300]);
});

test.each<[values: readonly number[], figures: object | undefined]>([
  [[NONE, 3, 1, NONE, NONE, 2, NONE], { last: 2, min: 1, avg: 2, p95: 3, max: 3 }],
  [[NONE], undefined],
  [
    Array.from({ length: 100 }, (_, index) => 100 - index),
    { last: 1, min: 1, avg: 50.5, p95: 95, max: 100 },
  ],
  [[...Array(19).fill(1), 50], { last: 50, min: 1, avg: 3.45, p95: 1, max: 50 }],
  // Rounding never takes an average past what every value is.
  [Array(10).fill(0.1), { last: 0.1, min: 0.1, avg: 0.1, p95: 0.1, max: 0.1 }],
])('the figures of %j are %j', (values, figures) => {
  const given = Float64Array.from(values);
  expect(getStatistics(given)).toEqual(figures);
  expect([...given]).toEqual(values);
});

test('a range gets round buckets, at most 120 of them', () => {
  const ranges = [MINUTE, 60 * MINUTE, 6 * 60 * MINUTE, DAY, 7 * DAY, 30 * DAY, 365 * DAY];
  expect(ranges.map((range) => chooseStep(0, range))).toEqual([
    1, 30, 300, 900, 7_200, 21_600, 345_600,
  ]);
});
