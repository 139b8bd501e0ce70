import { CliError, listed } from '../errors.ts';
import { readInstant } from '../json/instant.ts';
import { isObject, type JsonObject, readNumber } from '../json/values.ts';
import { findTimeField } from './fields.ts';

/** The usage points in an answer of operation 7, whose form the API document does not show. */
export interface Table {
  readonly points: readonly unknown[];
  readonly parts: readonly unknown[];
}

const MAX_DEPTH = 5;

/**
 * Finds the usage points: in the named field (dotted), or else in the answer itself if it is a list, or else in its only
 * part with points. Throws `unexpected` if there is no such part or more than one.
 */
export function findPoints(answer: unknown, field: string): Table {
  const found = listTables(answer, '', 0);
  if (field !== '') {
    const table = tableOf(fieldAt(answer, field));
    if (table !== undefined) return table;
    throw unreadable(`The answer has no list named ${field}, which metrics.points says.`, found[0]?.name || undefined);
  }
  const filled = found.filter(({ table }) => table.points.length > 0);
  const candidates = filled.length > 0 ? filled : found;
  const [first, second] = candidates;
  if (first === undefined) throw unreadable('The answer has no usage points in a form that svc can read.');
  if (second === undefined) return first.table;
  const names = listed(candidates.map(({ name }) => name));
  throw unreadable(`The answer has several lists that could be the usage points: ${names}.`, first.name);
}

/** `field` is an example for the hint; without one, the caller suggests a look at the answer. */
export function unreadable(message: string, field?: string): CliError {
  const hint =
    field === undefined ? undefined : `Print the answer with --json, and set SVC_ASSUME=metrics.points=${field}.`;
  return new CliError('unexpected', message, { hint });
}

function fieldAt(answer: unknown, field: string): unknown {
  const below = (value: unknown, name: string) =>
    isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return field.split('.').reduce(below, answer);
}

/** Lists the tables in an answer, but not tables within tables. */
function listTables(value: unknown, name: string, depth: number): { name: string; table: Table }[] {
  const table = tableOf(value);
  if (table !== undefined) return [{ name, table }];
  if (!isObject(value) || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    listTables(child, name === '' ? key : `${name}.${key}`, depth + 1),
  );
}

function tableOf(value: unknown): Table | undefined {
  if (Array.isArray(value)) return readList(value);
  if (!isObject(value)) return undefined;
  const lists = listsOf(Object.entries(value));
  const inner = Object.entries(value).flatMap((entry) => (isObject(entry[1]) ? Object.entries(entry[1]) : [entry]));
  return readRows(lists) ?? readSeries(lists) ?? readColumnLists(lists) ?? readColumnLists(listsOf(inner));
}

function listsOf(entries: readonly [string, unknown][]): [string, unknown[]][] {
  return entries.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
}

const SAMPLE = 50;

function readList(list: readonly unknown[]): Table | undefined {
  const parts = [list];
  const isOfSeries = list.length > 0 && list.slice(0, SAMPLE).every((entry) => seriesOf(entry) !== undefined);
  if (isOfSeries) return { points: merge(list.flatMap((entry) => seriesOf(entry) ?? [])), parts };
  if (list.length === 0 || list.some(isObject)) return { points: list, parts };
  const points = readTuples(list);
  return points && { points, parts };
}

interface NamedSeries {
  readonly name: string;
  readonly points: readonly unknown[];
}

const NAME_FIELDS = ['name', 'metric', 'series', 'label', 'key', 'id'];

/** `{name: 'cpu', points: […]}`, or with other names for the two fields. */
function seriesOf(entry: unknown): NamedSeries | undefined {
  if (!isObject(entry)) return undefined;
  const lists = Object.values(entry).filter((value) => Array.isArray(value) && value.length > 0);
  const field = NAME_FIELDS.find((name) => typeof entry[name] === 'string');
  const points = lists.length === 1 ? pointsOf(lists[0]) : undefined;
  if (field === undefined || points === undefined || findTimeField([entry]) !== undefined) return undefined;
  return { name: String(entry[field]), points };
}

