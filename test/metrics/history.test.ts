import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { guessUnit } from '../../src/metrics/fields.ts';
import { oneSeriesNamed, readHistory, selectSeries } from '../../src/metrics/history.ts';
import type { MetricSeries } from '../../src/metrics/series.ts';
import { lengthOf, tries } from '../support/property.ts';

const T0 = Date.parse('2026-03-01T00:00:00Z');
const SECOND = T0 / 1000;
const iso = (minute: number) => new Date(T0 + minute * 60_000).toISOString();

type Read = readonly [name: string, values: readonly (number | null)[], firstTime?: number];

const bytes = (more: (second: number) => object) =>
  [0, 60].map((second) => ({ memory: 1.5e9 + second, ...more(second), disk: 1.6e9 }));
const prototypes = JSON.parse(`[{"t":"${iso(0)}","__proto__":1,"constructor":{"name":2}}]`) as unknown[];
const nested = {
  t: iso(0),
  cpu: { avg: 1, max: { value: 2 }, label: 'x', list: [1] },
  ok: true,
  text: 'five',
  'a.b': 3,
};
const bucket = (minute: number) => ({ end: SECOND + minute * 60 + 60, start: SECOND + minute * 60, n: minute });
const late = [
  { t: iso(0), a: 1, b: null },
  { t: iso(1) },
  { t: iso(2), a: null, late: 7 },
  { t: iso(3), a: 4, b: 'x' },
];
const mixed = [
  { t: iso(2), n: 2 },
  null,
  { n: 9 },
  { t: null, n: 9 },
  'x',
  { t: iso(0), n: 0 },
  { t: iso(1), n: 1 },
  { t: iso(1), n: 11 },
];

/* biome-ignore format: a row a line */
test.each<[what: string, points: readonly unknown[], series: readonly Read[]]>([
  ['numbers', [{ time: iso(0), cpu: 10, memory: 1 }, { time: iso(1), cpu: 20, memory: 2 }], [['cpu', [10, 20]], ['memory', [1, 2]]]],
  ['numbers in texts, and times too', [{ ts: `${SECOND}`, n: '5' }, { ts: `${SECOND + 60}`, n: '6' }], [['n', [5, 6]]]],
  ['counts that look like a time in text', [{ bytes: '1500000000', at: iso(0) }, { bytes: '1500000001', at: iso(1) }], [['bytes', [1.5e9, 1.5e9 + 1]]]],
  ['bytes that look like seconds', bytes((second) => ({ ts: SECOND + second })), [['memory', [1.5e9, 1.5e9 + 60]], ['disk', [1.6e9, 1.6e9]]]],
  ['bytes beside a time in text', bytes(() => ({ start: iso(0) })), [['memory', [1.5e9, 1.5e9 + 60]], ['disk', [1.6e9, 1.6e9]]]],
  ['a time without a name', [0, 60].map((second) => ({ memory: second % 2, x: SECOND + second })), [['memory', [0, 0]]]],
  ['buckets with a start and an end', [bucket(0), bucket(1)], [['n', [0, 1], T0]]],
  ['buckets in texts', [{ bucketEnd: iso(1), bucketStart: iso(0), n: 1 }], [['n', [1], T0]]],
  ['nested numbers', [nested], [['cpu.avg', [1]], ['cpu.max.value', [2]], ['a.b', [3]]]],
  ['keys of the language', prototypes, [['__proto__', [1]], ['constructor.name', [2]]]],
  ['gaps, and a series that begins late', late, [['a', [1, null, null, 4]], ['late', [null, null, 7, null]]]],
  ['points in any order, and entries without a time', mixed, [['n', [0, 1, 11, 2]]]],
])('points of %s are series', (_what, points, series) => {
  const read = readHistory(points, '').series;
  const gapsAsNull = (values: Float64Array) => Array.from(values, (value) => (Number.isNaN(value) ? null : value));
  expect(read.map(({ name, values }) => [name, gapsAsNull(values)])).toEqual(series.map((one) => one.slice(0, 2)));
  for (const { times } of read) expect(times[0]).toBe(T0);
});

/* biome-ignore format: a row a line */
test.each<[text: string, isNumber: boolean]>([
  ...['5', '-5', '0', '0.50', '1e3', '2.5E-3', '12345678901234567890'].map((text): [string, boolean] => [text, true]),
  ...['', ' 5', '+5', '.5', '5.', '05', '0x10', '1_000', '5%', 'NaN', 'Infinity', '٥', '1e400'].map((text): [string, boolean] => [text, false]),
])('the text %j is a number: %s', (text, isNumber) => {
  const { points, series, omitted, empty } = readHistory([{ time: iso(0), cpu: text }], '');
  expect([points, omitted, empty, series.map(({ values }) => values[0])]).toEqual([1, 0, [], isNumber ? [Number(text)] : []]);
});

/* biome-ignore format: a row a line */
test.each<[first: unknown, next: unknown]>([
  [iso(0), iso(1)],
  ['2026-03-01T00:00:00', '2026-03-01T00:01:00'],
  ['2026-03-01 00:00', '2026-03-01 00:01'],
  ['2026-03-01T01:00:00+01:00', '2026-03-01T01:01:00+0100'],
  [SECOND, SECOND + 60],
  [T0, T0 + 60_000],
])('%j and %j are times', (first, next) => {
  const { series } = readHistory([{ timestamp: first, n: 1 }, { timestamp: next, n: 2 }], '');
  expect([...(series[0]?.times ?? [])]).toEqual([T0, T0 + 60_000]);
});

