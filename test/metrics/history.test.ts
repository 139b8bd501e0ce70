import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { oneSeriesNamed, readHistory, selectSeries } from '../../src/metrics/history.ts';
import type { MetricSeries } from '../../src/metrics/series.ts';
import { lengthOf, tries } from '../support/property.ts';

const T0 = Date.parse('2026-03-01T00:00:00Z');
const iso = (minute: number) => new Date(T0 + minute * 60_000).toISOString();

/** The series as plain data: name, unit and values, gaps as null. */
function read(answer: unknown, field = '') {
  return readHistory(answer, field).series.map(({ name, unit, values }) => [
    name,
    unit,
    Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
  ]);
}

function failure(answer: unknown, field = ''): string {
  try {
    return `accepted: ${JSON.stringify(readHistory(answer, field))}`;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'unexpected') throw error;
    return `${error.message} Try: ${error.details.hint}`;
  }
}

test('the numbers of the points are series with their units', () => {
  const points = [
    { time: iso(0), cpuPercent: 10, memoryBytes: 1e6 },
    { time: iso(1), cpuPercent: 20, memoryBytes: 2e6 },
  ];
  const series = [
    ['cpuPercent', '%', [10, 20]],
    ['memoryBytes', 'bytes', [1e6, 2e6]],
  ];
  for (const answer of [points, { points }, { data: { history: { points } }, tags: ['a'], count: 2, none: [] }]) {
    expect(read(answer)).toEqual(series);
  }
  expect([...(readHistory(points, '').series[1]?.times ?? [])]).toEqual([T0, T0 + 60_000]);
});

test.each(['5', '-5', '0', '0.50', '1e3', '2.5E-3', '12345678901234567890'])('the text %j is a number', (text) => {
  expect(read([{ time: iso(0), cpu: text }])).toEqual([['cpu', 'count', [Number(text)]]]);
});

test.each(['', ' 5', '5 ', '+5', '.5', '5.', '05', '0x10', '1_000', '5%', 'NaN', 'Infinity', '٥', '1e400'])(
  'the text %j is none',
  (text) => {
    expect(readHistory([{ time: iso(0), cpu: text }], '')).toMatchObject({
      points: 1,
      series: [],
      omitted: 0,
      empty: [],
    });
  },
);

test('a time may be a number in a text, and a count that looks like one is not taken for it', () => {
  const second = T0 / 1000;
  const epoch = [
    { ts: String(second), bytes: '5' },
    { ts: String(second + 60), bytes: '6' },
  ];
  expect(read(epoch)).toEqual([['bytes', 'bytes', [5, 6]]]);
  const both = [
    { bytes: '1500000000', at: iso(0) },
    { bytes: '1500000001', at: iso(1) },
  ];
  expect(read(both)).toEqual([['bytes', 'bytes', [1_500_000_000, 1_500_000_001]]]);
});

test('no points is an empty history', () => {
  expect(readHistory({ points: [] }, '')).toMatchObject({ points: 0, series: [], omitted: 0, empty: [], others: [] });
});

test('the time is the field that is an instant, in any of its forms', () => {
  const second = T0 / 1000;
  const forms: unknown[][] = [
    [iso(0), iso(1)],
    ['2026-03-01T00:00:00', '2026-03-01T00:01:00'],
    ['2026-03-01 00:00', '2026-03-01 00:01'],
    ['2026-03-01T01:00:00+01:00', '2026-03-01T01:01:00+0100'],
    [second, second + 60],
    [T0, T0 + 60_000],
    [second + 0.0, second + 60.0],
  ];
  for (const [first, next] of forms) {
    const [series] = readHistory(
      [
        { timestamp: first, n: 1 },
        { timestamp: next, n: 2 },
      ],
      '',
    ).series;
    expect([...(series?.times ?? [])]).toEqual([T0, T0 + 60_000]);
  }
});

test('bytes that look like seconds are not the time', () => {
  const points = [
    { memory: 1_500_000_000, ts: 1_772_323_200, disk: 1_600_000_000 },
    { memory: 1_500_000_001, ts: 1_772_323_260, disk: 1_600_000_000 },
  ];
  expect(read(points).map(([name]) => name)).toEqual(['memory', 'disk']);
  expect(read(points.map((point) => ({ ...point, ts: undefined, start: iso(0) }))).map(([name]) => name)).toEqual([
    'memory',
    'disk',
  ]);
  const unnamed = points.map(({ memory, ts }) => ({ memory: memory % 2, x: ts }));
  expect(read(unnamed).map(([name]) => name)).toEqual(['memory']);
});

