import { CliError, listNames } from '../errors.ts';
import {
  findField,
  isObject,
  type JsonObject,
  readEpoch,
  readInstant,
  readNumber,
} from '../json/values.ts';
import {
  guessUnit,
  isGenericName,
  isValueName,
  LEAST_TIME_RANK,
  rankTimeName,
} from './field-names.ts';
import { groupPoints, type PointGroup, type TimedPoint } from './labels.ts';
import { getUsualSpacing, type MetricSeries } from './series.ts';

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

type Points = readonly unknown[];

type NamedList = readonly [name: string, list: Points];

const MAX_LIST_DEPTH = 5;

/** Entries of a list that are looked at to find out what the list holds. */
const SAMPLE = 50;

/**
 * Finds the usage points in an answer of operation 7, whose form the API document does not show: in
 * the named field (dotted), or else in the answer itself if it is a list, or else in its only part
 * with points.
 * @throws CliError `unexpected` for no such part, and for more than one
 */
export function findPoints(answer: unknown, field: string): Points {
  const lists = findLists(answer, '', 0);
  if (field !== '') {
    const points = readPoints(field.split('.').reduce(findField, answer));
    if (points !== undefined) return points;
    const message = `The answer has no list named ${field}, which metrics.points says.`;
    throw unreadableError(message, lists[0]?.[0]);
  }

  const filled = lists.filter(([, points]) => points.length > 0);
  const candidates = filled.length > 0 ? filled : lists;
  const [first, ...others] = candidates;
  if (first === undefined) {
    throw unreadableError('The answer has no usage points in a form that svc can read.');
  }
  if (others.length === 0) return first[1];
  const names = listNames(candidates.map(([path]) => path));
  const message = `The answer has several lists that could be the usage points: ${names}.`;
  throw unreadableError(message, first[0]);
}

/**
 * Creates the error for an answer that cannot be read.
 * @param field an example for the hint; without one, the caller suggests a look at the answer
 */
function unreadableError(message: string, field = ''): CliError {
  const hint = `Print the answer with --json, and set SVC_ASSUME=metrics.points=${field}.`;
  return new CliError('unexpected', message, { hint: field === '' ? undefined : hint });
}

/** Finds the lists of points by their paths; what is inside of points is none. */
function findLists(value: unknown, path: string, depth: number): NamedList[] {
  const points = readPoints(value);
  if (points !== undefined) return [[path, points]];
  if (!isObject(value) || depth > MAX_LIST_DEPTH) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    findLists(child, path === '' ? key : `${path}.${key}`, depth + 1),
  );
}

/** Reads `[{time, cpu}]`, `[{name: 'cpu', points: […]}]` or `{cpu: […], memory: […]}`. */
function readPoints(value: unknown): Points | undefined {
  if (isObject(value)) return readSeries(value);
  if (!Array.isArray(value)) return undefined;
  const isOfSeries = value.slice(0, SAMPLE).every((entry) => readNamedSeries(entry).length > 0);
  if (isOfSeries) return merge(value.flatMap(readNamedSeries));
  return value.some(isObject) ? value : undefined;
}

const NAME_FIELDS = ['name', 'metric', 'series', 'label', 'key', 'id'];

/** Reads `{name: 'cpu', points: […]}`, or other names for the two fields; empty for others. */
function readNamedSeries(entry: unknown): NamedList[] {
  if (!isObject(entry) || findTimeField([entry]) !== undefined) return [];
  const lists = Object.values(entry).filter(isTimed);
  const name = NAME_FIELDS.map((field) => entry[field]).find((text) => typeof text === 'string');
  return name === undefined || lists.length > 1 ? [] : lists.map((points) => [name, points]);
}

const LIST_NAMES = 'points data values items buckets history usage metrics samples results'.split(
  ' ',
);

/** Reads `{cpu: [{t, v}], memory: [{t, v}]}`: the lists name what their fields do not. */
function readSeries(object: JsonObject): Points | undefined {
  const lists = Object.entries(object).flatMap(([name, value]): NamedList[] =>
    Array.isArray(value) && value.some(isObject) ? [[name, value]] : [],
  );
  const isNamed = lists.length > 1 || lists.some(([name]) => !LIST_NAMES.includes(name));
  return isNamed && lists.every(([, list]) => isAnonymous(list)) ? merge(lists) : undefined;
}

function isTimed(value: unknown): value is Points {
  return Array.isArray(value) && findTimeField(value) !== undefined;
}

/** Whether points have a time, and no other field of theirs says what it measures. */
function isAnonymous(points: Points): boolean {
  const sample = points.slice(0, SAMPLE).filter(isObject);
  const time = findTimeField(sample);
  const names = sample
    .flatMap(Object.entries<unknown>)
    .filter(([name, value]) => name !== time && !Number.isNaN(readNumber(value)))
    .map(([name]) => name);
  return time !== undefined && names.length > 0 && names.every(isGenericName);
}

/** Makes one point of those that several series have at one time. */
function merge(series: readonly NamedList[]): JsonObject[] {
  const rows = new Map<number, Record<string, unknown>>();
  for (const [name, points] of series) {
    const timeField = findTimeField(points) ?? '';
    for (const point of points.filter(isObject)) {
      const time = readInstant(point[timeField]);
      if (Number.isNaN(time)) continue;
      const row = rows.get(time) ?? { time: new Date(time).toISOString() };
      row[name] = readReading(point, timeField);
      rows.set(time, row);
    }
  }
  return [...rows.values()];
}

/** Returns the only value of a point, or all its values by name. */
function readReading(point: JsonObject, timeField: string): unknown {
  const { [timeField]: _, ...values } = point;
  const [first, ...others] = Object.entries(values);
  return first !== undefined && others.length === 0 && isValueName(first[0]) ? first[1] : values;
}

const NO_TIME = Number.POSITIVE_INFINITY;

/**
 * Finds the field that is an instant in every sampled point: text rather than numbers, which may be
 * bytes that look like seconds; then a name like a time, the start of a bucket, the end of one, and
 * the first field.
 */
function findTimeField(points: Points): string | undefined {
  const sample = points.slice(0, SAMPLE).filter(isObject);
  const names = [...new Set(sample.flatMap(Object.keys))];
  const ranks = names.map((name) => rankTimeField(name, sample));
  const best = Math.min(...ranks);
  return best === NO_TIME ? undefined : names[ranks.indexOf(best)];
}

/** Ranks a field; the lowest is the best. Numbers without the name of a time rise or fall. */
function rankTimeField(name: string, sample: readonly JsonObject[]): number {
  const values = sample.map((point) => point[name] ?? undefined).filter((v) => v !== undefined);
  if (values.length === 0 || !values.every(isInstant)) return NO_TIME;

  const rank = rankTimeName(name);
  const numbers = values.map(readNumber);
  if (numbers.every(Number.isNaN)) return rank;
  const isRow = isAscending(numbers) || isAscending(numbers.toReversed());
  return rank < LEAST_TIME_RANK || isRow ? LEAST_TIME_RANK + 1 + rank : NO_TIME;
}

function isInstant(value: unknown): boolean {
  return !Number.isNaN(readInstant(value));
}

function isAscending(values: readonly number[]): boolean {
  const rises = (value: number, index: number) => index === 0 || value > Number(values[index - 1]);
  return values.length > 1 && values.every(rises);
}
