import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { readHistory } from '../../src/metrics/history.ts';
import { findPoints } from '../../src/metrics/points.ts';

const POINT = { n: 1 };
const MANY = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`list${index}`, [POINT]]));

/* biome-ignore format: a row a line */
test.each<[answer: unknown, field: string, points: readonly unknown[]]>([
  [[POINT], '', [POINT]],
  [{ points: [POINT] }, '', [POINT]],
  [{ a: { b: { c: [POINT] } }, tags: ['a'], count: 2, none: [] }, '', [POINT]],
  [[], '', []],
  [{ a: { b: [] } }, '', []],
  [{ requests: [{ n: 2 }], usage: { points: [POINT] } }, 'usage.points', [POINT]],
  [{ requests: [{ n: 2 }], usage: { points: [POINT] } }, 'requests', [{ n: 2 }]],
])('the points of %j in %j are %j', (answer, field, points) => {
  expect(findPoints(answer, field).points).toEqual(points);
});

const NONE = 'The answer has no usage points in a form that svc can read.';
const named = (field: string) => `The answer has no list named ${field}, which metrics.points says.`;
const SEVERAL = 'The answer has several lists that could be the usage points: ';
const HINT = 'Print the answer with --json, and set SVC_ASSUME=metrics.points=';

/* biome-ignore format: a row a line */
test.each<[answer: unknown, field: string, message: string, hint?: string]>([
  [{ cpu: 5 }, '', NONE],
  [{ a: [1, 2] }, '', NONE],
  [[1, 2], '', NONE],
  [[[1, 2]], '', NONE],
  [null, '', NONE],
  ['x', '', NONE],
  [{ a: [POINT], b: { c: [POINT] } }, '', `${SEVERAL}a, b.c.`, `${HINT}a.`],
  [MANY, '', `${SEVERAL}list0, list1, list2, list3, list4 and 995 more.`, `${HINT}list0.`],
  [{ requests: [POINT], usage: {} }, 'points', named('points'), `${HINT}requests.`],
  [{ requests: [POINT] }, 'constructor', named('constructor'), `${HINT}requests.`],
  [{ requests: [POINT] }, '__proto__', named('__proto__'), `${HINT}requests.`],
  [{ requests: [POINT] }, 'requests.0', named('requests.0'), `${HINT}requests.`],
  [[], 'points', named('points')],
])('%j has no points in %j: %s', (answer, field, message, hint) => {
  const failure = new CliError('unexpected', message, { hint });
  expect(() => findPoints(answer, field)).toThrow(failure);
  try {
    findPoints(answer, field);
  } catch (error) {
    expect(error).toMatchObject({ code: 'unexpected', details: { hint } });
  }
});

const T0 = Date.parse('2026-03-01T00:00:00Z');
const iso = (minute: number) => new Date(T0 + minute * 60_000).toISOString();
const sec = (minute: number) => T0 / 1000 + minute * 60;

type Read = readonly [name: string, minutes: readonly number[], values: readonly (number | null)[]];
const BOTH: readonly Read[] = [
  ['cpu', [0, 1], [5, 6]],
  ['memory', [0, 1], [7, 8]],
];
const pairs = (time: (minute: number) => unknown, t: string, v: string, first: unknown, second: unknown) => [
  { [t]: time(0), [v]: first },
  { [t]: time(1), [v]: second },
];
const [cpu, memory] = [pairs(iso, 't', 'v', 5, 6), pairs(iso, 't', 'v', 7, 8)];
const tuples = [
  [iso(0), 5],
  [iso(1), null],
];
const bucket = (minute: number) => ({ name: 'b', time: iso(minute), cpu: minute, events: [{ t: iso(minute), v: 1 }] });
const atOtherTimes = {
  cpu: [
    { t: iso(2), avg: 5, max: 9 },
    { t: iso(0), avg: 6, max: 8 },
  ],
  disk: [{ t: iso(1), value: 1 }],
};

/* biome-ignore format: a row a line */
test.each<[what: string, answer: unknown, series: readonly Read[], field?: string]>([
  ['a list for each series', { cpu, memory, tags: ['a'] }, BOTH],
  ['the same, wrapped and in seconds', { data: { cpu: pairs(sec, 'time', 'value', '5', '6'), memory: pairs(sec, 'time', 'value', 7, 8) } }, BOTH],
  ['tuples for each series', { cpu: [[iso(0), 5], [iso(1), 6]], memory: [[iso(0), 7], [iso(1), 8]] }, BOTH],
  ['series with names', { step: 60, series: [{ name: 'cpu', points: cpu }, { name: 'memory', points: memory }] }, BOTH],
  ['series of tuples with the time last', [{ metric: 'cpu', datapoints: [[5, sec(0)], [6, sec(1)]] }, { metric: 'memory', datapoints: [[7, sec(0)], [8, sec(1)]] }], BOTH],
  ['columns', { timestamps: [iso(0), iso(1)], cpu: [5, 6], memory: [7, 8] }, BOTH],
  ['columns below the times', { time: [sec(0), sec(1)], values: { cpu: [5, 6], memory: [7, 8] } }, BOTH],
  ['rows below a head', { columns: ['time', 'cpu', 'memory'], rows: [[iso(0), 5, 7], [iso(1), 6, 8]] }, BOTH],
  ['tuples, whose values have generic names', tuples, [['value', [0, 1], [5, null]]]],
  ['tuples under a name', { points: tuples }, [['value', [0, 1], [5, null]]]],
  ['tuples of several values', [[sec(0), 5, 7]], [['value1', [0], [5]], ['value2', [0], [7]]]],
  ['a list with the name of its series', { cpu }, [['cpu', [0, 1], [5, 6]]]],
  ['a list that is called points', { points: cpu }, [['v', [0, 1], [5, 6]]]],
  ['a list that the assumption names', { cpu, points: cpu }, [['v', [0, 1], [5, 6]]], 'points'],
  ['series that were measured at other times, with gaps', atOtherTimes, [['cpu.avg', [0, 1, 2], [6, null, 5]], ['cpu.max', [0, 1, 2], [8, null, 9]], ['disk', [0, 1, 2], [null, 1, null]]]],
  ['buckets with lists in them, which are no series', { buckets: [bucket(0), bucket(1)] }, [['cpu', [0, 1], [0, 1]]]],
])('%s are read', (_what, answer, series, field = '') => {
  const read = readHistory(answer, field).series.map(({ name, times, values }) => [
    name,
    Array.from(times, (time) => (time - T0) / 60_000),
    Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
  ]);
  expect(read).toEqual(series);
});

test('the parts with the points are known, so that the rest can be shown', () => {
  const lists = { time: [iso(0)], cpu: [1] };
  expect(readHistory({ ...lists, note: 'x' }, '').parts).toEqual([lists.time, lists.cpu]);
});
