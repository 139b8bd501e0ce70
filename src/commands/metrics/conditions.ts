import type { MetricsRange } from '../../api/operations.ts';
import { toIso } from '../../cli/values/time.ts';
import { asOneLine, CliError, listed, quoted, usageError } from '../../errors.ts';
import { findMeasured, type History } from '../../metrics/history.ts';
import {
  findLatest,
  getCoverage,
  getStatistics,
  type MetricSeries,
  type RequestedRange,
} from '../../metrics/series.ts';
import { formatDuration } from '../../terminal/dates.ts';

const FIGURES = ['last', 'min', 'max', 'avg', 'p95'] as const;
type Figure = (typeof FIGURES)[number];
const NO_FIGURE = `has a figure that is none of ${FIGURES.join(', ')}`;

type Condition = ReturnType<typeof parseCondition>;

const OPERATORS: ReadonlyMap<string, (value: number, limit: number) => boolean> = new Map([
  ['>=', (value, limit) => value >= limit],
  ['<=', (value, limit) => value <= limit],
  ['==', (value, limit) => value === limit],
  ['!=', (value, limit) => value !== limit],
  ['>', (value, limit) => value > limit],
  ['<', (value, limit) => value < limit],
]);

/** By what a number of this unit is multiplied for a series of that one. */
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

/**
 * Reads `<series><operator><number>[unit]`, where `<figure>(<series>)` may stand for the series.
 * Throws a usage error.
 */
export function parseCondition(text: string, flag: string) {
  const refuse = (why: string, hint = `For example: ${flag} 'cpu>80' (or 'avg(cpu)>80')`) =>
    usageError(`${flag} ${quoted(text)} ${why}.`, hint);
  const [, left = '', operator = '', right = ''] =
    /^([^<>=!]*)([<>=!]=?)([^<>=!]*)$/.exec(text) ?? [];
  const compares = OPERATORS.get(operator);
  if (compares === undefined)
    throw refuse(`is not a comparison with one of ${[...OPERATORS.keys()].join(' ')}`);
  const [, digits, unit = ''] = NUMBER.exec(right.trim()) ?? [];
  const number = Number(digits ?? Number.NaN);
  if (!Number.isFinite(number)) throw refuse('does not compare with a number');
  if (unit !== '' && !UNITS.has(unit))
    throw refuse(`has a unit that is none of ${[...UNITS.keys()].join(', ')}`);
  const [, name = '', inner] = /^([^()]*)(?:\((.*)\))?$/.exec(left.trim()) ?? [];
  const series = (inner ?? name).trim();
  if (series === '') throw refuse('names no series');
  const figure = inner === undefined ? 'last' : figureNamed(name.trim());
  if (figure === undefined) throw refuse(NO_FIGURE);
  return { text, series, figure, compares, number, unit };
}

/** Reads `<series>` or `<series>:<figure>`. Throws a usage error. */
export function parseOrder(text: string, flag: string) {
  const [, series = '', name = 'last'] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
  const figure = figureNamed(name);
  if (series.trim() === '' || figure === undefined) {
    const why = figure === undefined ? NO_FIGURE : 'names no series';
    throw usageError(`${flag} ${quoted(text)} ${why}.`, `For example: ${flag} cpu:p95`);
  }
  return { series: series.trim(), figure };
}

function figureNamed(name: string): Figure | undefined {
  return FIGURES.find((known) => known === name);
}

interface Judged extends Pick<History, 'points' | 'empty'> {
  readonly all: readonly MetricSeries[];
  readonly answered: string | undefined;
  readonly range: MetricsRange;
  readonly asked: RequestedRange;
}

/** A condition that does not hold is not judged if the values cover less of the range. */
const LEAST_COVERAGE = 0.5;

/**
 * The error of all `--fail-if`: `alert` if a condition holds, or else `no_data` if one cannot be
 * checked. Points outside the asked range never count: the API may answer another range than it was
 * asked for.
 * @throws CliError `usage` if there is no such series, or several, or one of another unit.
 */
