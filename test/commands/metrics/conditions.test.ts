import { expect, test } from 'vitest';
import { judgeConditions, parseCondition } from '../../../src/commands/metrics/conditions.ts';
import type { MetricSeries } from '../../../src/metrics/series.ts';
import { fakeClock } from '../../support/clock.ts';
import { refusal } from '../../support/refusal.ts';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const parse = (text: string) => parseCondition(text, '--fail-if');

/** Judges a condition on a series `x` with this value in every minute of an hour. */
function judge(text: string, unit: MetricSeries['unit'], value: number) {
  const times = Float64Array.from({ length: 60 }, (_, minute) => minute * 60_000);
  const series = {
    name: 'x',
    measure: 'x',
    unit,
    times,
    values: times.map(() => value),
    everyMs: 60_000,
  };
  const range = {
    start: '1970-01-01T00:00:00Z',
    end: '1970-01-01T01:00:00Z',
    stepSeconds: 60,
    startMs: 0,
    endMs: 3_600_000,
    stepMs: 60_000,
  };
  return judgeConditions([parse(text)], {
    points: 60,
    all: [series],
    empty: [],
    answered: 'then',
    range,
  });
}

test.each([
  ['cpu>80', { text: 'cpu>80', series: 'cpu', figure: 'last', number: 80, unit: '' }],
  [' avg( cpu.max ) <= -1.5 ', { series: 'cpu.max', figure: 'avg', number: -1.5 }],
  ['memory>=1.5 GiB', { number: 1.5, unit: 'GiB' }],
])('%j is a condition', (text, condition) => {
  expect(parse(text)).toMatchObject(condition);
});

test.each([
  ['without a comparison', ['', 'cpu', 'cpu=80', '10<cpu<80', 'cpu>>80', 'cpu=>80']],
  ['without a number', ['cpu>', 'cpu>x', 'cpu>0x10', 'cpu>1e999']],
  ['of a unit that svc does not know', ['cpu>80 percent', 'cpu>1Mib']],
  ['without a series', ['>80', 'avg()>80']],
  ['of a figure that svc does not know', ['mean(cpu)>80', '(cpu)>80']],
])('one %s is refused: %j', (_what, texts) => {
  for (const text of texts) expect(refusal(() => parse(text))).toContain('is not a condition');
});

test.each([
  ['>', [false, false, true]],
  ['>=', [false, true, true]],
  ['<', [true, false, false]],
  ['<=', [true, true, false]],
  ['==', [false, true, false]],
  ['!=', [true, false, true]],
])('x%s5 of 4, 5 and 6 alarms: %j', (operator, alarms) => {
  expect(
    [4, 5, 6].map((value) => judge(`x${operator}5`, 'count', value)?.code === 'alert'),
  ).toEqual(alarms);
});

test.each<[string, MetricSeries['unit'], number]>([
  ['x==500ms', 's', 0.5],
  ['x==2min', 's', 120],
  ['x==1h', 'ms', 3_600_000],
  ['x==2KiB', 'bytes', 2_048],
  ['x==300MB', 'bytes', 300_000_000],
  ['x==1.5TiB', 'bytes', 1.5 * 2 ** 40],
  ['x==7', 'bytes', 7],
])('%s of a series in %s is compared with %d', (text, unit, value) => {
  expect(judge(text, unit, value)?.details.alerts).toMatchObject([{ value, limit: value }]);
});

test.each<[string, MetricSeries['unit'], string]>([
  ['x>300MiB', '%', 'svc cannot compare it with 300MiB (x>300MiB). Use a plain number, or %.'],
  ['x>95%', 'count', 'svc cannot compare it with 95% (x>95%). Use a plain number.'],
])('%s of a series in %s is refused', (text, unit, message) => {
  expect(refusal(() => judge(text, unit, 1))).toContain(message);
});

const NOON = Date.parse('2026-03-01T12:00:00Z');

type Points = readonly (readonly [minutesAgo: number, cpu: number | null])[];

/** Runs `svc metrics svc_1 --fail-if …` at noon, on points so many minutes ago. */
async function judged(points: Points, line: string, more: object = {}) {
  const wire = await testWire();
  const body = points.map(([ago, cpu]) => ({
    t: new Date(NOON - ago * 60_000).toISOString(),
    cpu,
    ...more,
  }));
  wire.on('GET', '/v1/services/svc_1/metrics/history').reply(200, { points: body });
  const words = line
    .split(' ')
    .flatMap((word) => (/[<>=]/.test(word) ? ['--fail-if', word] : word));
  return await svc(['metrics', 'svc_1', ...words], { url: wire.url, clock: fakeClock() });
}

