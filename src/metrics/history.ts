import { isObject, type JsonObject, readEpoch, readInstant, readNumber } from '../json/values.ts';
import { LEAST_TIME_RANK, rankTimeName } from './field-names.ts';
import { groupPoints, type PointGroup, type TimedPoint } from './labels.ts';
import { findPoints, findTimeField, unreadableError } from './points.ts';
import { getUsualSpacing, type MetricSeries } from './series.ts';
import { guessUnit } from './unit.ts';

/** The usage points of an answer, as series. */
export interface History {
  readonly points: number;
  readonly series: readonly MetricSeries[];
  /** Fields without a number in any point. */
  readonly empty: readonly string[];
}

/**
 * Reads the answer of operation 7 in any common form, without entries that have no readable time.
 * Several points for one time are series of each instance, with its name.
 * @param field the assumption `metrics.points`
 * @throws CliError `unexpected` for an answer without one list of points, and without a time
 */
export function readHistory(answer: unknown, field: string): History {
  const points = findPoints(answer, field);
  if (points.length === 0) return { points: 0, series: [], empty: [] };

  const timeField = findTimeField(points);
  if (timeField === undefined) throw unreadableError('No field of the usage points is a time.');
  const { times, groups, labels } = groupPoints(readTimes(points, timeField));
  const fields = groups.flatMap((group) =>
    collectFields(group, times.length, timeField)
      .filter(({ name }) => !labels.includes(name))
      .map((field) => ({ ...field, ...group.toName(field.name) })),
  );
  const isEmpty = ({ values, isTime, below }: Field) =>
    values === undefined && !isTime && below.size === 0;
  return {
    points: times.length,
    series: fields.flatMap(({ name, measure, values, digits }) => {
      if (values === undefined) return [];
      const everyMs = getUsualSpacing(times.filter((_, at) => !Number.isNaN(values[at])));
      return { name, measure, unit: guessUnit(measure, values), times, values, digits, everyMs };
    }),
    empty: fields.filter(isEmpty).map(({ name }) => name),
  };
}

/** Reads the times of points, and sorts them by it. */
function readTimes(points: readonly unknown[], timeField: string): readonly TimedPoint[] {
  return points
    .filter(isObject)
    .map((point) => ({ point, time: readInstant(point[timeField]) }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((one, other) => one.time - other.time);
}

interface Field {
  readonly name: string;
  /** The objects around it: 0 of a point itself. */
  readonly depth: number;
  /** Whether its instants are no measurements. */
  readonly isTime: boolean;
  readonly below: Map<string, Field>;
  /** One for each row if it has numbers; NaN if a row has none. */
  values?: Float64Array;
  /** The digits of whole numbers that {@link values} rounds, by their row. */
  readonly digits: Map<number, string>;
}

const MAX_DEPTH = 4;

/** Limit for all series together (256 MiB), reached only if names change from point to point. */
const MAX_NUMBERS = 2 ** 25;

/**
 * Collects the fields of points, nested ones and numbers in texts too, in order of first
 * appearance. It walks fields because joining names for each of a million points would be slow.
 */
function collectFields({ points, rows }: PointGroup, rowCount: number, timeField: string) {
  const fields: Field[] = [];

  const addField = (key: string, parent: Field): Field => {
    const isTop = parent.depth === 0;
    const field = {
      name: isTop ? key : `${parent.name}.${key}`,
      depth: parent.depth + 1,
      isTime: isTop && (key === timeField || rankTimeName(key) < LEAST_TIME_RANK),
      below: new Map(),
      digits: new Map(),
    };
    parent.below.set(key, field);
    fields.push(field);
    return field;
  };

  const store = (value: unknown, field: Field, row: number) => {
    if (fields.length * rowCount > MAX_NUMBERS) {
      throw unreadableError('The usage points have too many fields for svc to hold.');
    }
    field.values ??= new Float64Array(rowCount).fill(Number.NaN);
    field.values[row] = Number(value);
    if (isRounded(value)) field.digits.set(row, value);
  };

  const visit = (object: JsonObject, parent: Field, row: number) => {
    for (const key of Object.keys(object)) {
      const value = object[key];
      const number = readNumber(value);
      const field = parent.below.get(key) ?? addField(key, parent);
      const isInstant = field.isTime && !Number.isNaN(readEpoch(number));
      if (Number.isFinite(number) && !isInstant) store(value, field, row);
      else if (isObject(value) && field.depth < MAX_DEPTH) visit(value, field, row);
    }
  };

  const root = { name: '', depth: 0, isTime: false, below: new Map(), digits: new Map() };
  for (const [index, row] of rows.entries()) visit(points[index] ?? {}, root, row);
  return fields;
}

/** Whether a value is the text of a whole number that JavaScript would round. */
function isRounded(value: unknown): value is string {
  const isLong = typeof value === 'string' && /^-?\d{16,}$/.test(value);
  return isLong && BigInt(value) !== BigInt(Number(value));
}
