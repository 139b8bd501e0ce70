import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Statistics, statisticsOf } from '../../src/metrics/statistics.ts';
import { fakeClock } from '../support/clock.ts';
import { tries } from '../support/property.ts';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

test('missing values count only as gaps', () => {
  expect(statisticsOf([Number.NaN, 3, 1, Number.NaN, Number.NaN, 2, Number.NaN])).toEqual({
    count: 3,
    gaps: 1,
    sum: 6,
    min: 1,
    avg: 2,
    p50: 2,
    p90: 3,
    p95: 3,
    p99: 3,
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

test('an average at a limit is not above it because of how its errors add up', () => {
  const tenths = Float64Array.from({ length: 10 }, () => 0.1);
  expect(statisticsOf(tenths)).toMatchObject({ sum: 1, avg: 0.1 });
  expect(statisticsOf([1e16, 1, -1e16])).toMatchObject({ sum: 1 });
  // Halfway between two numbers, and a little more.
  expect(statisticsOf([1e16, 1, 1e-16])).toMatchObject({ sum: 1e16 + 2 });
});

describe('each figure is that of exact arithmetic', () => {
  const missing = { arbitrary: fc.constant(Number.NaN), weight: 1 };
  const gauge = fc.double({ noNaN: true, min: -1e12, max: 1e12 });
  const counter = fc.nat(Number.MAX_SAFE_INTEGER);
  const lists = [gauge, counter].map((arbitrary) =>
    fc.array(fc.oneof({ arbitrary, weight: 4 }, missing), { minLength: 1, maxLength: 300 }),
  );

  test('of gauges and counters with gaps', () => {
    fc.assert(
      fc.property(fc.oneof(...lists), (values) => expectExact(statisticsOf(values), values)),
      tries(2_000, 513),
    );
  });

  test.each([
    ['23 hours', '2026-03-29', '+01:00', '+02:00', 92],
    ['25 hours', '2026-10-25', '+02:00', '+01:00', 100],
  ])('of a day of %s, with points around it', async (_name, date, before, after, quarters) => {
    const start = Date.parse(`${date}T00:00:00${before}`);
    const end = start + quarters * QUARTER_MS;
    const change = start + 3 * 3_600_000;
    const day = fc.array(fc.option(gauge, { freq: 4 }), { minLength: quarters + 8, maxLength: quarters + 8 });
    const isExact = async (values: (number | null)[]) => {
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
      const inside = values.slice(4, 4 + quarters).map((value) => value ?? Number.NaN);
      if (inside.every(Number.isNaN)) return;
      expect(done.json).toMatchObject({ points: quarters, series: [{ name: 'cpu' }] });
      expectExact((done.json as unknown as { series: Statistics[] }).series[0], inside);
    };
    await fc.assert(fc.asyncProperty(day, isExact), tries(200, 514));
  });
});

const QUARTER_MS = 900_000;

/** Writes an instant with this offset, as a service in that zone does. */
function localTime(time: number, offset: string): string {
  const hours = Number(offset.slice(0, 3));
  return new Date(time + hours * 3_600_000).toISOString().replace('Z', offset);
}

/** A number as it is, in parts of 2 to the power of -1074. */
function exact(value: number): bigint {
  const [bits = 0n] = new BigUint64Array(Float64Array.of(value).buffer);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0 ? fraction : (fraction | 0x10000000000000n) << BigInt(exponent - 1);
  return bits >> 63n === 1n ? -size : size;
}

/** The next number in this direction. */
function neighbour(value: number, direction: 1n | -1n): number {
  if (value === 0) return Number(direction) * Number.MIN_VALUE;
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? direction : -direction);
  return new Float64Array(bits.buffer)[0] ?? Number.NaN;
}

const sizeOf = (value: bigint) => (value < 0n ? -value : value);

function expectExact(figures: Partial<Statistics> | undefined, values: readonly number[]): void {
  const numbers = values.filter((value) => !Number.isNaN(value));
  if (numbers.length === 0) {
    expect(figures).toBeUndefined();
    return;
  }
  const sorted = numbers.toSorted((one, other) => one - other);
  const ranked = (percent: number) => sorted.find((_, index) => (index + 1) * 100 >= percent * numbers.length) ?? 0;
  const { sum = Number.NaN, avg = Number.NaN, ...others } = figures ?? {};
  const simple = { count: numbers.length, min: sorted[0], max: sorted.at(-1), last: numbers.at(-1) };
  const ranks = { p50: ranked(50), p90: ranked(90), p95: ranked(95), p99: ranked(99) };
  for (const [name, value] of Object.entries({ ...simple, ...ranks }))
    expect(exact(Number(others[name as keyof typeof others])), name).toBe(exact(value ?? Number.NaN));
  const total = numbers.reduce((all, value) => all + exact(value), 0n);
  const distance = (value: number) => sizeOf(exact(value) - total);
  const nearest = ([1n, -1n] as const).every((way) => distance(sum) <= distance(neighbour(sum, way)));
  expect(nearest, 'no number is nearer to the sum').toBe(true);
  const count = BigInt(numbers.length);
  // The sum and the quotient are each rounded once.
  const [below, above] = ([-1n, 1n] as const).map((way) => exact(neighbour(neighbour(avg, way), way)) * count);
  expect((below ?? 0n) <= total && total <= (above ?? 0n), 'the average is within two units of its last digit').toBe(
    true,
  );
}