const LIST_NAMES = 'points data values items buckets history usage metrics samples results'.split(' ');

/** `{cpu: [{t, v}], memory: [{t, v}]}`: the lists name the measurements, as the fields do not. */
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
  return withTime(
    points,
    lists.map(([, list]) => list),
  );
}

/** `{columns: ['time', 'cpu'], rows: [[t1, v1]]}`. */
function readRows(lists: readonly [string, unknown[]][]): Table | undefined {
  const head = lists.find(([, list]) => list.length > 1 && list.every((name) => typeof name === 'string'))?.[1];
  const rows = lists.find(([, list]) => list.length > 0 && list.every(Array.isArray))?.[1];
  if (head === undefined || rows === undefined) return undefined;
  return withTime(
    rows.map((row) => Object.fromEntries(head.map((name, at) => [name, Object(row)[at]]))),
    [head, rows],
  );
}

function withTime(points: readonly unknown[], parts: readonly unknown[]): Table | undefined {
  return findTimeField(points) === undefined ? undefined : { points, parts };
}

function pointsOf(list: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return findTimeField(list) === undefined ? readTuples(list) : list;
}

/** `[[t1, v1], [t2, v2]]`, or with the time last. */
function readTuples(list: readonly unknown[]): readonly unknown[] | undefined {
  const sample = list.slice(0, SAMPLE);
  if (!sample.every((entry): entry is unknown[] => Array.isArray(entry) && entry.length > 1)) return undefined;
  const at = [0, -1].find((place) => sample.every((entry) => !Number.isNaN(readInstant(entry.at(place)))));
  if (at === undefined) return undefined;
  return list.filter(Array.isArray).map((entry: unknown[]) => {
    const values = at === 0 ? entry.slice(1) : entry.slice(0, -1);
    const named = values.map((value, index) => [values.length === 1 ? 'value' : `value${index + 1}`, value]);
    return { time: entry.at(at), ...Object.fromEntries(named) };
  });
}

/** Generic names of a value: the list then names the measurement. */
const VALUE_NAMES = ['v', 'val', 'value', 'y', 'usage', 'amount'];
const GENERIC_NAMES = [...VALUE_NAMES, 'min', 'avg', 'average', 'mean', 'p50', 'p95', 'p99', 'max', 'last', 'sum'];

/** Whether all values have generic names such as `value` or `avg`. */
function isAnonymous(points: readonly unknown[]): boolean {
  const sample = points.slice(0, SAMPLE).filter(isObject);
  const time = findTimeField(sample);
  const names = sample.flatMap((point) =>
    Object.keys(point).filter((name) => name !== time && !Number.isNaN(readNumber(point[name]))),
  );
  return names.length > 0 && names.every((name) => GENERIC_NAMES.includes(name.toLowerCase()));
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function merge(series: readonly NamedSeries[]): JsonObject[] {
  const rows = new Map<number, Map<string, unknown>>();
  for (const { name, points } of series) {
    const timeField = findTimeField(points) ?? '';
    for (const point of points.filter(isObject)) {
      const time = readInstant(point[timeField]);
      if (Number.isNaN(time)) continue;
      const row = rows.get(time) ?? new Map();
      rows.set(time, row.set(name, readingOf(point, timeField)));
    }
  }
  return [...rows].map(([time, row]) => ({ ...Object.fromEntries(row), time: new Date(time).toISOString() }));
}

/** Returns the only value of a point, or all its values by name. */
function readingOf(point: JsonObject, timeField: string): unknown {
  const { [timeField]: _, ...values } = point;
  const [only, ...others] = Object.entries(values);
  return only !== undefined && others.length === 0 && VALUE_NAMES.includes(only[0].toLowerCase()) ? only[1] : values;
}
