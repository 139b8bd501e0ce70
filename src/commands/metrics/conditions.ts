import type { MetricsRange } from '../../api/call.ts';
import { toIso } from '../../cli/values/time.ts';
import { asOneLine, CliError, listNames, quote, usageError } from '../../errors.ts';
import { findMeasured, type KnownSeries } from '../../metrics/find-series.ts';
import {
  findLatest,
  getCoverage,
  getStatistics,
  type MetricSeries,
  type RequestedRange,
} from '../../metrics/series.ts';
import { formatDuration } from '../../terminal/format.ts';
import { FIGURES, type Figures } from '../../terminal/screen.ts';

type Condition = ReturnType<typeof parseCondition>;

const OPERATORS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '==': (value, limit) => value === limit,
  '!=': (value, limit) => value !== limit,
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
};

/** The units of a number that each unit of a series takes, with their factors. */
const FACTORS: Readonly<Record<MetricSeries['unit'], Readonly<Record<string, number>>>> = {
  '%': { '%': 1 },
  ms: { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 },
  s: { ms: 0.001, s: 1, min: 60, h: 3_600 },
  bytes: {
    B: 1,
    kB: 1e3,
    MB: 1e6,
    GB: 1e9,
    TB: 1e12,
    KiB: 2 ** 10,
    MiB: 2 ** 20,
    GiB: 2 ** 30,
    TiB: 2 ** 40,
  },
  count: {},
};

const UNITS = [...new Set(Object.values(FACTORS).flatMap(Object.keys))];

/** A series or `figure(series)`, an operator, a number, and perhaps a unit. */
const CONDITION =
  /^([^()<>=!]*)(?:\(([^()<>=!]*)\)\s*)?([<>=!]=?)\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*([a-zA-Z%]*)$/;

/**
 * Reads `<series><operator><number>[unit]`, where `<figure>(<series>)` may stand for the series.
 * @throws CliError `usage`
 */
export function parseCondition(text: string, flag: string) {
  const [, name = '', inner, operator = '', digits, unit = ''] = CONDITION.exec(text.trim()) ?? [];
  const series = (inner ?? name).trim();
  const figure = inner === undefined ? 'last' : findFigure(name.trim());
  const compares = OPERATORS[operator];
  const number = Number(digits);
  const isValue = Number.isFinite(number) && ['', ...UNITS].includes(unit);
  if (series === '' || figure === undefined || compares === undefined || !isValue) {
    throw usageError(
      `${flag} ${quote(text)} is not a condition.`,
      `Write <series>>80, or avg(<series>)>80. Figures: ${FIGURES.join(', ')}. Operators: ${Object.keys(OPERATORS).join(' ')}. Units: ${UNITS.join(', ')}.`,
    );
  }
  return { text, series, figure, compares, number, unit };
}

/**
 * Reads `<series>` or `<series>:<figure>`.
 * @throws CliError `usage`
 */
export function parseOrder(text: string, flag: string) {
  const [, series = '', name = 'last'] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
  const figure = findFigure(name);
  if (series.trim() === '' || figure === undefined) {
    const why = `is not a series, or <series>:<figure> with one of ${FIGURES.join(', ')}`;
    throw usageError(`${flag} ${quote(text)} ${why}.`, `For example: ${flag} cpu:p95`);
  }
  return { series: series.trim(), figure };
}

function findFigure(name: string): keyof Figures | undefined {
  return FIGURES.find((figure) => figure === name);
}

/** The usage that conditions are judged by. */
interface JudgedUsage extends KnownSeries {
  readonly points: number;
  readonly answered: string | undefined;
  readonly range: MetricsRange & RequestedRange;
}

/** A condition that does not hold is not judged if the values cover less of the range. */
const LEAST_COVERAGE = 0.5;

/**
 * Judges all `--fail-if`: the error is `alert` if a condition holds, or else `no_data` if one
 * cannot be checked.
 * @throws CliError `usage` if there is no such series, or several, or one of another unit.
 */
export function judgeConditions(
  conditions: readonly Condition[],
  usage: JudgedUsage,
): CliError | undefined {
  const failures = conditions.flatMap((condition) => judgeCondition(condition, usage));
  const [first, ...others] = failures.toSorted(
    (one, other) => Number(other.code === 'alert') - Number(one.code === 'alert'),
  );
  if (first === undefined) return undefined;

  const alerts = failures.flatMap(({ details }) => details.alerts ?? []);
  const messages = others.map(({ message }) => message);
  const message = asOneLine(first.message, messages);
  return new CliError(first.code, message, alerts.length > 0 ? { alerts } : {});
}

