import { CliError, listNames } from '../errors.ts';
import { findField, isObject, type JsonObject, readInstant, readNumber } from '../json/values.ts';
import { isGenericName, isValueName, LEAST_TIME_RANK, rankTimeName } from './field-names.ts';

type Points = readonly unknown[];

type NamedList = readonly [name: string, list: Points];

const MAX_DEPTH = 5;

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
export function unreadableError(message: string, field = ''): CliError {
  const hint = `Print the answer with --json, and set SVC_ASSUME=metrics.points=${field}.`;
  return new CliError('unexpected', message, { hint: field === '' ? undefined : hint });
}

/** Finds the lists of points by their paths; what is inside of points is none. */
function findLists(value: unknown, path: string, depth: number): NamedList[] {
  const points = readPoints(value);
  if (points !== undefined) return [[path, points]];
  if (!isObject(value) || depth > MAX_DEPTH) return [];
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
export function findTimeField(points: Points): string | undefined {
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
