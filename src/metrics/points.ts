import { CliError, listed } from '../errors.ts';
import { readInstant } from '../json/instant.ts';
import { findField, isObject, type JsonObject, readNumber } from '../json/values.ts';
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
  const [first, second] = candidates;
  if (first === undefined) {
    throw unreadableError('The answer has no usage points in a form that svc can read.');
  }
  if (second === undefined) return first[1];
  const names = listed(candidates.map(([path]) => path));
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

function readPoints(value: unknown): Points | undefined {
  if (Array.isArray(value)) return readList(value);
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const inner = entries.flatMap((entry) =>
    isObject(entry[1]) ? Object.entries(entry[1]) : [entry],
  );
  return readSeries(entries) ?? readColumns(entries) ?? readColumns(inner);
}

/** Reads `[{time, cpu}]`, `[{name: 'cpu', points: […]}]` or `[[t, v]]`. */
function readList(list: Points): Points | undefined {
  const isOfSeries = list.slice(0, SAMPLE).every((entry) => readNamedSeries(entry) !== undefined);
  if (list.length > 0 && isOfSeries) {
    return merge(list.map(readNamedSeries).filter((series) => series !== undefined));
  }
  return list.length === 0 || list.some(isObject) ? list : readTuples(list);
}

const NAME_FIELDS = ['name', 'metric', 'series', 'label', 'key', 'id'];

/** Reads `{name: 'cpu', points: […]}`, or other names for the two fields. */
function readNamedSeries(entry: unknown): NamedList | undefined {
  if (!isObject(entry) || findTimeField([entry]) !== undefined) return undefined;
  const lists = Object.values(entry).filter((value) => Array.isArray(value) && value.length > 0);
  const field = NAME_FIELDS.find((name) => typeof entry[name] === 'string');
  const points = lists.length === 1 ? readTimedPoints(lists[0]) : undefined;
  return field === undefined || points === undefined ? undefined : [String(entry[field]), points];
}

const LIST_NAMES = 'points data values items buckets history usage metrics samples results'.split(
  ' ',
);

type Entries = readonly (readonly [name: string, value: unknown])[];

/** Reads `{cpu: [{t, v}], memory: [{t, v}]}`: the lists name what their fields do not. */
function readSeries(entries: Entries): Points | undefined {
  const filled = pickLists(entries).filter(([, list]) => list.slice(0, SAMPLE).some(isNested));
  const series = filled.flatMap(([name, list]): NamedList[] => {
    const points = readTimedPoints(list);
    return points === undefined || !isAnonymous(points) ? [] : [[name, points]];
  });
  const [first] = series;
  if (first === undefined || series.length < filled.length) return undefined;
  return series.length === 1 && LIST_NAMES.includes(first[0]) ? undefined : merge(series);
}

/** Reads `{time: [t1, t2], cpu: [v1, v2]}`. */
function readColumns(entries: Entries): Points | undefined {
  const columns = pickLists(entries);
  const length = columns[0]?.[1].length ?? 0;
  const areColumns = columns.every(
    ([, list]) => list.length === length && !list.slice(0, SAMPLE).some(isNested),
  );
  if (columns.length < 2 || !areColumns) return undefined;

  const points = Array.from({ length }, (_, row) =>
    Object.fromEntries(columns.map(([name, list]) => [name, list[row]])),
  );
  return findTimeField(points) === undefined ? undefined : points;
}

function pickLists(entries: Entries): NamedList[] {
  return entries.flatMap(([name, value]): NamedList[] =>
    Array.isArray(value) ? [[name, value]] : [],
  );
}

function readTimedPoints(list: unknown): Points | undefined {
  if (!Array.isArray(list)) return undefined;
  return findTimeField(list) === undefined ? readTuples(list) : list;
}

/** Reads `[[t1, v1], [t2, v2]]`, also with the time last. */
function readTuples(list: Points): Points | undefined {
  const tuples = list.filter((entry): entry is unknown[] => Array.isArray(entry));
  const sample = tuples.slice(0, SAMPLE);
  const place = [0, -1].find((at) => sample.every((tuple) => isInstant(tuple.at(at))));
  if (place === undefined || tuples.length < list.length) return undefined;

  return tuples.map((tuple) => {
    const values = place === 0 ? tuple.slice(1) : tuple.slice(0, -1);
    const fields = values.map((value, index) => [`value${index + 1}`, value]);
    const named = values.length === 1 ? { value: values[0] } : Object.fromEntries(fields);
    return { time: tuple.at(place), ...named };
  });
}

/** Whether no field of the points but their time says what it measures. */
function isAnonymous(points: Points): boolean {
  const sample = points.slice(0, SAMPLE).filter(isObject);
  const time = findTimeField(sample);
  const names = sample
    .flatMap(Object.entries<unknown>)
    .filter(([name, value]) => name !== time && !Number.isNaN(readNumber(value)))
    .map(([name]) => name);
  return names.length > 0 && names.every(isGenericName);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
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