test.each([[[{ cpu: 5, name: 'x' }]], [[1.5e9, 1.7e9, 1.6e9].map((memory) => ({ memory }))]])(
  '%j has no time',
  (points) => {
    expect(() => readHistory(points, '')).toThrow('No field of the usage points is a time.');
  },
);

test('no points are an empty history; a field that is null in every point is no series, and is named', () => {
  expect(readHistory({ points: [] }, '')).toMatchObject({ points: 0, series: [], omitted: 0, empty: [], others: [] });
  const points = [
    { time: iso(0), cpu: null, disk: null, note: 'x', in: { bytes: null } },
    { time: iso(1), cpu: 5, disk: null },
  ];
  const { series, empty, others } = readHistory(points, '');
  expect([series.map(({ name }) => name), empty, others]).toEqual([['cpu'], ['disk', 'in.bytes'], ['note']]);
});

test('very many points are read, newest first too', () => {
  const length = lengthOf(2_000_000);
  const points = Array.from({ length }, (_, index) => ({ t: T0 + (length - index) * 1000, cpu: { avg: index % 100 } }));
  const history = readHistory({ points }, '');
  expect([history.points, history.series[0]?.values.length, history.series[0]?.values[0]]).toEqual([
    length,
    length,
    99,
  ]);
});

test('names that change from point to point end at a bound', () => {
  const points = Array.from({ length: 10_000 }, (_, index) => ({ t: T0 + index, [`n${index}`]: 1 }));
  const { series, omitted } = readHistory(points, '');
  expect(series.length * 10_000).toBeLessThanOrEqual(2 ** 25);
  expect(series.length + omitted).toBe(10_000);
});

test('any JSON is a history or an error', () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(iso(0), iso(1), T0, SECOND, null));
  const point = fc.dictionary(fc.constantFrom('t', 'time', 'cpu', 'memory', '__proto__', 'x.y', ''), value);
  const answer = fc.oneof(fc.jsonValue(), fc.array(point), fc.record({ points: fc.array(point) }));
  const isUsable = (input: unknown) => {
    try {
      const { points, series } = readHistory(input, '');
      const isRising = (times: Float64Array) => times.every((time, at) => at === 0 || time >= (times[at - 1] ?? time));
      return series.every(
        ({ times, values }) => times.length === points && values.length === points && isRising(times),
      );
    } catch (error) {
      return error instanceof CliError && error.code === 'unexpected';
    }
  };
  fc.assert(fc.property(answer, isUsable), tries(2_000, 501));
});

const NAMES = [
  'cpuPercent',
  'memoryBytes',
  'networkInBytes',
  'networkOutBytes',
  'cpu',
  'disk.used',
  'disk.free',
  'IOPs',
];
const none = new Float64Array();
const all = NAMES.map((name): MetricSeries => ({ name, unit: 'count', times: none, values: none, everyMs: 0 }));

/* biome-ignore format: a row a line */
test.each<[names: readonly string[], found: readonly string[] | RegExp]>([
  [[], NAMES],
  [['all'], NAMES],
  [['all', 'cpu'], /no series "all"/],
  [['cpu'], ['cpu']],
  [['memory'], ['memoryBytes']],
  [['MEMORY_BYTES'], ['memoryBytes']],
  [['disk'], ['disk.used', 'disk.free']],
  [['iops'], ['IOPs']],
  [['network', 'cpuPercent', 'networkInBytes'], ['networkInBytes', 'networkOutBytes', 'cpuPercent']],
  ...['cp', 'bytes', 'x', '', '...', 'cpuPercentage'].map((name): [string[], RegExp] => [[name], /no series .*/]),
])('the names %j mean %j', (names, found) => {
  const select = () => selectSeries(names, all).map(({ name }) => name);
  if (found instanceof RegExp) expect(select).toThrow(found);
  else expect(select()).toEqual(found);
});

test('if one series is needed, a name for several is refused', () => {
  expect(oneSeriesNamed('networkIn', all, [])?.name).toBe('networkInBytes');
  expect(() => oneSeriesNamed('network', all, [])).toThrow(/several/);
});

/* biome-ignore format: a row a line */
test.each<[unit: string, value: number, names: readonly string[]]>([
  ['%', 1, ['cpuPercent', 'cpu_pct', 'cpu.percent', 'cpuPercent.avg']],
  ['bytes', 1, ['memoryBytes', 'disk.used_bytes', 'networkBytesPerSecond']],
  ['ms', 1, ['latencyMs', 'latency.p95.ms', 'responseMilliseconds', 'latencyMs_max', 'MS']],
  ['s', 1, ['uptimeSeconds', 'build_sec']],
  ['count', 1, ['requestsPerSecond', 'requests', 'cpu', '', '.', 'dreams', '__proto__']],
  // Sizes without a unit are bytes if they are large enough.
  ['bytes', 5e8, ['memory', 'disk.used', 'heap']],
  ['count', 512, ['memory']],
  ['count', 5e8, ['requests']],
])('the unit %s at %d is that of %j', (unit, value, names) => {
  expect(names.map((name) => guessUnit(name, Float64Array.of(Number.NaN, value)))).toEqual(names.map(() => unit));
});
