import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseStep } from '../../src/metrics/series.ts';
import { tries } from '../support/property.ts';

const MINUTE = 60_000;
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
