import { quoted, usageError } from '../errors.ts';
import type { Series } from './points.ts';
import { type Statistics, statisticsOf } from './statistics.ts';

/** The figure of a series that is compared. */
export type Figure = Exclude<keyof Statistics, 'count' | 'gaps'>;

/** A condition on a series: `avg(cpu)>80` compares a figure; one without a figure is compared with every value. */
export interface Threshold {
  readonly series: string;
  readonly figure: Figure | undefined;
  readonly operator: keyof typeof OPERATORS;
  readonly limit: number;
}

/** Whether a condition holds, and what decided it. */
export interface Verdict {
  readonly holds: boolean;
  /** Whether there was nothing to compare, as the series has gaps only; the condition does not hold then. */
  readonly isEmpty: boolean;
  /** The figure, or the first value that the condition holds for. */
  readonly value: number | undefined;
  /** The time of that value, in milliseconds since the epoch. */
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

const FIGURES: readonly Figure[] = ['min', 'avg', 'p95', 'max', 'last'];

/** Reads `<series><operator><number>` or `<figure>(<series>)<operator><number>`. Throws a usage error. */
export function parseThreshold(text: string, flag: string): Threshold {
  const refuse = (why: string, hint = `${flag} 'cpu>80' (or 'avg(cpu)>80')`) =>
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

/** Compares the series that a threshold is about with it. */
export function evaluateThreshold(threshold: Omit<Threshold, 'series'>, series: Series): Verdict {
  const statistics = statisticsOf(series.values);
  if (statistics === undefined) return { holds: false, isEmpty: true, value: undefined, time: undefined };
  const compare = (value: number) => OPERATORS[threshold.operator](value, threshold.limit);
  if (threshold.figure !== undefined) {
    const value = statistics[threshold.figure];
    return { holds: compare(value), isEmpty: false, value, time: undefined };
  }
  const index = series.values.findIndex((value) => !Number.isNaN(value) && compare(value));
  return { holds: index >= 0, isEmpty: false, value: series.values[index], time: series.times[index] };
}

function isOperator(text: string): text is keyof typeof OPERATORS {
  return Object.hasOwn(OPERATORS, text);
}
