import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { findPoints, readHistory } from '../../src/metrics/history.ts';

const POINT = { n: 1 };
const SHARED = { requests: [{ n: 2 }], usage: { points: [POINT] } };

test.each<[answer: unknown, field: string, points: readonly unknown[]]>([
  [[POINT], '', [POINT]],
  [{ a: { b: { c: [POINT] } }, tags: ['a'], count: 2, none: [] }, '', [POINT]],
  [{ a: { b: [] } }, '', []],
  [SHARED, 'usage.points', [POINT]],
  [SHARED, 'requests', [{ n: 2 }]],
])('the points of %j in %j are %j', (answer, field, points) => {
  expect(findPoints(answer, field)).toEqual(points);
});

const NONE = 'The answer has no usage points in a form that svc can read.';
const named = (field: string) =>
  `The answer has no list named ${field}, which metrics.points says.`;
const SEVERAL = 'The answer has several lists that could be the usage points: ';
const HINT = 'Print the answer with --json, and set SVC_ASSUME=metrics.points=';

test.each<[answer: unknown, field: string, message: string, hint?: string]>([
  [{ a: [1, 2] }, '', NONE],
  [[[1, 2]], '', NONE],
  [{ a: [POINT], b: { c: [POINT] } }, '', `${SEVERAL}a, b.c.`, `${HINT}a.`],
  [{ requests: [POINT], usage: {} }, 'points', named('points'), `${HINT}requests.`],
  [{ requests: [POINT] }, '__proto__', named('__proto__'), `${HINT}requests.`],
])('%j has no points in %j: %s', (answer, field, message, hint) => {
  expect(() => findPoints(answer, field)).toThrow(new CliError('unexpected', message, { hint }));
  expect(() => findPoints(answer, field)).toThrow(expect.objectContaining({ details: { hint } }));
});

const T0 = Date.parse('2026-03-01T00:00:00Z');
const iso = (minute: number) => new Date(T0 + minute * 60_000).toISOString();

type Read = readonly [name: string, minutes: readonly number[], values: readonly (number | null)[]];
const BOTH: readonly Read[] = [
  ['cpu', [0, 1], [5, 6]],
  ['memory', [0, 1], [7, 8]],
];
const pairs = (first: unknown, second: unknown) => [
  { t: iso(0), v: first },
  { t: iso(1), v: second },
];
const [cpu, memory] = [pairs(5, 6), pairs(7, 8)];
const bucket = (minute: number) => ({
  name: 'b',
  time: iso(minute),
  cpu: minute,
  events: [{ t: iso(minute), v: 1 }],
});
const apart = {
  cpu: [
    { t: iso(2), avg: 5 },
    { t: iso(0), avg: 6 },
  ],
  disk: [{ t: iso(1), value: 1 }],
};

test.each<[what: string, answer: unknown, series: readonly Read[], field?: string]>([
  ['a list for each series', { cpu, memory, tags: ['a'] }, BOTH],
  [
    'series with names',
    {
      step: 60,
      series: [
        { name: 'cpu', points: cpu },
        { name: 'memory', points: memory },
      ],
    },
    BOTH,
  ],
  ['a list with the name of its series', { cpu }, [['cpu', [0, 1], [5, 6]]]],
  ['a list that is called points', { points: cpu }, [['v', [0, 1], [5, 6]]]],
  ['a list that the assumption names', { cpu, points: cpu }, [['v', [0, 1], [5, 6]]], 'points'],
  [
    'series at other times',
    apart,
    [
      ['cpu.avg', [0, 1, 2], [6, null, 5]],
      ['disk', [0, 1, 2], [null, 1, null]],
    ],
  ],
  [
    'buckets with lists in them, which are no series',
    { buckets: [bucket(0), bucket(1)] },
    [['cpu', [0, 1], [0, 1]]],
  ],
])('%s are read', (_what, answer, expected, field = '') => {
  const read = readHistory(answer, field).series.map(({ name, times, values }) => [
    name,
    Array.from(times, (time) => (time - T0) / 60_000),
    Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
  ]);
  expect(read).toEqual(expected);
});
