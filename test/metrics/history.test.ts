import { expect, test } from 'vitest';
import { guessUnit } from '../../src/metrics/field-names.ts';
import { findOneSeries, selectSeries } from '../../src/metrics/find-series.ts';
import { readHistory } from '../../src/metrics/history.ts';
import type { MetricSeries } from '../../src/metrics/series.ts';
import { lengthOf } from '../support/property.ts';

const T0 = Date.parse('2026-03-01T00:00:00Z');
const SECOND = T0 / 1000;
const iso = (minute: number) => new Date(T0 + minute * 60_000).toISOString();

type Read = readonly [name: string, values: readonly (number | null)[]];

const bytes = [0, 60].map((second) => ({
  memory: 1.5e9 + second,
  ts: SECOND + second,
  disk: 1.6e9,
}));
const prototypes = JSON.parse(
  `[{"t":"${iso(0)}","__proto__":1,"constructor":{"name":2}}]`,
) as unknown[];
const nested = {
  t: iso(0),
  cpu: { avg: 1, max: { value: 2 }, label: 'x', list: [1] },
  ok: true,
  'a.b': 3,
};
const bucket = (minute: number) => ({
  end: SECOND + minute * 60 + 60,
  start: SECOND + minute * 60,
  n: minute,
});
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
  'x',
  { t: iso(0), n: 0 },
  { t: iso(1), n: 1 },
  { t: iso(1), n: 11 },
];
const counts = [0, 1].map((minute) => ({ bytes: `${1.5e9 + minute}`, at: iso(minute) }));

test.each<[what: string, points: readonly unknown[], series: readonly Read[]]>([
  [
    'numbers in texts, and times too',
    [
      { ts: `${SECOND}`, n: '5' },
      { ts: `${SECOND + 60}`, n: '6' },
    ],
    [['n', [5, 6]]],
  ],
  ['counts that look like a time in text', counts, [['bytes', [1.5e9, 1.5e9 + 1]]]],
  [
    'bytes that look like seconds',
    bytes,
    [
      ['memory', [1.5e9, 1.5e9 + 60]],
      ['disk', [1.6e9, 1.6e9]],
    ],
  ],
  [
    'a time without a name',
    [0, 60].map((second) => ({ memory: 1, x: SECOND + second })),
    [['memory', [1, 1]]],
  ],
  ['buckets with a start and an end', [bucket(0), bucket(1)], [['n', [0, 1]]]],
  [
    'nested numbers',
    [nested],
    [
      ['cpu.avg', [1]],
      ['cpu.max.value', [2]],
      ['a.b', [3]],
    ],
  ],
  [
    'keys of the language',
    prototypes,
    [
      ['__proto__', [1]],
      ['constructor.name', [2]],
    ],
  ],
  [
    'gaps, and a series that begins late',
    late,
    [
      ['a', [1, null, null, 4]],
      ['late', [null, null, 7, null]],
    ],
  ],
  ['points in any order, and entries without a time', mixed, [['n', [0, 1, 11, 2]]]],
])('points of %s are series', (_what, points, series) => {
  const read = readHistory(points, '').series;
  const gapsAsNull = (values: Float64Array) =>
    Array.from(values, (value) => (Number.isNaN(value) ? null : value));
  expect(read.map(({ name, values }) => [name, gapsAsNull(values)])).toEqual(series);
  for (const { times } of read) expect(times[0]).toBe(T0);
});

test.each([
  [iso(0), iso(1)],
  ['2026-03-01 00:00', '2026-03-01 00:01'],
  ['2026-03-01T01:00:00+01:00', '2026-03-01T01:01:00+0100'],
  [SECOND, SECOND + 60],
  [T0, T0 + 60_000],
])('%j and %j are times', (first, next) => {
  const { series } = readHistory(
    [
      { timestamp: first, n: 1 },
      { timestamp: next, n: 2 },
    ],
    '',
  );
  expect([...(series[0]?.times ?? [])]).toEqual([T0, T0 + 60_000]);
});