/** Judges a condition: of several instances, one that holds is enough, and each is checked. */
function judgeCondition(condition: Condition, usage: JudgedUsage): readonly CliError[] {
  const all = findMeasured(condition.series, usage);
  const [first] = all;
  if (first === undefined) {
    const hasPoints = usage.points > 0 || usage.answered !== undefined;
    const noPoints = `There are no usage points ${describeRange(usage)}.`;
    const why = hasPoints ? describeNoValue(condition.series, usage) : noPoints;
    return [uncheckedError(condition, why)];
  }

  const failures = all.flatMap((series) => judgeSeries(condition, series, usage) ?? []);
  const alerts = failures.filter(({ code }) => code === 'alert');
  if (alerts.length > 0) return alerts;

  const unknown = usage.empty
    .filter((name) => name.startsWith(`${first.measure}{`))
    .map((name) => uncheckedError(condition, describeNoValue(name, usage)));
  return [...failures, ...unknown].slice(0, 1);
}

function uncheckedError({ text }: Condition, why: string): CliError {
  return new CliError('no_data', `${text} cannot be checked. ${why}`);
}

function judgeSeries(
  condition: Condition,
  series: MetricSeries,
  usage: JudgedUsage,
): CliError | undefined {
  const { figure, text } = condition;
  const { name, times, values } = series;
  const limit = convertLimit(condition, series);
  const value = getStatistics(values)?.[figure];
  const holds = value !== undefined && condition.compares(value, limit);
  const missing = describeMissing(figure, holds, series, usage);
  if (missing !== undefined) return uncheckedError(condition, missing);
  if (!holds) return undefined;

  // The figure may be the value of a point; the latest such point counts.
  const isOfPoint = figure !== 'avg' && figure !== 'p95';
  const at = isOfPoint ? toIso(times[values.lastIndexOf(value)] ?? 0) : null;
  const measure = figure === 'last' ? name : `${figure}(${name})`;
  const when = at === null ? '' : ` at ${at}`;
  return new CliError('alert', `${measure} is ${value}${when} (condition: ${text})`, {
    alerts: [{ series: name, figure, value, limit, at }],
  });
}

function describeNoValue(series: string, usage: JudgedUsage): string {
  return `No usage point ${describeRange(usage)} has a value of ${series}.`;
}

/** Describes why values are too few: an old value is not the latest one. */
function describeMissing(
  figure: keyof Figures,
  holds: boolean,
  series: MetricSeries,
  usage: JudgedUsage,
): string | undefined {
  const { range, answered } = usage;
  if (series.times.length === 0) {
    return `The API answered with points ${answered}, and none ${describeRange(usage)}. See svc help assumptions.`;
  }
  // A condition that holds for these values holds, whatever is missing.
  if (holds && figure !== 'last') return undefined;
  const latest = findLatest(series, range);
  if (latest === undefined) return describeNoValue(series.name, usage);
  if (figure === 'last') {
    const age = formatDuration(range.endMs - latest.time);
    const since = `${series.name} has no value since ${toIso(latest.time)}, ${age} before the end of the range.`;
    return latest.isOld ? since : undefined;
  }
  const coverage = getCoverage(series, range);
  if (coverage >= LEAST_COVERAGE) return undefined;
  return `The values of ${series.name} cover ${Math.floor(coverage * 100)}% of the range ${describeRange(usage)}.`;
}

function describeRange({ range }: JudgedUsage): string {
  return `from ${range.start} to ${range.end}`;
}

/** Converts the number of a condition to the unit of a series. */
function convertLimit({ text, number, unit }: Condition, series: MetricSeries): number {
  if (unit === '') return number;
  const factors = FACTORS[series.unit];
  const factor = factors[unit];
  if (factor !== undefined) return number * factor;
  const names = Object.keys(factors);
  const known = series.unit === 'count' ? 'not known' : series.unit;
  const units = names.length > 0 ? `, or ${listNames(names)}` : '';
  throw usageError(
    `The unit of ${series.name} is ${known}, so svc cannot compare it with ${number}${unit} (${text}).`,
    `Use a plain number${units}.`,
  );
}