test('of a bucket with a start and an end, the start is the time and the end no series', () => {
  const bucket = (minute: number) => ({ end: T0 / 1000 + minute * 60 + 60, start: T0 / 1000 + minute * 60, n: minute });
  const { series } = readHistory([bucket(0), bucket(1)], '');
  expect(series.map(({ name, times }) => [name, times[0]])).toEqual([['n', T0]]);
  const text = readHistory([{ bucketEnd: iso(1), bucketStart: iso(0), n: 1 }], '').series;
  expect(text.map(({ name, times }) => [name, times[0]])).toEqual([['n', T0]]);
});

test('points without any time cannot be read', () => {
  expect(failure([{ cpu: 5, name: 'x' }])).toContain('No field of the usage points is a time.');
  const upAndDown = [1.5e9, 1.7e9, 1.6e9].map((memory) => ({ memory }));
  expect(failure(upAndDown)).toContain('No field of the usage points is a time.');
});

test('nested numbers are series with dotted names', () => {
  const point = {
    t: iso(0),
    cpu: { avg: 1, max: { value: 2 }, label: 'x', list: [1] },
    ok: true,
    text: 'five',
    'a.b': 3,
  };
  expect(read([point])).toEqual([
    ['cpu.avg', 'count', [1]],
    ['cpu.max.value', 'count', [2]],
    ['a.b', 'count', [3]],
  ]);
});

test('keys of the language are series like any other', () => {
  const points = JSON.parse(`[{"t":"${iso(0)}","__proto__":1,"constructor":{"name":2}}]`) as unknown;
  expect(read(points)).toEqual([
    ['__proto__', 'count', [1]],
    ['constructor.name', 'count', [2]],
  ]);
});

test('null and missing values are gaps, and a series may begin late', () => {
  const points = [
    { t: iso(0), a: 1, b: null },
    { t: iso(1) },
    { t: iso(2), a: null, late: 7 },
    { t: iso(3), a: 4, b: 'x' },
  ];
  expect(read(points)).toEqual([
    ['a', 'count', [1, null, null, 4]],
    ['late', 'count', [null, null, 7, null]],
  ]);
});

test('points are put in order of time, and entries without one are left out', () => {
  const answer = [
    { t: iso(2), n: 2 },
    null,
    { n: 9 },
    { t: null, n: 9 },
    'x',
    { t: iso(0), n: 0 },
    { t: iso(1), n: 1 },
    { t: iso(1), n: 11 },
  ];
  const history = readHistory(answer, '');
  expect(history.points).toBe(4);
  expect([...(history.series[0]?.values ?? [])]).toEqual([0, 1, 11, 2]);
});

test('very many points are read, newest first too', () => {
  const length = lengthOf(2_000_000);
  const answer = Array.from({ length }, (_, index) => ({
    t: T0 + (length - index) * 1000,
    cpu: { avg: index % 100 },
    memoryBytes: index,
  }));
  const { points, series } = readHistory({ points: answer }, '');
  expect(points).toBe(length);
  expect(series.map(({ name, values }) => [name, values.length, values[0]])).toEqual([
    ['cpu.avg', length, 99],
    ['memoryBytes', length, length - 1],
  ]);
});

test('names that change from point to point end at a bound', () => {
  const answer = Array.from({ length: 10_000 }, (_, index) => ({ t: T0 + index, [`n${index}`]: 1 }));
  const { series, omitted } = readHistory(answer, '');
  expect(series.length * 10_000).toBeLessThanOrEqual(2 ** 25);
  expect(series.length + omitted).toBe(10_000);
});

test('any JSON is a history or an error', () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(iso(0), iso(1), T0, T0 / 1000, null));
  const point = fc.dictionary(fc.constantFrom('t', 'time', 'cpu', 'memory', '__proto__', 'x.y', ''), value);
  const answer = fc.oneof(fc.jsonValue(), fc.array(point), fc.record({ points: fc.array(point) }));
  const isUsable = (input: unknown) => {
    const said = failure(input);
    if (!said.startsWith('accepted: ')) return said.startsWith('The answer has ') || said.startsWith('No field of ');
    const { points, series } = readHistory(input, '');
    return series.every(
      ({ times, values }) =>
        times.length === points &&
        values.length === points &&
        times.every((time, at) => at === 0 || time >= (times[at - 1] ?? time)),
    );
  };
  fc.assert(fc.property(answer, isUsable), tries(2_000, 501));
});

test('a field that is null in every point is no series, and is named', () => {
  const points = [
    { time: iso(0), cpu: null, disk: null, note: 'x', in: { bytes: null } },
    { time: iso(1), cpu: 5, disk: null },
  ];
  const { series, empty } = readHistory(points, '');
  expect(series.map(({ name }) => name)).toEqual(['cpu']);
  expect(empty).toEqual(['disk', 'in.bytes']);
});

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
  expect(namesOf('all')).toHaveLength(all.length);
  expect(() => namesOf('all', 'cpu')).toThrow(/no series "all"/);
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