test('points without a time are an error', () => {
  for (const points of [
    [{ cpu: 5, name: 'x' }],
    [1.5e9, 1.7e9, 1.6e9].map((memory) => ({ memory })),
  ])
    expect(() => readHistory(points, '')).toThrow('No field of the usage points is a time.');
});

test('a field without a number in any point is no series, and is named', () => {
  const points = [
    { time: iso(0), cpu: null, disk: null, note: '05', in: { bytes: null } },
    { time: iso(1), cpu: 5, disk: null },
  ];
  const { series, empty } = readHistory(points, '');

  expect(series.map(({ name }) => name)).toEqual(['cpu']);
  expect(empty).toEqual(['disk', 'note', 'in.bytes']);
});

test('very many points are read, newest first too', () => {
  const length = lengthOf(2_000_000);
  const points = Array.from({ length }, (_, index) => ({
    t: T0 + (length - index) * 1000,
    cpu: { avg: index % 100 },
  }));
  const { values } = readHistory({ points }, '').series[0] ?? {};
  expect([values?.length, values?.[0]]).toEqual([length, 99]);
});

test('names that change from point to point end at a bound', () => {
  const points = Array.from({ length: 10_000 }, (_, index) => ({
    t: T0 + index,
    [`n${index}`]: 1,
  }));

  expect(() => readHistory(points, '')).toThrow('too many fields');
});

const NAMES = [
  'cpuPercent',
  'networkInBytes',
  'networkOutBytes',
  'cpu',
  'disk.used',
  'disk.free',
  'IOPs',
];
const none = new Float64Array();
const all = NAMES.map(
  (name): MetricSeries => ({
    name,
    measure: name,
    unit: 'count',
    times: none,
    values: none,
    everyMs: 0,
  }),
);

test.each<[names: readonly string[], found: readonly string[] | RegExp]>([
  [['all'], NAMES],
  [['all', 'cpu'], /no series "all"/],
  [['cpu'], ['cpu']],
  [['NETWORK_IN'], ['networkInBytes']],
  [['disk'], ['disk.used', 'disk.free']],
  [['iops'], ['IOPs']],
  [
    ['network', 'cpuPercent', 'networkInBytes'],
    ['networkInBytes', 'networkOutBytes', 'cpuPercent'],
  ],
  ...['cp', 'bytes', '', 'cpuPercentage'].map((name): [string[], RegExp] => [
    [name],
    /no series .*/,
  ]),
])('the names %j mean %j', (names, found) => {
  const select = () => selectSeries(names, all).map(({ name }) => name);
  if (found instanceof RegExp) expect(select).toThrow(found);
  else expect(select()).toEqual(found);
});

test('the exact name of a measurement beats those that begin with it, for each instance', () => {
  const points = ['a', 'b'].map((vm) => ({ t: iso(0), vm, cpuPercent: 5, cpu: 1 }));

  const { series } = readHistory(points, '');

  const names = selectSeries(['cpu'], series).map(({ name }) => name);
  expect(names).toEqual(['cpu{a}', 'cpu{b}']);
});

test('if one series is needed, a name for several is refused', () => {
  expect(findOneSeries('networkIn', { all, empty: [] })?.name).toBe('networkInBytes');
  expect(() => findOneSeries('network', { all, empty: [] })).toThrow(/several/);
});

test.each<[unit: string, value: number, names: readonly string[]]>([
  ['%', 1, ['cpuPercent', 'cpu_pct', 'cpuPercent.avg']],
  ['bytes', 1, ['memoryBytes', 'networkBytesPerSecond']],
  ['ms', 1, ['latencyMs', 'latency.p95.ms', 'latencyMs_max']],
  ['s', 1, ['uptimeSeconds', 'build_sec']],
  ['count', 1, ['requestsPerSecond', 'cpu', '', 'dreams', '__proto__']],
  // Sizes without a unit are bytes if they are large enough.
  ['bytes', 5e8, ['memory', 'disk.used']],
  ['count', 512, ['memory']],
])('the unit %s at %d is that of %j', (unit, value, names) => {
  expect(names.map((name) => guessUnit(name, Float64Array.of(Number.NaN, value)))).toEqual(
    names.map(() => unit),
  );
});

