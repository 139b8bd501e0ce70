import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MetricSeries } from '../../src/metrics/points.ts';
import { evaluateThreshold, parseThreshold } from '../../src/metrics/statistics.ts';
import { tries } from '../support/property.ts';
import { acceptedBy, refusal } from '../support/refusal.ts';

const parse = (text: string) => parseThreshold(text, '--fail-if');
const series = (name: string, ...values: number[]): MetricSeries => ({
  name,
  unit: 'count',
  times: Float64Array.from(values, (_, index) => index * 1000),
  values: Float64Array.from(values),
});
const evaluate = (text: string, ...values: number[]) => evaluateThreshold(parse(text), series('cpu', ...values));

test('a condition is a series, an operator and a number, with a figure where one is meant', () => {
  expect(parse('cpu>80')).toEqual({ series: 'cpu', figure: undefined, operator: '>', limit: 80 });
  expect(parse(' avg( cpu.max ) <= -1.5 ')).toEqual({ series: 'cpu.max', figure: 'avg', operator: '<=', limit: -1.5 });
  for (const operator of ['>', '>=', '<', '<=', '==', '!=']) expect(parse(`cpu${operator}1`).operator).toBe(operator);
  for (const figure of ['min', 'avg', 'p95', 'max', 'last']) expect(parse(`${figure}(cpu)>1`).figure).toBe(figure);
});

test('anything else is refused', () => {
  expect(refusal(() => parse('cpu=80'))).toBe(
    "--fail-if \"cpu=80\" is not a comparison with one of >= <= == != > <. For example: --fail-if 'cpu>80' (or 'avg(cpu)>80')",
  );
  for (const text of ['', 'cpu', 'cpu!80', '10<cpu<80', 'cpu>>80', 'cpu=>80'])
    expect(refusal(() => parse(text))).toContain('is not a comparison');
  for (const text of ['cpu>', 'cpu>x', 'cpu>80%', 'cpu>1e3', 'cpu>0x10', 'cpu>1 2']) {
    expect(refusal(() => parse(text))).toContain('does not compare with a plain number');
  }
  for (const text of ['>80', 'avg()>80', ' >80']) expect(refusal(() => parse(text))).toContain('names no series');
  expect(refusal(() => parse('mean(cpu)>80'))).toContain('has a figure that is none of min, avg, p95, max, last');
  expect(refusal(() => parse('(cpu)>80'))).toContain('has a figure that is none of');
});

test('without a figure the first value that meets the condition decides', () => {
  expect(evaluate('cpu>80', 10, 81, 99)).toEqual({ holds: true, isEmpty: false, value: 81, time: 1000 });
  expect(evaluate('cpu>99', 10, 81, 99)).toEqual({ holds: false, isEmpty: false, value: undefined, time: undefined });
  expect(evaluate('cpu!=10', 10, Number.NaN).holds).toBe(false);
});

test('with a figure only that figure is compared', () => {
  expect(evaluate('avg(cpu)>80', 60, 99)).toEqual({ holds: false, isEmpty: false, value: 79.5, time: undefined });
  expect(evaluate('last(cpu)>80', 60, 99, Number.NaN)).toMatchObject({ holds: true, value: 99 });
  expect(evaluate('min(cpu)==60', 60, 99)).toMatchObject({ holds: true, value: 60 });
});

test('a series of gaps has nothing to compare', () => {
  const nothing = { holds: false, isEmpty: true, value: undefined, time: undefined };
  for (const text of ['cpu!=0', 'cpu<1', 'max(cpu)<1']) expect(evaluate(text, Number.NaN, Number.NaN)).toEqual(nothing);
});

test('any text is a condition or a usage error', () => {
  const near = fc.stringMatching(/^(avg|max)?[()a-z .]{0,6}(>|<|>=|<=|==|!=|=)[0-9.-]{0,4}$/);
  const isUsable = (text: string) => {
    const threshold = acceptedBy(() => parse(text));
    return threshold === undefined || (Number.isFinite(threshold.limit) && threshold.series.trim() !== '');
  };
  fc.assert(fc.property(fc.oneof(fc.string(), near), isUsable), tries(2_000, 531));
});
