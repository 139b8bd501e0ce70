import { quoted, usageError } from '../errors.ts';
import type { MetricSeries } from './points.ts';

/** Figures of the values of a series, without the missing ones. */
export interface Statistics {
  readonly count: number;
  /** Runs of missing values between values. */
  readonly gaps: number;
  readonly min: number;
  readonly avg: number;
  /** By nearest rank. */
  readonly p95: number;
  readonly max: number;
  readonly last: number;
}

/** Takes values in the order of time, NaN if missing; returns undefined if all are missing. */
export function statisticsOf(values: ArrayLike<number>): Statistics | undefined {
  const numbers = new Float64Array(values.length);
  let count = 0;
  let gaps = 0;
  let isMissing = false;
  let last = Number.NaN;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let avg = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) {
      isMissing = true;
      continue;
    }
    if (isMissing && count > 0) gaps += 1;
    isMissing = false;
    numbers[count] = value;
    count += 1;
    last = value;
    if (value < min) min = value;
    if (value > max) max = value;
    // The sum of large values could overflow.
    avg += value / count - avg / count;
  }
  if (count === 0) return undefined;
  const p95 = numbers.subarray(0, count).sort()[Math.ceil(count * 0.95) - 1] ?? max;
  return { count, gaps, min, avg: Math.min(max, Math.max(min, avg)), p95, max, last };
}

type Figure = Exclude<keyof Statistics, 'count' | 'gaps'>;

/** A condition such as `avg(cpu)>80`. Without a figure it applies to every value. */
export interface Threshold {
  readonly series: string;
  readonly figure: Figure | undefined;
  readonly operator: keyof typeof OPERATORS;
  readonly limit: number;
}

interface Verdict {
  readonly holds: boolean;
  /** Whether the series has no value; the condition is then false. */
  readonly isEmpty: boolean;
  /** The figure, or the first value that meets the condition. */
  readonly value: number | undefined;
  /** The time of that value, in milliseconds since the epoch; undefined for a figure of several values. */
  readonly time: number | undefined;
}

const OPERATORS = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
  '==': (value: number, limit: number) => value === limit,
  '!=': (value: number, limit: number) => value !== limit,
  '>': (value: number, limit: number) => value > limit,
  '<': (value: number, limit: number) => value < limit,
} as const;

/** Figures that are a value of one point. */
const ONE_VALUE: readonly Figure[] = ['min', 'max', 'last'];

const FIGURES: readonly Figure[] = ['min', 'avg', 'p95', 'max', 'last'];

/** Reads `<series><operator><number>` or `<figure>(<series>)<operator><number>`. Throws a usage error. */
export function parseThreshold(text: string, flag: string): Threshold {
  const refuse = (why: string, hint = `For example: ${flag} 'cpu>80' (or 'avg(cpu)>80')`) =>
    usageError(`${flag} ${quoted(text)} ${why}.`, hint);
  const [, left = '', operator = '', right = ''] = /^([^<>=!]*)([<>=!]=?)([^<>=!]*)$/.exec(text) ?? [];
  if (!isOperator(operator)) throw refuse(`is not a comparison with one of ${Object.keys(OPERATORS).join(' ')}`);
  const limit = right.trim();
  if (!/^-?\d+(?:\.\d+)?$/.test(limit)) throw refuse('does not compare with a plain number');
  const [, name = '', inner] = /^([^()]*)(?:\((.*)\))?$/.exec(left.trim()) ?? [];
  const series = (inner ?? name).trim();
  if (series === '') throw refuse('names no series');
  const figure = inner === undefined ? undefined : FIGURES.find((known) => known === name.trim());
  if (inner !== undefined && figure === undefined) throw refuse(`has a figure that is none of ${FIGURES.join(', ')}`);
  return { series, figure, operator, limit: Number(limit) };
}

/** Compares a series with a threshold. Without a value in the series the condition does not hold (`isEmpty`). */
export function evaluateThreshold(threshold: Omit<Threshold, 'series'>, series: MetricSeries): Verdict {
  const statistics = statisticsOf(series.values);
  if (statistics === undefined) return { holds: false, isEmpty: true, value: undefined, time: undefined };
  const compare = (value: number) => OPERATORS[threshold.operator](value, threshold.limit);
  if (threshold.figure !== undefined) {
    const { figure } = threshold;
    const value = statistics[figure];
    // Of several equal values, the latest.
    const index = ONE_VALUE.includes(figure) ? series.values.lastIndexOf(value) : -1;
    return { holds: compare(value), isEmpty: false, value, time: series.times[index] };
  }
  const index = series.values.findIndex((value) => !Number.isNaN(value) && compare(value));
  return { holds: index >= 0, isEmpty: false, value: series.values[index], time: series.times[index] };
}

function isOperator(text: string): text is keyof typeof OPERATORS {
  return Object.hasOwn(OPERATORS, text);
}
