import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chooseStep,
  longestStep,
  type MetricSeries,
  slotsOf,
  statisticsOf,
  thinned,
  usualSpacing,
} from '../../src/metrics/series.ts';
import { tries } from '../support/property.ts';

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

/** Values by minute. */
const seriesAt = (values: Readonly<Record<number, number>>) =>
  seriesOf(Object.entries(values).map(([minute, value]) => [Number(minute), value]));

describe('slots of equal time', () => {
  test('hold one value each if there are enough slots', () => {
    expect(slotsOf(seriesAt({ 0: 1, 1: 2, 2: 3 }), 240)).toEqual([1, 2, 3]);
  });

  test('show missing points and points without a value as gaps', () => {
    expect(slotsOf(seriesAt({ 0: 1, 1: Number.NaN, 2: 3, 3: 4, 6: 7 }), 240)).toEqual([
      1,
      undefined,
      3,
      4,
      undefined,
      undefined,
      7,
    ]);
  });

  test('hold means of several points if there are fewer slots', () => {
    const points = Array.from({ length: 100 }, (_, minute) => [minute, minute < 50 ? 0 : 10] as const);
    expect(slotsOf(seriesOf(points), 4)).toEqual([0, 0, 10, 10]);
  });

  test.each([
    [[], undefined],
    [[1], 1],
    [[1, 3], 2],
  ])('of %j at one time are one slot', (values, mean) => {
    expect(slotsOf(seriesOf(values.map((value) => [5, value])), 10)).toEqual([mean]);
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
    expect(thinned(seriesAt({ 0: 1, 1: Number.NaN }), 10)).toEqual([
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

const figuresOf = (...values: number[]) => statisticsOf(Float64Array.from(values));

test('missing values are in no figure', () => {
  const figures = { last: 2, min: 1, avg: 2, p95: 3, max: 3 };
  expect(figuresOf(Number.NaN, 3, 1, Number.NaN, Number.NaN, 2, Number.NaN)).toEqual(figures);
  expect(figuresOf(Number.NaN)).toBeUndefined();
  expect(figuresOf()).toBeUndefined();
});

test('p95 is the value that 95 of 100 do not exceed', () => {
  expect(figuresOf(...Array.from({ length: 100 }, (_, index) => 100 - index))?.p95).toBe(95);
  expect(figuresOf(7)?.p95).toBe(7);
  expect(figuresOf(...Array.from({ length: 19 }, () => 1), 50)?.p95).toBe(1);
});

test('the given values are not changed', () => {
  const values = Float64Array.of(3, 1, 2);
  statisticsOf(values);
  expect([...values]).toEqual([3, 1, 2]);
});

test('the figures lie in order, for the largest numbers too', () => {
  const values = fc.array(fc.double({ noDefaultInfinity: true }), { minLength: 1 });
  const areInOrder = (input: number[]) => {
    const numbers = input.filter((value) => !Number.isNaN(value));
    const figures = figuresOf(...input);
    if (figures === undefined) return numbers.length === 0;
    const { min, avg, p95, max, last } = figures;
    const atMost = numbers.filter((value) => value <= p95).length;
    const isOrdered = min <= avg && avg <= max && min <= p95 && p95 <= max;
    return isOrdered && atMost >= 0.95 * numbers.length && Object.is(last, numbers.at(-1));
  };
  fc.assert(fc.property(values, areInOrder), tries(1_000, 511));
});

test('rounding never takes an average past what every value is', () => {
  expect(figuresOf(...Array.from({ length: 10 }, () => 0.1))?.avg).toBe(0.1);
});

const DAY = 1440 * MINUTE;

test('a range gets round buckets', () => {
  const steps = [MINUTE, 60 * MINUTE, 6 * 60 * MINUTE, DAY, 7 * DAY, 30 * DAY, 365 * DAY].map((range) =>
    chooseStep(0, range),
  );
  expect(steps).toEqual([1, 30, 300, 900, 7_200, 21_600, 345_600]);
});

test('there are never more than 120 buckets, and not many fewer than 60', () => {
  const isWithin = (start: number, rangeSeconds: number) => {
    const step = chooseStep(start, start + rangeSeconds * 1000);
    const buckets = rangeSeconds / step;
    return Number.isInteger(step) && step >= 1 && buckets <= 120 && (step === 1 || buckets >= 45);
  };
  fc.assert(
    fc.property(fc.nat({ max: 2e12 }), fc.integer({ min: 1, max: 36_500 * 86_400 }), isWithin),
    tries(2_000, 521),
  );
});
