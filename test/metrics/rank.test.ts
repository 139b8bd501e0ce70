import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueOfRank } from '../../src/metrics/statistics.ts';

test('the value of a rank is the value that sorting would put there', () => {
  const numbers = fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(numbers, fc.nat(), (values, any) => {
      const index = any % values.length;
      const sorted = Float64Array.from(values).sort();
      expect(valueOfRank(Float64Array.from(values), index)).toBe(sorted[index]);
    }),
  );
});

test.each([
  ['equal values', () => 7],
  ['rising values', (index: number) => index],
  ['falling values', (index: number) => -index],
  ['a hill', (index: number) => Math.abs(index - 50_000)],
  ['a few values many times', (index: number) => index % 3],
])('a long row of %s is ranked correctly', (_name, valueAt) => {
  const values = Float64Array.from({ length: 100_000 }, (_, index) => valueAt(index));
  const sorted = values.slice().sort();
  for (const index of [0, 50_000, 94_999, 99_999]) {
    expect(valueOfRank(values.slice(), index)).toBe(sorted[index]);
  }
});
