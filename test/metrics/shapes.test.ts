import { expect, test } from 'vitest';
import { readHistory } from '../../src/metrics/history.ts';

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

test.each<[string, unknown]>([
  [
    'a list for each series',
    {
      cpu: [
        { t: iso(0), v: 5 },
        { t: iso(1), v: 6 },
      ],
      memory: [
        { t: iso(0), v: 7 },
        { t: iso(1), v: 8 },
      ],
      tags: ['a'],
    },
  ],
  [
    'the same, wrapped and in seconds',
    {
      data: {
        cpu: [
          { time: sec(0), value: '5' },
          { time: sec(1), value: '6' },
        ],
        memory: [
          { time: sec(0), value: 7 },
          { time: sec(1), value: 8 },
        ],
      },
    },
  ],
  [
    'tuples for each series',
    {
      cpu: [
        [iso(0), 5],
        [iso(1), 6],
      ],
      memory: [
        [iso(0), 7],
        [iso(1), 8],
      ],
    },
  ],
  [
    'series with names',
    {
      step: 60,
      series: [
        {
          name: 'cpu',
          points: [
            { t: iso(0), v: 5 },
            { t: iso(1), v: 6 },
          ],
        },
        {
          name: 'memory',
          points: [
            { t: iso(0), v: 7 },
            { t: iso(1), v: 8 },
          ],
        },
      ],
    },
  ],
  [
    'series of tuples with the time last',
    [
      {
        metric: 'cpu',
        datapoints: [
          [5, sec(0)],
          [6, sec(1)],
        ],
      },
      {
        metric: 'memory',
        datapoints: [
          [7, sec(0)],
          [8, sec(1)],
        ],
      },
    ],
  ],
  ['columns', { timestamps: [iso(0), iso(1)], cpu: [5, 6], memory: [7, 8] }],
  ['columns below the times', { time: [sec(0), sec(1)], values: { cpu: [5, 6], memory: [7, 8] } }],
  [
    'rows below a head',
    {
      columns: ['time', 'cpu', 'memory'],
      rows: [
        [iso(0), 5, 7],
        [iso(1), 6, 8],
      ],
    },
  ],
])('%s are read', (_name, answer) => {
  expect(read(answer)).toEqual(BOTH);
});

test('values of tuples have generic names', () => {
  const pairs = [
    [iso(0), 5],
    [iso(1), null],
  ];
  for (const answer of [pairs, { points: pairs }]) expect(read(answer)).toEqual([['value', [0, 1], [5, null]]]);
  expect(read([[sec(0), 5, 7]])).toEqual([
    ['value1', [0], [5]],
    ['value2', [0], [7]],
  ]);
});

test('the name of a list becomes the name of its series, unless it is called points', () => {
  const list = [
    { t: iso(0), v: 5 },
    { t: iso(1), v: 6 },
  ];
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
