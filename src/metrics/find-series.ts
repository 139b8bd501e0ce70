import { quote, usageError } from '../errors.ts';
import { splitName } from '../split-name.ts';
import type { MetricSeries } from './series.ts';

/** Selects each series once, in the order of the names; all of them without names or for `all`. */
export function selectSeries(
  names: readonly string[],
  all: readonly MetricSeries[],
): readonly MetricSeries[] {
  if (names.length === 0 || (names.length === 1 && names[0] === 'all')) return all;
  return [...new Set(names.flatMap((name) => findNamed(name, all)))];
}

/** The series in the asked range, and the names of fields without a number. */
export interface KnownSeries {
  readonly all: readonly MetricSeries[];
  readonly empty: readonly string[];
}

/**
 * Finds the series of a name; undefined if there are no values.
 * @throws CliError `usage` for no series of this name, or several
 */
export function findOneSeries(name: string, known: KnownSeries) {
  const series = findMeasured(name, known);
  if (series.length > 1) throw ambiguousError(name, series);
  return series[0];
}

/**
 * Finds the series of one measurement: one of each instance, if the answer tells instances apart.
 * Returns none if there are no values.
 * @throws CliError `usage` for no series of this name, or those of several measurements
 */
export function findMeasured(name: string, { all, empty }: KnownSeries): readonly MetricSeries[] {
  const series = all.length === 0 ? [] : findNamed(name, all, empty);
  if (series.some(({ measure }) => measure !== series[0]?.measure)) {
    throw ambiguousError(name, series);
  }
  return series;
}

/**
 * Finds the series of a name, or else those whose names begin with its words: `cpu` is
 * `cpuPercent`. Returns none for the name of a field without a number.
 * @throws CliError `usage` for any other name
 */
function findNamed(
  name: string,
  all: readonly MetricSeries[],
  empty: readonly string[] = [],
): readonly MetricSeries[] {
  const exact = all.filter((series) => series.name === name || series.measure === name);
  const series = exact.length > 0 ? exact : all.filter((one) => hasName(one.name, name));
  if (series.length > 0 || empty.some((field) => hasName(field, name))) return series;
  throw usageError(`There is no series ${quote(name)}.`, suggestNames(all));
}

/** Whether a field has this name, or one that begins with its words. */
function hasName(field: string, name: string): boolean {
  const words = splitName(name);
  const fieldWords = splitName(field);
  const begins = words.length > 0 && words.every((word, index) => fieldWords[index] === word);
  return name === field || begins;
}

function ambiguousError(name: string, series: readonly MetricSeries[]) {
  return usageError(`${quote(name)} could be several series.`, suggestNames(series));
}

function suggestNames(series: readonly MetricSeries[]): string {
  return `Choose one of ${series.map(({ name }) => name).join(', ')}.`;
}