/** Points so many minutes apart, the last one so many minutes ago. */
function every(minutes: number, values: readonly (number | null)[], last = minutes): Points {
  return values.map((value, index) => [last + (values.length - 1 - index) * minutes, value]);
}

const FEW = every(5, [10, 20, 90, null, 30]);
const DAY = (now: number, before: number) =>
  every(5, [...Array(283).fill(before), ...Array(5).fill(now)], 0);
const LAST_HALF = '--since 1h --until 2026-03-01T11:30:00Z';

test.each<[line: string, exitCode: number, says: string, points: Points]>([
  // A condition is about the latest value unless it names a figure.
  ['cpu>=30', 9, 'cpu is 30 at 2026-03-01T11:55:00Z (condition: cpu>=30)', FEW],
  ['min(cpu)<=10', 9, 'min(cpu) is 10 at 2026-03-01T11:50:00Z', every(5, [10, 20, 10, 30])],
  ['avg(cpu)>37.4', 9, 'avg(cpu) is 37.5 (condition: avg(cpu)>37.4)', FEW],
  ['p95(cpu)<90 --since 30m', 0, '', FEW],
  // Of several, alarms come first, and decide.
  ['cpu>80 cpu>29', 9, 'Alert: cpu is 30 at 2026-03-01T11:55:00Z (condition: cpu>29)\n', FEW],
  ['avg(cpu)>99 max(cpu)>80', 9, '(condition: max(cpu)>80). avg(cpu)>99 cannot be checked', FEW],
  // An old value is not the latest one, whatever it is; two steps late is not old.
  [
    'cpu>80',
    12,
    'cpu has no value since 2026-03-01T11:01:00Z, 59m before the end',
    every(5, [10, 95], 59),
  ],
  ['cpu>80', 0, '', every(5, [1, 1], 10)],
  ['cpu>80', 12, 'cpu has no value since', every(5, [1, 1], 11)],
  // What holds for the values that there are holds, whatever is missing; else they must cover half
  // of the range.
  ['max(cpu)>80', 9, 'max(cpu) is 95 at 2026-03-01T11:00:00Z', every(5, [95, 10], 55)],
  ['avg(cpu)>99', 12, 'The values of cpu cover 41% of the range from ', every(5, [1, 2, 3, 4, 5])],
  ['avg(cpu)>99', 0, '', every(5, [1, 2, 3, 4, 5, 6])],
  ['avg(cpu)>99', 12, 'cover 33%', every(5, [1, 2, 3, null, null, null, null, null, 6])],
  // Points outside the asked range never count.
  ['min(cpu)>80 --since 24m', 9, 'min(cpu) is 97', DAY(97, 10)],
  ['p95(cpu)>80 --until 25m --since 3h', 0, '', DAY(97, 10)],
  ['max(cpu)>90 --since 15m', 9, 'max(cpu) is 95', every(5, [95, 10, 10, 10], 0)],
  ['cpu>80 --until 2026-03-02', 0, '', FEW],
  // The range is sent in whole seconds, and the clock of the platform may be ahead.
  [`cpu>80 ${LAST_HALF}`, 9, 'cpu is 95', [[30 - 0.999 / 60, 95]]],
  [
    `cpu>80 ${LAST_HALF}`,
    12,
    'and none from',
    [
      [29.98, 95],
      [29.97, 95],
    ],
  ],
  [
    'cpu>80',
    9,
    'cpu is 95',
    [
      [3, 10],
      [-2, 95],
    ],
  ],
  // Nothing to judge.
  [
    'max(cpu)>80',
    12,
    'The API answered with points from 2026-02-01T11:59:00Z',
    every(1, [95, 95], 28 * 24 * 60),
  ],
  [
    'cpu>80 --since 6m',
    12,
    '2026-03-01T12:00:00Z has a value of cpu.',
    every(3, [95, null, null], 1),
  ],
  ['cpu>80', 12, 'There are no usage points from 2026-03-01T11:00:00Z to', []],
  ['disk>1', 12, '12:00:00Z has a value of disk.', FEW],
  ['memory>1', 2, 'There is no series "memory".', FEW],
])('--fail-if %s: exit code %i %s', async (line, exitCode, says, points) => {
  const done = await judged(points, line, line.includes('disk') ? { diskBytes: null } : {});
  const { stderr } = done;
  expect({ exitCode: done.exitCode, stderr }).toEqual({
    exitCode,
    stderr: expect.stringContaining(says),
  });
  expect(stderr === '' || exitCode !== 0 || stderr.startsWith('Warning: The API answered')).toBe(
    true,
  );
});

