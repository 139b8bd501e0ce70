import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeConditions, parseCondition } from '../../../src/commands/metrics/conditions.ts';
import type { MetricSeries } from '../../../src/metrics/series.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const parse = (text: string) => parseCondition(text, '--fail-if');

/** Judges a condition on a series `x` with this value in every minute of an hour. */
function judge(text: string, unit: MetricSeries['unit'], value: number) {
  const times = Float64Array.from({ length: 60 }, (_, minute) => minute * 60_000);
  const series = { name: 'x', unit, times, values: times.map(() => value), everyMs: 60_000 };
  const range = { start: '1970-01-01T00:00:00Z', end: '1970-01-01T01:00:00Z', stepSeconds: 60 };
  const asked = { startMs: 0, endMs: 3_600_000, stepMs: 60_000 };
  return judgeConditions([parse(text)], { points: 60, all: [series], empty: [], answered: 'then', range, asked });
}

test.each([
  ['cpu>80', { text: 'cpu>80', series: 'cpu', figure: 'last', number: 80, unit: '' }],
  [' avg( cpu.max ) <= -1.5 ', { series: 'cpu.max', figure: 'avg', number: -1.5 }],
  ['memory>3e8', { number: 300_000_000, unit: '' }],
  ['memory>=1.5 GiB', { number: 1.5, unit: 'GiB' }],
])('%j is a condition', (text, condition) => {
  expect(parse(text)).toMatchObject(condition);
});

test.each<[message: string, texts: readonly string[]]>([
  [
    'is not a comparison with one of >= <= == != > <',
    ['', 'cpu', 'cpu=80', 'cpu!80', '10<cpu<80', 'cpu>>80', 'cpu=>80'],
  ],
  ['does not compare with a number', ['cpu>', 'cpu>x', 'cpu>1 2', 'cpu>0x10', 'cpu>1e999', 'cpu>.5']],
  ['has a unit that is none of %, ms, s, min, h, B, kB, KiB', ['cpu>80 percent', 'cpu>1Mib', 'cpu>5days']],
  ['names no series', ['>80', 'avg()>80', ' >80']],
  ['has a figure that is none of last, min, max, avg, p95', ['mean(cpu)>80', '(cpu)>80']],
])('what %s is refused: %j', (message, texts) => {
  for (const text of texts) expect(refusal(() => parse(text))).toContain(`${message}`);
});

test.each([
  ['>', [false, false, true]],
  ['>=', [false, true, true]],
  ['<', [true, false, false]],
  ['<=', [true, true, false]],
  ['==', [false, true, false]],
  ['!=', [true, false, true]],
])('x%s5 of 4, 5 and 6 alarms: %j', (operator, alarms) => {
  expect([4, 5, 6].map((value) => judge(`x${operator}5`, 'count', value)?.code === 'alert')).toEqual(alarms);
});

test.each<[string, MetricSeries['unit'], number]>([
  ['x==95%', '%', 95],
  ['x==500ms', 'ms', 500],
  ['x==500ms', 's', 0.5],
  ['x==2s', 'ms', 2_000],
  ['x==2min', 's', 120],
  ['x==1h', 'ms', 3_600_000],
  ['x==300MiB', 'bytes', 300 * 2 ** 20],
  ['x==300MB', 'bytes', 300_000_000],
  ['x==2KiB', 'bytes', 2_048],
  ['x==2kB', 'bytes', 2_000],
  ['x==1.5TiB', 'bytes', 1.5 * 2 ** 40],
  ['x==7B', 'bytes', 7],
  ['x==7', 'bytes', 7],
])('%s of a series in %s is compared with %d', (text, unit, value) => {
  expect(judge(text, unit, value)?.details.alerts).toMatchObject([{ value, limit: value }]);
});

test.each<[string, MetricSeries['unit'], string]>([
  ['x>95%', 'bytes', 'The unit of x is bytes, so svc cannot compare it with 95% (x>95%). Use B, kB, KiB, MB, MiB and'],
  ['x>300MiB', '%', 'The unit of x is %, so svc cannot compare it with 300MiB (x>300MiB). Use %, or a plain number.'],
  ['x>95%', 'count', 'The unit of x is not known, so svc cannot compare it with 95% (x>95%). Compare it with a plain'],
])('%s of a series in %s is refused', (text, unit, message) => {
  expect(refusal(() => judge(text, unit, 1))).toContain(message);
});

test('any text is a condition or a usage error', () => {
  const near = fc.stringMatching(/^(avg|max)?[()a-z .]{0,6}(>|<|>=|<=|==|!=|=)[0-9.e-]{0,4}(%|ms|MiB)?$/);
  const isUsable = (text: string) => {
    const condition = acceptedBy(() => parse(text));
    return condition === undefined || (Number.isFinite(condition.number) && condition.series.trim() !== '');
  };
  fc.assert(fc.property(fc.oneof(fc.string(), near), isUsable), tries(2_000, 531));
});
