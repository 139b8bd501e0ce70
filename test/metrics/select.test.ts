import { expect, test } from 'vitest';
import { oneSeriesNamed, selectSeries } from '../../src/metrics/history.ts';
import type { MetricSeries } from '../../src/metrics/series.ts';

const all = [
  'cpuPercent',
  'memoryBytes',
  'networkInBytes',
  'networkOutBytes',
  'cpu',
  'disk.used',
  'disk.free',
  'IOPs',
].map(
  (name): MetricSeries => ({ name, unit: 'count', times: new Float64Array(), values: new Float64Array(), everyMs: 0 }),
);

const namesOf = (...names: string[]) => selectSeries(names, all).map(({ name }) => name);

test('without names all series are meant', () => {
  expect(selectSeries([], all)).toEqual(all);
});

test('an exact name wins, and the first words of names are enough', () => {
  expect(namesOf('cpu')).toEqual(['cpu']);
  expect(namesOf('memory')).toEqual(['memoryBytes']);
  expect(namesOf('MEMORY_BYTES')).toEqual(['memoryBytes']);
  expect(namesOf('network')).toEqual(['networkInBytes', 'networkOutBytes']);
  expect(namesOf('disk')).toEqual(['disk.used', 'disk.free']);
  expect(namesOf('iops')).toEqual(['IOPs']);
});

test('the order is that of the names, and nothing comes twice', () => {
  expect(namesOf('network', 'cpuPercent', 'networkInBytes')).toEqual([
    'networkInBytes',
    'networkOutBytes',
    'cpuPercent',
  ]);
});

test.each(['cp', 'bytes', 'x', '', '...', 'cpuPercentage'])(
  '%j means none, and the error lists what there is',
  (name) => {
    expect(() => selectSeries([name], all)).toThrow(/no series/);
  },
);

test('where one series is needed, a name for several is refused', () => {
  expect(oneSeriesNamed('networkIn', all).name).toBe('networkInBytes');
  expect(() => oneSeriesNamed('network', all)).toThrow(/several/);
});