test('the answer is printed, too, and what holds is data', async () => {
  const csv = await judged(FEW, 'cpu>1 --csv');
  expect(csv).toMatchObject({ exitCode: 9, stdout: expect.stringMatching(/^time,cpu\n/) });
  const { json, error } = await judged(FEW, 'cpu>1 max(cpu)>80 avg(cpu)>99 --json');
  expect(json).toMatchObject({ points: [{ cpu: 10 }, {}, {}, {}, {}] });
  const alerts = [
    { series: 'cpu', figure: 'last', value: 30, limit: 1, at: '2026-03-01T11:55:00Z' },
    { series: 'cpu', figure: 'max', value: 90, limit: 80, at: '2026-03-01T11:45:00Z' },
  ];
  expect(error).toMatchObject({ code: 'alert', exitCode: 9, alerts });
  const unchecked = await judged([], 'cpu>1 --json');
  expect(unchecked).toMatchObject({
    exitCode: 12,
    json: { points: [] },
    error: { code: 'no_data', exitCode: 12 },
  });
});

/** Runs `svc metrics svc_1` at noon, on an hour of points of these instances. */
async function metricsOf(instances: Readonly<Record<string, number | null>>, ...words: string[]) {
  const wire = await testWire();
  const minutes = Array.from({ length: 60 }, (_, minute) => minute + 1).reverse();
  const points = minutes.flatMap((ago) =>
    Object.entries(instances).map(([instance, cpu]) => ({
      timestamp: new Date(NOON - ago * 60_000).toISOString(),
      instance,
      cpu,
    })),
  );
  wire.on('GET', '/v1/services/svc_1/metrics/history').reply(200, { points });
  return await svc(['metrics', 'svc_1', ...words], { url: wire.url, clock: fakeClock() });
}

test.each<
  [what: string, values: Readonly<Record<string, number | null>>, line: string, exitCode: number]
>([
  ['one instance is over it', { 'web-1': 95, 'web-2': 5 }, 'cpu>80', 9],
  ['the other instance is over it', { 'web-1': 5, 'web-2': 95 }, 'cpu>80', 9],
  ['a figure of one instance is over it', { 'web-1': 5, 'web-2': 95 }, 'p95(cpu)>80', 9],
  ['no instance is over it', { 'web-1': 5, 'web-2': 6 }, 'cpu>80', 0],
  ['only the other instance is over it', { 'web-1': 5, 'web-2': 95 }, 'cpu{web-1}>80', 0],
  ['the named instance is over it', { 'web-1': 95, 'web-2': 5 }, 'cpu{web-1}>80', 9],
  ['an instance says nothing', { 'web-1': 5, 'web-2': null }, 'cpu>80', 12],
  ['there is no such instance', { 'web-1': 5, 'web-2': 6 }, 'cpu{web-3}>80', 2],
])('a condition where %s', async (_what, values, line, exitCode) => {
  const run = await metricsOf(values, '--fail-if', line, '--json');

  expect(run.exitCode).toBe(exitCode);
});

test('the alert of a service with instances names the instance', async () => {
  const run = await metricsOf({ 'web-1': 5, 'web-2': 95 }, '--fail-if', 'cpu>80', '--json');

  expect(run.error['alerts']).toMatchObject([{ series: 'cpu{web-2}', value: 95 }]);
});

test('each instance that is over the limit is named', async () => {
  const run = await metricsOf({ 'web-1': 90, 'web-2': 95 }, '--fail-if', 'cpu>80', '--json');

  expect(run.error['alerts']).toMatchObject([{ series: 'cpu{web-1}' }, { series: 'cpu{web-2}' }]);
});

test('a CSV has a column of each instance', async () => {
  const run = await metricsOf({ 'web-1': 5, 'web-2': 95 }, '--csv');

  expect(run.stdout.split('\n')[0]).toBe('time,cpu{web-1},cpu{web-2}');
  expect(run.stdout.split('\n')[1]).toMatch(/Z,5,95$/);
});

test('a condition over more instances than svc tells apart is not checked', async () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`web-${at}`, 5]));

  const run = await metricsOf(many, '--fail-if', 'cpu>80', '--json');

  expect(run.exitCode).toBe(12);
  expect(run.error['error']).toContain('more than 50 series');
});
