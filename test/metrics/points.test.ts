import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { readHistory } from '../../src/metrics/history.ts';
import { findPoints } from '../../src/metrics/points.ts';

const POINT = { n: 1 };

function failure(answer: unknown, field = ''): string {
  try {
    return `found: ${JSON.stringify(findPoints(answer, field))}`;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'unexpected') throw error;
    return [error.message, error.details.hint].filter((part) => part !== undefined).join(' ');
  }
}

test('the one list of objects is the points, wherever it stands', () => {
  for (const answer of [[POINT], { points: [POINT] }, { a: { b: { c: [POINT] } }, tags: ['a'], count: 2, none: [] }]) {
    expect(findPoints(answer, '').points).toEqual([POINT]);
  }
  for (const answer of [[], { points: [] }, { a: { b: [] } }]) expect(findPoints(answer, '').points).toEqual([]);
});

test('a named field is the points, dotted where it is nested', () => {
  const answer = { requests: [{ n: 2 }], usage: { points: [POINT] } };
  expect(findPoints(answer, 'usage.points').points).toEqual([POINT]);
  expect(findPoints(answer, 'requests').points).toEqual([{ n: 2 }]);
});

test('an error about a field that is not a list names the lists', () => {
  const answer = { requests: [POINT], usage: {} };
  expect(failure(answer, 'points')).toBe(
    'The answer has no list named points, which metrics.points says. Print the answer with --json, and set SVC_ASSUME=metrics.points=requests.',
  );
  for (const field of ['constructor', 'usage', 'usage.points', '__proto__', '.', 'requests.0']) {
    expect(failure(answer, field)).toContain(`has no list named ${field}`);
  }
  expect(failure([], 'points')).toContain('has no list named points');
});

test('an answer with no list is an error, and one with several an error with a hint', () => {
  const none = 'The answer has no usage points in a form that svc can read.';
  // The command names itself as the next step.
  expect(failure({ cpu: 5 })).toBe(none);
  expect(failure({ a: [POINT], b: { c: [POINT] } })).toBe(
    'The answer has several lists that could be the usage points: a, b.c. Print the answer with --json, and set SVC_ASSUME=metrics.points=a.',
  );
  for (const answer of [{ a: [1, 2] }, [1, 2], [[1, 2]], null, 'x', 5, true]) expect(failure(answer)).toContain(none);
});

test('of many lists five are named', () => {
  const answer = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`list${index}`, [POINT]]));
  expect(failure(answer)).toContain('list0, list1, list2, list3, list4 and 995 more. Print');
});

const T0 = Date.parse('2026-03-01T00:00:00Z');
const iso = (minute: number) => new Date(T0 + minute * 60_000).toISOString();
const sec = (minute: number) => T0 / 1000 + minute * 60;

/** The series of an answer: their names, minutes and values, gaps as null. */
function read(answer: unknown, field = '') {
  return readHistory(answer, field).series.map(({ name, times, values }) => [
    name,
    Array.from(times, (time) => (time - T0) / 60_000),
    Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
  ]);
}

const BOTH = [
  ['cpu', [0, 1], [5, 6]],
  ['memory', [0, 1], [7, 8]],
];

const pairs = (time: (minute: number) => unknown, t: string, v: string, first: unknown, second: unknown) => [
  { [t]: time(0), [v]: first },
  { [t]: time(1), [v]: second },
];
const [cpu, memory] = [pairs(iso, 't', 'v', 5, 6), pairs(iso, 't', 'v', 7, 8)];

/* biome-ignore format: a row a line */
test.each<[string, unknown]>([
  ['a list for each series', { cpu, memory, tags: ['a'] }],
  ['the same, wrapped and in seconds', { data: { cpu: pairs(sec, 'time', 'value', '5', '6'), memory: pairs(sec, 'time', 'value', 7, 8) } }],
  ['tuples for each series', { cpu: [[iso(0), 5], [iso(1), 6]], memory: [[iso(0), 7], [iso(1), 8]] }],
  ['series with names', { step: 60, series: [{ name: 'cpu', points: cpu }, { name: 'memory', points: memory }] }],
  ['series of tuples with the time last', [{ metric: 'cpu', datapoints: [[5, sec(0)], [6, sec(1)]] }, { metric: 'memory', datapoints: [[7, sec(0)], [8, sec(1)]] }]],
  ['columns', { timestamps: [iso(0), iso(1)], cpu: [5, 6], memory: [7, 8] }],
  ['columns below the times', { time: [sec(0), sec(1)], values: { cpu: [5, 6], memory: [7, 8] } }],
  ['rows below a head', { columns: ['time', 'cpu', 'memory'], rows: [[iso(0), 5, 7], [iso(1), 6, 8]] }],
])('%s are read', (_name, answer) => {
  expect(read(answer)).toEqual(BOTH);
});

test('values of tuples have generic names', () => {
  const tuples = [
    [iso(0), 5],
    [iso(1), null],
  ];
  for (const answer of [tuples, { points: tuples }]) expect(read(answer)).toEqual([['value', [0, 1], [5, null]]]);
  expect(read([[sec(0), 5, 7]])).toEqual([
    ['value1', [0], [5]],
    ['value2', [0], [7]],
  ]);
});

test('the name of a list becomes the name of its series, unless it is called points', () => {
  const list = cpu;
  expect(read({ cpu: list })).toEqual([['cpu', [0, 1], [5, 6]]]);
  expect(read({ points: list })).toEqual([['v', [0, 1], [5, 6]]]);
  expect(read({ cpu: list, points: list }, 'points')).toEqual([['v', [0, 1], [5, 6]]]);
});

test('series that were measured at other times have gaps, and several values have names', () => {
  const answer = {
    cpu: [
      { t: iso(2), avg: 5, max: 9 },
      { t: iso(0), avg: 6, max: 8 },
    ],
    disk: [{ t: iso(1), value: 1 }],
  };
  expect(read(answer)).toEqual([
    ['cpu.avg', [0, 1, 2], [6, null, 5]],
    ['cpu.max', [0, 1, 2], [8, null, 9]],
    ['disk', [0, 1, 2], [null, 1, null]],
  ]);
});

test('buckets with lists in them are points and no series', () => {
  const bucket = (minute: number) => ({
    name: 'b',
    time: iso(minute),
    cpu: minute,
    events: [{ t: iso(minute), v: 1 }],
  });
  expect(read({ buckets: [bucket(0), bucket(1)] })).toEqual([['cpu', [0, 1], [0, 1]]]);
});

test('the parts with the points are known, so that the rest can be shown', () => {
  const lists = { time: [iso(0)], cpu: [1] };
  expect(readHistory({ ...lists, note: 'x' }, '').parts).toEqual([lists.time, lists.cpu]);
});
