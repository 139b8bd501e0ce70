import { listed, quoted, usageError } from '../errors.ts';
import { type MetricSeries, statisticsOf } from './series.ts';

const FIGURES = ['last', 'min', 'max', 'avg', 'p95'] as const;

/** A figure that a condition, or an order of services, may name. */
export type Figure = (typeof FIGURES)[number];

/** A condition such as `avg(cpu)>80`. Without a figure it is about the latest value. */
export interface Condition {
  /** As the user wrote it. */
  readonly text: string;
  readonly series: string;
  readonly figure: Figure;
  readonly operator: keyof typeof OPERATORS;
  readonly number: number;
  /** The unit behind the number; empty for a plain number. */
  readonly unit: string;
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
  const figure = inner === undefined ? 'last' : figureNamed(name.trim());
  if (figure === undefined) throw refuse(`has a figure that is none of ${FIGURES.join(', ')}`);
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

/** What a condition says of a series. */
interface Verdict {
  readonly holds: boolean;
  /** The figure; undefined without any value. */
  readonly value: number | undefined;
  /** The limit in the unit of the series. */
  readonly limit: number;
  /** When the value was measured, in milliseconds since the epoch; undefined for a figure of several values. */
  readonly time: number | undefined;
}

/** Compares a figure of a series with a limit. Throws a usage error if the series has another unit, or none that svc knows. */
export function evaluateCondition(condition: Condition, series: MetricSeries): Verdict {
  const limit = limitFor(condition, series);
  const { figure, operator } = condition;
  const value = statisticsOf(series.values)?.[figure];
  if (value === undefined) return { holds: false, value, limit, time: undefined };
  // Of several equal values, the latest.
  const index = ONE_VALUE.includes(figure) ? series.values.lastIndexOf(value) : -1;
  return { holds: OPERATORS[operator](value, limit), value, limit, time: series.times[index] };
}

function limitFor({ text, number, unit }: Condition, series: MetricSeries): number {
  if (unit === '') return number;
  const factor = UNITS.get(unit)?.[series.unit];
  if (factor !== undefined) return number * factor;
  const fitting = [...UNITS].filter(([, one]) => one[series.unit] !== undefined).map(([name]) => name);
  const isKnown = fitting.length > 0;
  throw usageError(
    `The unit of ${series.name} is ${isKnown ? series.unit : 'not known'}, so svc cannot compare it with ${number}${unit} (${text}).`,
    isKnown ? `Use ${listed(fitting)}, or a plain number.` : 'Compare it with a plain number.',
  );
}

function isOperator(text: string): text is keyof typeof OPERATORS {
  return Object.hasOwn(OPERATORS, text);
}
