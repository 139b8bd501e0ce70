import { expect, test } from 'vitest';
import { areErrors, orderByInterest } from '../../src/metrics/series.ts';

const TIMES = Float64Array.from([0, 1, 2, 3]);

function series(name: string, values: readonly number[]) {
  return {
    name,
    measure: name,
    unit: 'count',
    times: TIMES,
    values: Float64Array.from(values),
    everyMs: 1,
  } as const;
}

test('CPU, memory, errors and response time come first, then what varies most', () => {
  const ordered = orderByInterest([
    series('diskBytes', [100, 100, 100, 101]),
    series('requests', [1, 90, 2, 70]),
    series('p95ResponseTimeMs', [1, 1, 1, 1]),
    series('queue', [Number.NaN, Number.NaN, Number.NaN, Number.NaN]),
    series('http.errors', [0, 0, 0, 0]),
    series('memory_used', [5, 5, 5, 5]),
    series('cpu.avg', [5, 6, 7, 8]),
  ]);

  expect(ordered.map(({ name }) => name)).toEqual([
    'cpu.avg',
    'memory_used',
    'http.errors',
    'p95ResponseTimeMs',
    'requests',
    'diskBytes',
    'queue',
  ]);
});

test.each([
  ['errors', true],
  ['http5xx', false],
  ['http.5xx', true],
  ['failedJobs', true],
  ['requests', false],
])('values of %s above 0 are bad news: %s', (name, isBad) => {
  expect(areErrors(name)).toBe(isBad);
});
