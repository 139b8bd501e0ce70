import { quoted, usageError } from '../errors.ts';
import { readEpoch, readInstant } from '../json/instant.ts';
import { isObject, type JsonObject, readNumber } from '../json/values.ts';
import { splitName } from '../split-name.ts';
import { isTimeName, isValueName } from './field-names.ts';
import { type LabelledTable, splitByLabel, type TimedPoint } from './labels.ts';
import { findPoints, findTimeField, unreadableError } from './points.ts';
import { type MetricSeries, usualSpacing } from './series.ts';
import { guessUnit } from './unit.ts';

/** See {@link readHistory}. */
export interface History {
  readonly points: number;
  /** The lists of the answer that the points were in. */
  readonly parts: readonly unknown[];
  readonly series: readonly MetricSeries[];
  /** How many more there are. */
  readonly omitted: number;
  /** Fields that are null in every point. */
  readonly empty: readonly string[];
  /** Fields with values of other types only, such as text. */
  readonly others: readonly string[];
}

/**
 * Reads the answer of operation 7 in any common form; `field` is the assumption `metrics.points`.
 * Leaves out entries without a readable time. Throws `unexpected` for an answer without one list of
 * points, and for points without a time.
 */
export function readHistory(answer: unknown, field: string): History {
  const { points: found, parts } = findPoints(answer, field);
  if (found.length === 0)
    return { points: 0, parts, series: [], omitted: 0, empty: [], others: [] };
  const timeField = findTimeField(found);
  if (timeField === undefined) throw unreadableError('No field of the usage points is a time.');
  const timed: TimedPoint[] = [];
  for (const point of found) {
    const time = isObject(point) ? readInstant(point[timeField]) : Number.NaN;
    if (isObject(point) && !Number.isNaN(time)) timed.push({ point, time });
  }
  timed.sort((one, other) => one.time - other.time);

  const labelled = splitByLabel(timed);
  if (labelled !== undefined) return readLabelled(labelled, timeField, parts);
  const times = Float64Array.from(timed, ({ time }) => time);
  const table = { points: timed.map(({ point }) => point), rowCount: timed.length };
  const fields = readFields(table, timeField);
  return { points: timed.length, parts, ...toSeries(fields, times) };
}

/** Reads what came as several points for one time: the series of each instance have its name. */
function readLabelled(
  { times, groups, fields: labels }: LabelledTable,
  timeField: string,
  parts: readonly unknown[],
): History {
  const read = groups.map(({ points, rows, label, metric }) => {
    const table = { points, rows, rowCount: times.length, shares: groups.length };
    const fields = readFields(table, timeField).filter(({ name }) => !labels.includes(name));
    const toName = (field: string) => {
      const isValue = metric !== undefined && isValueName(field);
      return {
        measure: isValue ? metric : field,
        label: isValue ? label : joinLabel(label, metric),
      };
    };
    return toSeries(fields, times, toName);
  });
  return {
    points: times.length,
    parts,
    series: read.flatMap(({ series }) => series),
    omitted: read.reduce((sum, { omitted }) => sum + omitted, 0),
    empty: read.flatMap(({ empty }) => empty),
    others: [...new Set(read.flatMap(({ others }) => others))],
  };
}

function joinLabel(label: string, metric: string | undefined): string {
  return [metric, label].filter(Boolean).join('/');
}

/** What a series is called, and the instance that it is of. */
interface SeriesName {
  readonly measure: string;
  readonly label: string;
}

function toSeries(
  fields: readonly Field[],
  times: Float64Array,
  toName: (field: string) => SeriesName = (field) => ({ measure: field, label: '' }),
) {
  const namesOf = (holds: Field['holds']) =>
    fields.flatMap((one) => (one.holds === holds && !one.isTime ? one.name : []));
  return {
    series: fields.flatMap((field) =>
      field.values === undefined
        ? []
        : createSeries(toName(field.name), times, field.values, field.exact),
    ),
    omitted: namesOf('too much').length,
    empty: namesOf('null').map((name) => writeName(toName(name))),
    others: namesOf('other'),
  };
}

function writeName({ measure, label }: SeriesName): string {
  return label === '' ? measure : `${measure}{${label}}`;
}

function createSeries(
  name: SeriesName,
  times: Float64Array,
  values: Float64Array,
  exact: Field['exact'],
): MetricSeries {
  const measured = times.filter((_, at) => !Number.isNaN(values[at] ?? Number.NaN));
  return {
    name: writeName(name),
    measure: name.measure,
    unit: guessUnit(name.measure, values),
    times,
    values,
    exact,
    everyMs: usualSpacing(measured),
  };
}

interface Field {
  readonly name: string;
  /** Whether its instants are no measurements. */
  readonly isTime: boolean;
  readonly below: Map<string, Field>;
  /** One for each point if it has numbers; NaN if a point has none. */
  values?: Float64Array;
  /** The digits of numbers that {@link values} round, by their row. */
  exact?: Map<number, string>;
  /**
   * In place of values: null alone, texts and the like, or more numbers than {@link MAX_NUMBERS}.
   */
  holds?: 'null' | 'other' | 'too much' | undefined;
}

const MAX_DEPTH = 4;

/** Limit for all series together (256 MiB), reached only if names change from point to point. */
const MAX_NUMBERS = 2 ** 25;

