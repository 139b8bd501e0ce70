import { isObject, type JsonObject, readNumber } from '../json/values.ts';
import { readInstant } from '../spec/instant.ts';
import { findTimeField } from './columns.ts';

/** Points as objects with a time and numbers, and the parts of the answer that they were read from. */
export interface Table {
  readonly points: readonly unknown[];
  readonly parts: readonly unknown[];
}

/** Names of a value that say nothing of what is measured, which the name of the list then does. */
const VALUE_NAMES = ['v', 'val', 'value', 'y', 'usage', 'amount'];
const STATISTIC_NAMES = [...VALUE_NAMES, 'min', 'avg', 'average', 'mean', 'p50', 'p95', 'p99', 'max', 'last', 'sum'];

/** Names of a list that say nothing of what is measured. */
const LIST_NAMES = [
  'points',
  'data',
  'values',
  'items',
  'buckets',
  'history',
  'usage',
  'metrics',
  'samples',
  'results',
];

/** Names of what a series is called, in a list of series. */
const NAME_FIELDS = ['name', 'metric', 'series', 'label', 'key', 'id'];

/** Entries that are looked at to know the form of a list. */
const SAMPLE = 50;

/**
 * Reads a list: points as they are, tuples of a time and numbers, or series that each have a name and a list of their own.
 * `undefined` for a list of anything else.
 */
export function readList(list: readonly unknown[]): Table | undefined {
  if (list.length === 0) return { points: list, parts: [list] };
  if (list.slice(0, SAMPLE).every((entry) => seriesOf(entry) !== undefined)) {
    return { points: merge(list.flatMap((entry) => seriesOf(entry) ?? [])), parts: [list] };
  }
  if (list.some(isObject)) return { points: list, parts: [list] };
  const points = readTuples(list);
  return points && { points, parts: [list] };
}

/** Reads an object whose lists belong together: one for each series, one for each column, or rows below a head. */
export function readLists(object: JsonObject): Table | undefined {
  const lists = listsOf(Object.entries(object));
  const inner = Object.entries(object).flatMap((entry) => (isObject(entry[1]) ? Object.entries(entry[1]) : [entry]));
  return readRows(lists) ?? readSeries(lists) ?? readColumnLists(lists) ?? readColumnLists(listsOf(inner));
}

function listsOf(entries: readonly [string, unknown][]): [string, unknown[]][] {
  return entries.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
}

interface NamedSeries {
  readonly name: string;
  readonly points: readonly unknown[];
}

/** `{name: 'cpu', points: […]}`, whatever its two fields are called. */
function seriesOf(entry: unknown): NamedSeries | undefined {
  if (!isObject(entry)) return undefined;
  const lists = Object.values(entry).filter((value) => Array.isArray(value) && value.length > 0);
  const field = NAME_FIELDS.find((name) => typeof entry[name] === 'string');
  const points = lists.length === 1 ? pointsOf(lists[0]) : undefined;
  if (field === undefined || points === undefined || findTimeField([entry]) !== undefined) return undefined;
  return { name: String(entry[field]), points };
}

/** `{cpu: [{t, v}], memory: [{t, v}]}`: the names of the fields do not say what is measured, so those of the lists do. */
function readSeries(lists: readonly [string, unknown[]][]): Table | undefined {
  const filled = lists.filter(([, list]) => list.slice(0, SAMPLE).some(isNested));
  const series = filled.flatMap(([name, list]) => {
    const points = pointsOf(list);
    return points === undefined || !isAnonymous(points) ? [] : [{ name, points }];
  });
  const [first] = series;
  if (first === undefined || series.length < filled.length) return undefined;
  if (series.length === 1 && LIST_NAMES.includes(first.name)) return undefined;
  return { points: merge(series), parts: lists.map(([, list]) => list) };
}

/** `{time: [t1, t2], cpu: [v1, v2]}`. */
function readColumnLists(lists: readonly [string, unknown[]][]): Table | undefined {
  const length = lists[0]?.[1].length ?? 0;
  const isColumn = ([, list]: [string, unknown[]]) => list.length === length && !list.slice(0, SAMPLE).some(isNested);
  if (lists.length < 2 || length === 0 || !lists.every(isColumn)) return undefined;
  const points = Array.from({ length }, (_, row) => Object.fromEntries(lists.map(([name, list]) => [name, list[row]])));
  return findTimeField(points) === undefined ? undefined : { points, parts: lists.map(([, list]) => list) };
}

/** `{columns: ['time', 'cpu'], rows: [[t1, v1]]}`. */
function readRows(lists: readonly [string, unknown[]][]): Table | undefined {
  const head = lists.find(([, list]) => list.length > 1 && list.every((name) => typeof name === 'string'))?.[1];
  const rows = lists.find(([, list]) => list.length > 0 && list.every(Array.isArray))?.[1];
  if (head === undefined || rows === undefined) return undefined;
  const points = rows.map((row) => Object.fromEntries(head.map((name, at) => [name, Object(row)[at]])));
  return findTimeField(points) === undefined ? undefined : { points, parts: [head, rows] };
}

/** The points of a list of objects with a time, or of tuples. */
function pointsOf(list: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return findTimeField(list) === undefined ? readTuples(list) : list;
}

/** `[[t1, v1], [t2, v2]]`, or with the time last. */
function readTuples(list: readonly unknown[]): readonly unknown[] | undefined {
  const sample = list.slice(0, SAMPLE);
  if (!sample.every((entry): entry is unknown[] => Array.isArray(entry) && entry.length > 1)) return undefined;
  const isTime = (at: number) => sample.every((entry) => !Number.isNaN(readInstant(entry.at(at))));
  const at = [0, -1].find(isTime);
  if (at === undefined) return undefined;
  return list.flatMap((entry) => {
    if (!Array.isArray(entry)) return [];
    const values: unknown[] = at === 0 ? entry.slice(1) : entry.slice(0, -1);
    const named = values.map((value, index) => [values.length === 1 ? 'value' : `value${index + 1}`, value]);
    return [{ time: entry.at(at), ...Object.fromEntries(named) }];
  });
}

/** Whether points have a time and values that are called `value`, `avg` and the like. */
function isAnonymous(points: readonly unknown[]): boolean {
  const sample = points.slice(0, SAMPLE).filter(isObject);
  const time = findTimeField(sample);
  const names = sample.flatMap((point) => Object.keys(point).filter((name) => isNumber(point[name]) && name !== time));
  return names.length > 0 && names.every((name) => STATISTIC_NAMES.includes(name.toLowerCase()));
}

function isNumber(value: unknown): boolean {
  return !Number.isNaN(readNumber(value));
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Points of several series as points with a field for each series; those of the same time become one. */
function merge(series: readonly NamedSeries[]): JsonObject[] {
  const rows = new Map<number, Map<string, unknown>>();
  for (const { name, points } of series) {
    const timeField = findTimeField(points) ?? '';
    for (const point of points) {
      const time = isObject(point) ? readInstant(point[timeField]) : Number.NaN;
      if (!isObject(point) || Number.isNaN(time)) continue;
      const row = rows.get(time) ?? new Map();
      rows.set(time, row.set(name, readingOf(point, timeField)));
    }
  }
  return [...rows].map(([time, row]) => ({ ...Object.fromEntries(row), time: new Date(time).toISOString() }));
}

/** The one value of a point, or its values by their names. */
function readingOf(point: JsonObject, timeField: string): unknown {
  const { [timeField]: _, ...values } = point;
  const [only, ...others] = Object.entries(values);
  return only !== undefined && others.length === 0 && VALUE_NAMES.includes(only[0].toLowerCase()) ? only[1] : values;
}
