import { listed, quoted, usageError } from '../errors.ts';
import type { MetricSeries } from './points.ts';
import { type Statistics, statisticsOf } from './statistics.ts';

const FIGURES = ['last', 'min', 'max', 'avg', 'sum', 'p50', 'p90', 'p95', 'p99', 'count'] as const;

/** A figure that a condition, or an order of services, may name. */
export type Figure = (typeof FIGURES)[number] & keyof Statistics;

/** A condition such as `avg(cpu)>80`. Without a figure it applies to every value. */
export interface Condition {
  /** As the user wrote it. */
  readonly text: string;
  readonly series: string;
  readonly figure: Figure | undefined;
  readonly operator: keyof typeof OPERATORS;
  readonly number: number;
  /** The unit behind the number; empty for a plain number. */
  readonly unit: string;
}

/** What a condition says of a series. */
interface Verdict {
  readonly holds: boolean;
  /** The figure, or the first value that meets the condition; undefined if there is none. */
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

/** How many of the unit of a series each unit is. */
const UNITS: ReadonlyMap<string, Partial<Record<MetricSeries['unit'], number>>> = new Map([
  ['%', { '%': 1 }],
  ['ms', { ms: 1, s: 0.001 }],
  ['s', { ms: 1_000, s: 1 }],
  ['min', { ms: 60_000, s: 60 }],
  ['h', { ms: 3_600_000, s: 3_600 }],
  ['B', { bytes: 1 }],
  ...['k', 'M', 'G', 'T'].flatMap((prefix, index): [string, { bytes: number }][] => [
    [`${prefix}B`, { bytes: 1_000 ** (index + 1) }],
    [`${prefix === 'k' ? 'K' : prefix}iB`, { bytes: 1_024 ** (index + 1) }],
  ]),
]);

const NUMBER = /^(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*([a-zA-Z%]*)$/;

/** Reads `<series><operator><number>[unit]` or `<figure>(<series>)<operator><number>[unit]`. Throws a usage error. */
export function parseCondition(text: string, flag: string): Condition {
  const refuse = (why: string, hint = `For example: ${flag} 'cpu>80' (or 'avg(cpu)>80')`) =>
    usageError(`${flag} ${quoted(text)} ${why}.`, hint);
  const [, left = '', operator = '', right = ''] = /^([^<>=!]*)([<>=!]=?)([^<>=!]*)$/.exec(text) ?? [];
  if (!isOperator(operator)) throw refuse(`is not a comparison with one of ${Object.keys(OPERATORS).join(' ')}`);
  const [, digits, unit = ''] = NUMBER.exec(right.trim()) ?? [];
  const number = Number(digits ?? Number.NaN);
  if (!Number.isFinite(number)) throw refuse('does not compare with a number');
  if (unit !== '' && !UNITS.has(unit)) throw refuse(`has a unit that is none of ${[...UNITS.keys()].join(', ')}`);
  const [, name = '', inner] = /^([^()]*)(?:\((.*)\))?$/.exec(left.trim()) ?? [];
  const series = (inner ?? name).trim();
  if (series === '') throw refuse('names no series');
  const figure = inner === undefined ? undefined : figureNamed(name.trim());
  if (inner !== undefined && figure === undefined) throw refuse(`has a figure that is none of ${FIGURES.join(', ')}`);
  return { text, series, figure, operator, number, unit };
}

/** Reads `<series>` or `<series>:<figure>`, for an order. Throws a usage error. */
export function parseOrder(text: string, flag: string): { readonly series: string; readonly figure: Figure } {
  const [, series = '', name = 'last'] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
  const figure = figureNamed(name);
  if (series.trim() === '' || figure === undefined) {
    const why = figure === undefined ? `has a figure that is none of ${FIGURES.join(', ')}` : 'names no series';
    throw usageError(`${flag} ${quoted(text)} ${why}.`, `For example: ${flag} cpu:p95`);
  }
  return { series: series.trim(), figure };
}

function figureNamed(name: string): Figure | undefined {
  return FIGURES.find((known) => known === name);
}

/**
 * Returns the limit of a condition in the unit of its series.
 * @throws CliError `usage` if the series has another unit, or none that svc knows
 */
export function limitFor({ text, figure, number, unit }: Condition, series: MetricSeries): number {
  if (unit === '') return number;
  const own = figure === 'count' ? 'count' : series.unit;
  const factor = UNITS.get(unit)?.[own];
  if (factor !== undefined) return number * factor;
  const fitting = [...UNITS].filter(([, one]) => one[own] !== undefined).map(([name]) => name);
  const what = figure === 'count' ? 'The number of values' : `The unit of ${series.name}`;
  if (fitting.length === 0) {
    const why = figure === 'count' ? 'has no unit' : 'is not known';
    throw usageError(
      `${what} ${why}, so svc cannot compare it with ${number}${unit} (${text}).`,
      'Compare it with a plain number.',
    );
  }
  throw usageError(
    `${what} is ${own}, so svc cannot compare it with ${number}${unit} (${text}).`,
    `Use ${listed(fitting)}, or a plain number.`,
  );
}

/** Compares a series with a condition. Without a value only `count` has something to compare. */
export function evaluateCondition(
  { figure, operator }: Pick<Condition, 'figure' | 'operator'>,
  limit: number,
  series: MetricSeries,
): Verdict {
  const compare = (value: number) => OPERATORS[operator](value, limit);
  if (figure === undefined) {
    const index = series.values.findIndex((value) => !Number.isNaN(value) && compare(value));
    return { holds: index >= 0, value: series.values[index], time: series.times[index] };
  }
  const value = statisticsOf(series.values)?.[figure] ?? (figure === 'count' ? 0 : undefined);
  if (value === undefined) return { holds: false, value, time: undefined };
  // Of several equal values, the latest.
  const index = ONE_VALUE.includes(figure) ? series.values.lastIndexOf(value) : -1;
  return { holds: compare(value), value, time: series.times[index] };
}

function isOperator(text: string): text is keyof typeof OPERATORS {
  return Object.hasOwn(OPERATORS, text);
}