/** Points, and the row of each in a table of all times. */
interface PointTable {
  readonly points: readonly JsonObject[];
  /** The indexes of the rows; without them each point is the next row. */
  readonly rows?: readonly number[];
  readonly rowCount: number;
  /** How many tables share {@link MAX_NUMBERS}. */
  readonly shares?: number;
}

/** Collects the fields, nested ones and numbers in texts too, in order of first appearance. */
function readFields(
  { points, rows, rowCount, shares = 1 }: PointTable,
  timeField: string,
): readonly Field[] {
  const root: Field = { name: '', isTime: false, below: new Map() };
  const fields: Field[] = [];
  let room = Math.max(1, Math.floor(MAX_NUMBERS / Math.max(1, rowCount * shares)));
  // Walks fields because joining names for each of a million points would be slow.
  const fieldBelow = (at: Field, key: string): Field => {
    const known = at.below.get(key);
    if (known !== undefined) return known;
    const isFirst = at === root;
    const name = isFirst ? key : `${at.name}.${key}`;
    const field: Field = {
      name,
      isTime: isFirst && (key === timeField || isTimeName(key)),
      below: new Map(),
    };
    at.below.set(key, field);
    fields.push(field);
    return field;
  };
  const store = (field: Field, row: number, value: number) => {
    if (field.values === undefined && room > 0) {
      room -= 1;
      field.values = new Float64Array(rowCount).fill(Number.NaN);
    }
    if (field.values !== undefined) field.values[row] = value;
    field.holds = field.values === undefined ? 'too much' : undefined;
  };
  const visit = (object: JsonObject, at: Field, row: number, depth: number) => {
    for (const key of Object.keys(object)) {
      const value = object[key];
      const number = readNumber(value);
      const field = fieldBelow(at, key);
      if (isMeasured(field, number, timeField)) {
        store(field, row, number);
        if (typeof value === 'string' && isRounded(value)) keepDigits(field, row, value);
      } else if (depth < MAX_DEPTH && isObject(value)) visit(value, field, row, depth + 1);
      else if (Number.isNaN(number) && field.values === undefined && field.holds !== 'too much')
        field.holds = value === null && field.holds !== 'other' ? 'null' : 'other';
    }
  };
  for (const [index, point] of points.entries()) visit(point, root, rows?.[index] ?? index, 1);
  return fields;
}

/** Whether JavaScript rounds a whole number. */
function isRounded(digits: string): boolean {
  return /^-?\d{16,}$/.test(digits) && BigInt(digits) !== BigInt(Number(digits));
}

function keepDigits(field: Field, row: number, digits: string): void {
  field.exact ??= new Map();
  field.exact.set(row, digits);
}

/** Whether a number is a measurement, and neither a time nor too large for JavaScript. */
function isMeasured(field: Field, number: number, timeField: string): boolean {
  if (!Number.isFinite(number)) return false;
  return !field.isTime || (field.name !== timeField && Number.isNaN(readEpoch(number)));
}

/** Each once, in the order of the names; all series without names or for `all`. */
export function selectSeries(
  names: readonly string[],
  all: readonly MetricSeries[],
): readonly MetricSeries[] {
  if (names.length === 0 || (names.length === 1 && names[0] === 'all')) return all;
  return [...new Set(names.flatMap((name) => seriesNamed(name, all)))];
}

/** Series, and fields without a number. */
interface Sought {
  readonly all: readonly MetricSeries[];
  readonly empty: readonly string[];
}

/**
 * Undefined if there are none, or for an empty field. Throws a usage error for no series or
 * several.
 */
export function findOneSeries(name: string, sought: Sought) {
  const found = findMeasured(name, sought);
  if (found.length > 1) throw severalSeries(name, found);
  return found[0];
}

/**
 * Finds the series of one measurement: one of each instance, if the answer tells instances apart.
 * None if there are no values.
 * @throws CliError `usage` for no series of this name, or those of several measurements
 */
export function findMeasured(name: string, { all, empty }: Sought): readonly MetricSeries[] {
  const isEmpty =
    empty.some((field) => isMeant(name, field)) &&
    !all.some((series) => isMeant(name, series.name));
  if (all.length === 0 || isEmpty) return [];

  const found = seriesNamed(name, all);
  const measures = new Set(found.map((series) => series.measure ?? series.name));
  if (measures.size > 1) throw severalSeries(name, found);
  return found;
}

function severalSeries(name: string, found: readonly MetricSeries[]) {
  return usageError(`${quoted(name)} could be several series.`, choose(found));
}

/**
 * Of this name, or else all whose names begin with its words: `cpu` is `cpuPercent`. Throws a usage
 * error for none.
 */
function seriesNamed(name: string, all: readonly MetricSeries[]): readonly MetricSeries[] {
  const exact = all.filter((series) => series.name === name || series.measure === name);
  const found = exact.length > 0 ? exact : all.filter((series) => isMeant(name, series.name));
  if (found.length > 0) return found;
  throw usageError(`There is no series ${quoted(name)}.`, choose(all));
}

function isMeant(name: string, field: string): boolean {
  const [sought, words] = [splitName(name), splitName(field)];
  return (
    name === field || (sought.length > 0 && sought.every((word, index) => words[index] === word))
  );
}

function choose(all: readonly MetricSeries[]): string {
  return `Choose one of ${all.map(({ name }) => name).join(', ')}.`;
}
