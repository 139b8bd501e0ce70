import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateCondition, parseCondition } from '../../src/metrics/conditions.ts';
import type { MetricSeries } from '../../src/metrics/series.ts';
import { tries } from '../support/property.ts';
import { acceptedBy, refusal } from '../support/refusal.ts';

const parse = (text: string) => parseCondition(text, '--fail-if');
const series = (name: string, ...values: number[]): MetricSeries => ({
  name,
  unit: 'count',
  times: Float64Array.from(values, (_, index) => index * 1000),
  values: Float64Array.from(values),
  everyMs: 1000,
});
const evaluate = (text: string, ...values: number[]) => {
  const { limit: _, ...verdict } = evaluateCondition(parse(text), series('cpu', ...values));
  return verdict;
};

test('a condition is a series, an operator and a number, with a figure and a unit where they are meant', () => {
  const condition = { text: 'cpu>80', series: 'cpu', figure: 'last', operator: '>', number: 80, unit: '' };
  expect(parse('cpu>80')).toEqual(condition);
  expect(parse(' avg( cpu.max ) <= -1.5 ')).toMatchObject({
    series: 'cpu.max',
    figure: 'avg',
    operator: '<=',
    number: -1.5,
  });
  for (const operator of ['>', '>=', '<', '<=', '==', '!=']) expect(parse(`cpu${operator}1`).operator).toBe(operator);
  for (const figure of ['last', 'min', 'max', 'avg', 'p95']) expect(parse(`${figure}(cpu)>1`).figure).toBe(figure);
  expect(parse('memory>3e8')).toMatchObject({ number: 300_000_000, unit: '' });
  expect(parse('memory>=1.5 GiB')).toMatchObject({ number: 1.5, unit: 'GiB' });
});

test('anything else is refused', () => {
  expect(refusal(() => parse('cpu=80'))).toBe(
    "--fail-if \"cpu=80\" is not a comparison with one of >= <= == != > <. For example: --fail-if 'cpu>80' (or 'avg(cpu)>80')",
  );
  for (const text of ['', 'cpu', 'cpu!80', '10<cpu<80', 'cpu>>80', 'cpu=>80'])
    expect(refusal(() => parse(text))).toContain('is not a comparison');
  for (const text of ['cpu>', 'cpu>x', 'cpu>0x 10', 'cpu>1 2', 'cpu>0x10', 'cpu>1e999', 'cpu>.5'])
    expect(
      refusal(() => parse(text)),
      text,
    ).toContain('does not compare with a number');
  for (const text of ['cpu>80 percent', 'cpu>1Mib', 'cpu>5days'])
    expect(
      refusal(() => parse(text)),
      text,
    ).toContain('has a unit that is none of %, ms, s, min, h, B, kB, KiB');
  for (const text of ['>80', 'avg()>80', ' >80']) expect(refusal(() => parse(text))).toContain('names no series');
  expect(refusal(() => parse('mean(cpu)>80'))).toContain('has a figure that is none of last, min, max, avg, p95.');
  expect(refusal(() => parse('(cpu)>80'))).toContain('has a figure that is none of');
});

test.each<[string, MetricSeries['unit'], number]>([
  ['x>95%', '%', 95],
  ['x>500ms', 'ms', 500],
  ['x>500ms', 's', 0.5],
  ['x>2s', 'ms', 2_000],
  ['x>2min', 's', 120],
  ['x>1h', 'ms', 3_600_000],
  ['x>300MiB', 'bytes', 300 * 2 ** 20],
  ['x>300MB', 'bytes', 300_000_000],
  ['x>2KiB', 'bytes', 2_048],
  ['x>2kB', 'bytes', 2_000],
  ['x>1.5TiB', 'bytes', 1.5 * 2 ** 40],
  ['x>7B', 'bytes', 7],
  ['x>7', 'bytes', 7],
])('%s of a series in %s is compared with %d', (text, unit, limit) => {
  expect(evaluateCondition(parse(text), { ...series('x'), unit }).limit).toBe(limit);
});

test.each<[string, MetricSeries['unit'], string]>([
  ['x>95%', 'bytes', 'The unit of x is bytes, so svc cannot compare it with 95% (x>95%). Use B, kB, KiB, MB, MiB and'],
  ['x>300MiB', '%', 'The unit of x is %, so svc cannot compare it with 300MiB (x>300MiB). Use %, or a plain number.'],
  ['x>95%', 'count', 'The unit of x is not known, so svc cannot compare it with 95% (x>95%). Compare it with a plain'],
])('%s of a series in %s is refused', (text, unit, message) => {
  expect(refusal(() => evaluateCondition(parse(text), { ...series('x'), unit }))).toContain(message);
});

test('only the figure is compared', () => {
  expect(evaluate('cpu>80', 99, 81, 10)).toEqual({ holds: false, value: 10, time: 2000 });
  expect(evaluate('max(cpu)>80', 10, 81, 99)).toEqual({ holds: true, value: 99, time: 2000 });
  expect(evaluate('avg(cpu)>80', 60, 99)).toEqual({ holds: false, value: 79.5, time: undefined });
  expect(evaluate('last(cpu)>80', 60, 99, Number.NaN)).toMatchObject({ holds: true, value: 99 });
  expect(evaluate('min(cpu)==60', 60, 99)).toMatchObject({ holds: true, value: 60 });
});

test('of a series of gaps nothing holds', () => {
  const nothing = { holds: false, value: undefined, time: undefined };
  for (const text of ['cpu!=0', 'cpu<1', 'max(cpu)<1']) expect(evaluate(text, Number.NaN, Number.NaN)).toEqual(nothing);
});

test('any text is a condition or a usage error', () => {
  const near = fc.stringMatching(/^(avg|max)?[()a-z .]{0,6}(>|<|>=|<=|==|!=|=)[0-9.e-]{0,4}(%|ms|MiB)?$/);
  const isUsable = (text: string) => {
    const condition = acceptedBy(() => parse(text));
    return condition === undefined || (Number.isFinite(condition.number) && condition.series.trim() !== '');
  };
  fc.assert(fc.property(fc.oneof(fc.string(), near), isUsable), tries(2_000, 531));
});