export function judgeConditions(
  conditions: readonly Condition[],
  usage: Judged,
): CliError | undefined {
  const failures = conditions.flatMap((condition) => judgeOne(condition, usage));
  const ordered = failures.sort(
    (one, other) => Number(other.code === 'alert') - Number(one.code === 'alert'),
  );
  const [first, ...others] = ordered;
  if (first === undefined || others.length === 0) return first;
  const alerts = ordered.flatMap(({ details }) => details.alerts ?? []);
  const message = asOneLine(
    first.message,
    others.map((failure) => failure.message),
  );
  return new CliError(first.code, message, alerts.length > 0 ? { alerts } : {});
}

/** Of several instances, one that holds is enough, and each has to be checked. */
function judgeOne(condition: Condition, usage: Judged): readonly CliError[] {
  const all = findMeasured(condition.series, usage);
  if (all.length === 0) {
    const hasPoints = usage.points > 0 || usage.answered !== undefined;
    const why = hasPoints
      ? noValue(condition.series, usage)
      : `There are no usage points ${rangeWords(usage)}.`;
    return [notChecked(condition, why)];
  }

  const failures = all.flatMap((series) => judgeSeries(condition, series, usage) ?? []);
  const alerts = failures.filter(({ code }) => code === 'alert');
  if (alerts.length > 0) return alerts;

  const withoutValues = usage.empty.filter((name) => name.startsWith(`${all[0]?.measure}{`));
  const unknown = withoutValues.map((name) => notChecked(condition, noValue(name, usage)));
  return [...failures, ...unknown].slice(0, 1);
}

function notChecked({ text }: Condition, why: string): CliError {
  return new CliError('no_data', `${text} cannot be checked. ${why}`);
}

function judgeSeries(
  condition: Condition,
  series: MetricSeries,
  usage: Judged,
): CliError | undefined {
  const { figure, text } = condition;
  const limit = limitFor(condition, series);
  const value = getStatistics(series.values)?.[figure];
  const holds = value !== undefined && condition.compares(value, limit);
  const absent = whatIsAbsent(figure, holds, series, usage);
  if (absent !== undefined) return notChecked(condition, absent);
  if (!holds) return undefined;
  // The latest point with that value, if the figure is that of a point.
  const time =
    figure === 'avg' || figure === 'p95'
      ? undefined
      : series.times[series.values.lastIndexOf(value)];
  const at = time === undefined ? null : toIso(time);
  const what = figure === 'last' ? series.name : `${figure}(${series.name})`;
  const message = `${what} is ${value}${at === null ? '' : ` at ${at}`} (condition: ${text})`;
  return new CliError('alert', message, {
    alerts: [{ series: series.name, figure, value, limit, at }],
  });
}

function noValue(series: string, usage: Judged): string {
  return `No usage point ${rangeWords(usage)} has a value of ${series}.`;
}

/** An old value is not the latest one. What holds for the values that there are holds. */
function whatIsAbsent(
  figure: Figure,
  holds: boolean,
  series: MetricSeries,
  usage: Judged,
): string | undefined {
  const { asked, answered } = usage;
  if (series.times.length === 0)
    return `The API answered with points ${answered}, and none ${rangeWords(usage)}. See svc help assumptions.`;
  if (holds && figure !== 'last') return undefined;
  const latest = findLatest(series, asked);
  if (latest === undefined) return noValue(series.name, usage);
  if (figure === 'last') {
    const age = formatDuration(asked.endMs - latest.time);
    const since = `${series.name} has no value since ${toIso(latest.time)}, ${age} before the end of the range.`;
    return latest.isOld ? since : undefined;
  }
  const coverage = getCoverage(series, asked);
  if (coverage >= LEAST_COVERAGE) return undefined;
  return `The values of ${series.name} cover ${Math.floor(coverage * 100)}% of the range ${rangeWords(usage)}.`;
}

function rangeWords({ range }: Judged): string {
  return `from ${range.start} to ${range.end}`;
}

function limitFor({ text, number, unit }: Condition, series: MetricSeries): number {
  if (unit === '') return number;
  const factor = UNITS.get(unit)?.[series.unit];
  if (factor !== undefined) return number * factor;
  const fitting = [...UNITS]
    .filter(([, one]) => one[series.unit] !== undefined)
    .map(([name]) => name);
  const known = series.unit === 'count' ? 'not known' : series.unit;
  throw usageError(
    `The unit of ${series.name} is ${known}, so svc cannot compare it with ${number}${unit} (${text}).`,
    `Use a plain number${fitting.length > 0 ? `, or ${listed(fitting)}` : ''}.`,
  );
}