/** Points of these instances at minute 0 and 1, with a value that names both. */
const ofInstances = (field: string, ...instances: readonly string[]) =>
  [0, 1].flatMap((minute) =>
    instances.map((instance, at) => ({
      timestamp: iso(minute),
      [field]: instance,
      cpu: 10 * at + minute,
    })),
  );

const twoMetrics = [0, 1].flatMap((minute) => [
  { t: iso(minute), metric: 'cpu', value: minute, unit: '%' },
  { t: iso(minute), metric: 'memory_bytes', value: 1000 + minute, unit: 'B' },
]);

const metricsOfInstances = ['web-1', 'web-2'].flatMap((host, at) => [
  { t: iso(0), host, metricName: 'x', series: 'cpu', value: at },
  { t: iso(0), host, metricName: 'x', series: 'load', value: 5 + at },
]);

const WEB: readonly Read[] = [
  ['cpu{web-1}', [0, 1]],
  ['cpu{web-2}', [10, 11]],
];

test.each<[what: string, points: readonly unknown[], series: readonly Read[]]>([
  ['rows of instances', ofInstances('instance', 'web-1', 'web-2'), WEB],
  [
    'rows of instances, in any order',
    ofInstances('pod', 'web-1', 'web-2').toReversed(),
    [...WEB].reverse(),
  ],
  [
    'rows with an id of their own beside the instance',
    ofInstances('instance', 'web-1', 'web-2').map((row, at) => ({ id: `id-${at}`, ...row })),
    WEB,
  ],
  [
    'rows of instances in an object of labels',
    ofInstances('instance', 'web-1', 'web-2').map(({ instance, ...row }) => ({
      ...row,
      labels: { instance },
    })),
    WEB,
  ],
  [
    'rows of metrics',
    twoMetrics,
    [
      ['cpu', [0, 1]],
      ['memory_bytes', [1000, 1001]],
    ],
  ],
  [
    'rows of metrics of instances',
    metricsOfInstances,
    [
      ['cpu{web-1}', [0]],
      ['load{web-1}', [5]],
      ['cpu{web-2}', [1]],
      ['load{web-2}', [6]],
    ],
  ],
  [
    'an instance that begins late, and a row that came twice',
    [
      { t: iso(0), vm: 'a', n: 1 },
      { t: iso(1), vm: 'a', n: 2 },
      { t: iso(1), vm: 'b', n: 3 },
      { t: iso(1), vm: 'b', n: 4 },
    ],
    [
      ['n{a}', [1, 2, null]],
      ['n{b}', [null, 3, 4]],
    ],
  ],
  [
    'rows of one instance, which stay one series',
    [
      { t: iso(0), vm: 'a', n: 1 },
      { t: iso(1), vm: 'a', n: 2 },
    ],
    [['n', [1, 2]]],
  ],
])('several points of one time: %s', (_what, points, series) => {
  const read = readHistory(points, '');

  const gapsAsNull = (values: Float64Array) =>
    Array.from(values, (value) => (Number.isNaN(value) ? null : value));
  expect(read.series.map(({ name, values }) => [name, gapsAsNull(values)])).toEqual(series);
});

test('the unit of a series of an instance is that of its field', () => {
  const points = ['a', 'b'].map((vm) => ({ t: iso(0), vm, cpuPercent: 5 }));

  const { series } = readHistory(points, '');

  expect(series.map(({ unit }) => unit)).toEqual(['%', '%']);
});

test('50 instances are 50 series, and one more is none', () => {
  const instances = Array.from({ length: 51 }, (_, at) => `web-${at}`);

  expect(readHistory(ofInstances('vm', ...instances.slice(1)), '').series).toHaveLength(50);
  expect(() => readHistory(ofInstances('vm', ...instances), '')).toThrow(
    expect.objectContaining({ code: 'no_data', message: expect.stringContaining('"vm"') }),
  );
});
