import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Statistics, statisticsOf } from '../../src/metrics/series.ts';
import { fakeClock } from '../support/clock.ts';
import { tries } from '../support/property.ts';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

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

test('an average at a limit is not above it because of how its errors add up', () => {
  expect(figuresOf(...Array.from({ length: 10 }, () => 0.1))?.avg).toBe(0.1);
  expect(figuresOf(1e16, 1, -1e16)?.avg).toBe(1 / 3);
});

const QUARTER_MS = 900_000;

/** Writes an instant with this offset, as a service in that zone does. */
function localTime(time: number, offset: string): string {
  const hours = Number(offset.slice(0, 3));
  return new Date(time + hours * 3_600_000).toISOString().replace('Z', offset);
}

describe('the figures of a day are those of its points alone', () => {
  // Quarters, so that their sums are exact.
  const gauge = fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map((value) => value / 4);

  test.each([
    ['23 hours', '2026-03-29', '+01:00', '+02:00', 92],
    ['25 hours', '2026-10-25', '+02:00', '+01:00', 100],
  ])('of %s, with points around it and gaps', async (_name, date, before, after, quarters) => {
    const start = Date.parse(`${date}T00:00:00${before}`);
    const end = start + quarters * QUARTER_MS;
    const change = start + 3 * 3_600_000;
    const day = fc.array(fc.option(gauge, { freq: 4 }), { minLength: quarters + 8, maxLength: quarters + 8 });
    const isRight = async (values: (number | null)[]) => {
      const points = values.map((cpu, index) => {
        const time = start + (index - 4) * QUARTER_MS;
        return { time: localTime(time, time < change ? before : after), cpu };
      });
      const wire = await testWire();
      wire.on('GET', '/v1/services/svc_1/metrics/history').reply(200, { points });
      const until = new Date(end - 1_000).toISOString();
      const range = ['--since', `${date}T00:00:00${before}`, '--until', until];
      const done = await svc(['metrics', 'svc_1', ...range, '--summary', '--json'], {
        url: wire.url,
        clock: fakeClock(new Date(end + 86_400_000).toISOString()),
      });
      const inside = values.slice(4, 4 + quarters).filter((value) => value !== null);
      if (inside.length === 0) return;
      expect(done.json).toMatchObject({ points: quarters, series: [{ name: 'cpu', ...simpleFigures(inside) }] });
    };
    await fc.assert(fc.asyncProperty(day, isRight), tries(200, 514));
  });
});

function simpleFigures(values: readonly number[]): Statistics {
  const sorted = values.toSorted((one, other) => one - other);
  const [min = Number.NaN, max = Number.NaN] = [sorted[0], sorted.at(-1)];
  const p95 = sorted.find((_, index) => (index + 1) * 100 >= 95 * sorted.length) ?? Number.NaN;
  const avg = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { last: values.at(-1) ?? Number.NaN, min, avg, p95, max };
}
