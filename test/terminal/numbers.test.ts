import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findMoney,
  formatTicks,
  formatValue,
  niceTicks,
  scaleTicks,
} from '../../src/terminal/format.ts';
import { tries } from '../support/property.ts';

test.each<[number, string | undefined, string]>([
  [1023.6, 'bytes', '1 KiB'],
  [-1536, 'bytes', '-1.5 KiB'],
  [12.34, 'percent', '12.3%'],
  [1_234, 'ms', '1.23 s'],
  [-1_480.4, 'count', '-1,480'],
  [9_999.6, undefined, '10k'],
  [1_500_000, '', '1.5M'],
  [-1.234e-7, 'percent', '-1.2e-7%'],
  [1_500, 'requests', '1,500 requests'],
  [Number.NaN, 'bytes', 'NaN'],
])('%d in %s is written %s', (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text);
});

test('ticks are even, few, and cover all values', () => {
  const bound = fc.double({ min: -1e300, max: 1e300, noNaN: true });
  fc.assert(
    fc.property(
      bound,
      bound,
      fc.constantFrom(undefined, 'bytes', 'percent'),
      (one, other, unit) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const ticks = niceTicks(low, high, 4, unit);
        const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
        // Doubles are exact to 15 digits or so.
        const near = step * 1e-9 + Math.max(Math.abs(low), Math.abs(high)) * 1e-14;
        expect(ticks[0]).toBeLessThanOrEqual(low + near);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(high - near);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(13);
      },
    ),
    tries(3_000, 42),
  );
});

test('labels of close ticks differ', () => {
  const gib = 1024 ** 3;
  expect(formatTicks([2.4 * gib, 2.401 * gib], 'bytes')).toEqual(['2.4 GiB', '2.401 GiB']);
  expect(formatTicks([99.999, 100, 100.001], '%')).toEqual(['99.999%', '100%', '100.001%']);
  expect(formatTicks([1, 1])).toEqual(['1', '1']);
});

test.each([
  [
    { total: { amount: '12.00', currency: 'USD' }, tax: { amount: 1, currency: 'USD' } },
    '12.00 USD',
  ],
  [{ subtotal: 10, total: 12, currency: 'USD' }, '12 USD'],
  [{ amount: 0, currency: 'XAF' }, '0 XAF'],
  [{ price: { amount: 1, currency: 'USD' }, fee: { amount: 2, currency: 'USD' } }, undefined],
  [{ total: 5400 }, undefined],
])('the amount of %j is %s', (order, text) => {
  expect(findMoney(order)).toBe(text);
});

test.each([
  ['small shares', 0, 10, '%', [0, 5, 10]],
  ['large shares', 13, 50.1, '%', [0, 25, 50, 75, 100]],
  ['shares of several processors', 31, 380, '%', [0, 100, 200, 300, 400]],
  ['a single count', 0, 1, 'count', [0, 1]],
  ['a load', 0, 1.5, 'count', [0, 0.5, 1, 1.5]],
] as const)('the scale of %s', (_name, min, max, unit, ticks) => {
  expect(scaleTicks(min, max, 4, unit)).toEqual([...ticks]);
});
