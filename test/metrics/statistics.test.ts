import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statisticsOf } from '../../src/metrics/statistics.ts';
import { tries } from '../support/property.ts';

test('missing values count only as gaps', () => {
  expect(statisticsOf([Number.NaN, 3, 1, Number.NaN, Number.NaN, 2, Number.NaN])).toEqual({
    count: 3,
    gaps: 1,
    min: 1,
    avg: 2,
    p95: 3,
    max: 3,
    last: 2,
  });
  expect(statisticsOf([Number.NaN])).toBeUndefined();
  expect(statisticsOf([])).toBeUndefined();
});

test('p95 is the value that 95 of 100 do not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(statisticsOf(hundred)?.p95).toBe(95);
  expect(statisticsOf([7])?.p95).toBe(7);
  expect(statisticsOf([...Array.from({ length: 19 }, () => 1), 50])?.p95).toBe(1);
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
    const figures = statisticsOf(input);
    if (figures === undefined) return numbers.length === 0;
    const { count, min, avg, p95, max, last } = figures;
    const atMost = numbers.filter((value) => value <= p95).length;
    return (
      count === numbers.length &&
      min <= avg &&
      avg <= max &&
      min <= p95 &&
      p95 <= max &&
      atMost >= 0.95 * count &&
      Object.is(last, numbers.at(-1))
    );
  };
  fc.assert(fc.property(values, areInOrder), tries(1_000, 511));
});

test('the average is the sum by the count', () => {
  const isAverage = (values: number[]) => {
    const sum = values.reduce((total, value) => total + value, 0);
    return Math.abs((statisticsOf(values)?.avg ?? Number.NaN) - sum / values.length) < 1e-6;
  };
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 200 }), isAverage),
    tries(500, 512),
  );
});
