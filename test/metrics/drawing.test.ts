import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestStep, type MetricSeries, slotsOf, thinned, usualSpacing } from '../../src/metrics/series.ts';

const MINUTE = 60_000;

function seriesOf(points: ReadonlyArray<readonly [minute: number, value: number]>): MetricSeries {
  return {
    name: 'x',
    unit: 'count',
    times: Float64Array.from(points, ([minute]) => minute * MINUTE),
    values: Float64Array.from(points, ([, value]) => value),
    everyMs: MINUTE,
  };
}

describe('slots of equal time', () => {
  test('hold one value each if there are enough slots', () => {
    expect(
      slotsOf(
        seriesOf([
          [0, 1],
          [1, 2],
          [2, 3],
        ]),
        240,
      ),
    ).toEqual([1, 2, 3]);
  });

  test('show missing points and points without a value as gaps', () => {
    expect(
      slotsOf(
        seriesOf([
          [0, 1],
          [1, Number.NaN],
          [2, 3],
          [3, 4],
          [6, 7],
        ]),
        240,
      ),
    ).toEqual([1, undefined, 3, 4, undefined, undefined, 7]);
  });

  test('hold means of several points if there are fewer slots', () => {
    const points = Array.from({ length: 100 }, (_, minute) => [minute, minute < 50 ? 0 : 10] as const);
    expect(slotsOf(seriesOf(points), 4)).toEqual([0, 0, 10, 10]);
  });

  test.each([
    [[]],
    [[[5, 1]]],
    [
      [
        [5, 1],
        [5, 3],
      ],
    ],
  ])('of %j are one slot', (points) => {
    const pairs = points as [number, number][];
    const mean = pairs.length === 0 ? undefined : pairs.reduce((sum, [, value]) => sum + value, 0) / pairs.length;
    expect(slotsOf(seriesOf(pairs), 10)).toEqual([mean]);
  });

  test('lose no value', () => {
    const minutes = fc.uniqueArray(fc.nat(10_000), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 60 }), (times, most) => {
        const slots = slotsOf(seriesOf(times.sort((a, b) => a - b).map((minute) => [minute, 5])), most);
        expect(slots.length).toBeLessThanOrEqual(most);
        expect(new Set(slots.filter((slot) => slot !== undefined))).toEqual(new Set([5]));
      }),
    );
  });
});

describe('a thinned series', () => {
  test('of few points is the series, with its gaps', () => {
    expect(
      thinned(
        seriesOf([
          [0, 1],
          [1, Number.NaN],
        ]),
        10,
      ),
    ).toEqual([
      { time: 0, value: 1 },
      { time: MINUTE, value: undefined },
    ]);
  });

  test('keeps every peak, the order of time, and no more points than asked for', () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 2000 });
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 300 }), (numbers, most) => {
        const points = thinned(seriesOf(numbers.map((value, minute) => [minute, value])), most);
        const kept = points.map(({ value }) => value ?? Number.NaN);
        expect(points.length).toBeLessThanOrEqual(Math.max(most, 2));
        expect(Math.max(...kept)).toBe(Math.max(...numbers));
        expect(Math.min(...kept)).toBe(Math.min(...numbers));
        const times = points.map(({ time }) => time);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
    );
  });

  test('keeps a stretch without values as a gap', () => {
    const points = Array.from(
      { length: 1000 },
      (_, minute) => [minute, minute >= 300 && minute < 700 ? Number.NaN : 1] as const,
    );
    const gaps = thinned(seriesOf(points), 100).filter(({ value }) => value === undefined);
    expect(gaps.length).toBeGreaterThan(10);
  });
});

test('the usual spacing is the one that most points have', () => {
  expect(usualSpacing(Float64Array.of(0, 60, 120, 180, 900))).toBe(60);
  expect(usualSpacing(Float64Array.of(5))).toBe(0);
  expect(usualSpacing(Float64Array.of(5, 5, 5))).toBe(0);
});

test('a gap is longer than three usual steps, and than three of those that are drawn', () => {
  expect(longestStep(Float64Array.of(0, 60, 120, 180, 900), 10)).toBe(180);
  expect(longestStep(Float64Array.of(0, 60, 120, 180, 900), 100)).toBe(300);
});
