import { CliError, listed } from '../errors.ts';
import { readInstant } from '../json/instant.ts';
import { isObject, type JsonObject, readNumber } from '../json/values.ts';
import { isGenericName, isValueName, LEAST_TIME_RANK, rankTimeName } from './field-names.ts';

interface Table {
  readonly points: readonly unknown[];
  /** The lists of the answer that they were in. */
  readonly parts: readonly unknown[];
}

type NamedList = readonly [name: string, list: readonly unknown[]];

const MAX_DEPTH = 5;
const SAMPLE = 50;

/**
 * Finds the usage points in an answer of operation 7, whose form the API document does not show: in
 * the named field (dotted), or else in the answer itself if it is a list, or else in its only part
 * with points. Throws `unexpected` if there is no such part or more than one.
 */
export function findPoints(answer: unknown, field: string): Table {
  const found = tablesIn(answer, '', 0);
  if (field !== '') {
    const below = (value: unknown, name: string) =>
      isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    const table = tableOf(field.split('.').reduce(below, answer));
    if (table !== undefined) return table;
    throw unreadableError(
      `The answer has no list named ${field}, which metrics.points says.`,
      found[0]?.name,
    );
  }
  const filled = found.filter(({ points }) => points.length > 0);
  const candidates = filled.length > 0 ? filled : found;
  const [first, second] = candidates;
  if (first === undefined)
    throw unreadableError('The answer has no usage points in a form that svc can read.');
  if (second === undefined) return first;
  const names = listed(candidates.map(({ name }) => name));
  throw unreadableError(
    `The answer has several lists that could be the usage points: ${names}.`,
    first.name,
  );
}

/** `field` is an example for the hint; without one, the caller suggests a look at the answer. */
export function unreadableError(message: string, field = ''): CliError {
  const hint = `Print the answer with --json, and set SVC_ASSUME=metrics.points=${field}.`;
  return new CliError('unexpected', message, { hint: field === '' ? undefined : hint });
}

/** Not tables within tables. */
function tablesIn(
  value: unknown,
  name: string,
  depth: number,
): (Table & { readonly name: string })[] {
  const table = tableOf(value);
  if (table !== undefined) return [{ ...table, name }];
  if (!isObject(value) || depth > MAX_DEPTH) return [];
  const pathTo = (key: string) => (name === '' ? key : `${name}.${key}`);
  return Object.entries(value).flatMap(([key, child]) => tablesIn(child, pathTo(key), depth + 1));
}

function tableOf(value: unknown): Table | undefined {
  if (Array.isArray(value)) return readList(value);
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const inner = entries.flatMap((entry) =>
    isObject(entry[1]) ? Object.entries(entry[1]) : [entry],
  );
  const lists = listsOf(entries);
  return readRows(lists) ?? readSeries(lists) ?? readColumns(lists) ?? readColumns(listsOf(inner));
}

function listsOf(entries: readonly (readonly [string, unknown])[]): readonly NamedList[] {
  return entries.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value] as const] : []));
}

/** `[{time, cpu}]`, `[{name: 'cpu', points: […]}]`, `[[t, v]]`. */
function readList(list: readonly unknown[]): Table | undefined {
  const isOfSeries =
    list.length > 0 && list.slice(0, SAMPLE).every((entry) => seriesOf(entry) !== undefined);
  if (isOfSeries)
    return {
      points: merge(list.map(seriesOf).filter((series) => series !== undefined)),
      parts: [list],
    };
  const points = list.length === 0 || list.some(isObject) ? list : readTuples(list);
  return points && { points, parts: [list] };
}

const NAME_FIELDS = ['name', 'metric', 'series', 'label', 'key', 'id'];

/** `{name: 'cpu', points: […]}`, or with other names for the two fields. */
function seriesOf(entry: unknown): NamedList | undefined {
  if (!isObject(entry)) return undefined;
  const lists = Object.values(entry).filter((value) => Array.isArray(value) && value.length > 0);
  const field = NAME_FIELDS.find((name) => typeof entry[name] === 'string');
  const points = lists.length === 1 ? pointsOf(lists[0]) : undefined;
  if (field === undefined || points === undefined || findTimeField([entry]) !== undefined)
    return undefined;
  return [String(entry[field]), points];
}

const LIST_NAMES = 'points data values items buckets history usage metrics samples results'.split(
  ' ',
);

/** `{cpu: [{t, v}], memory: [{t, v}]}`: the lists name the measurements, as the fields do not. */
function readSeries(lists: readonly NamedList[]): Table | undefined {
  const filled = lists.filter(([, list]) => list.slice(0, SAMPLE).some(isNested));
  const series = filled.flatMap(([name, list]) => {
    const points = pointsOf(list);
    return points === undefined || !isAnonymous(points) ? [] : [[name, points] as const];
  });
  const [first] = series;
  if (first === undefined || series.length < filled.length) return undefined;
  if (series.length === 1 && LIST_NAMES.includes(first[0])) return undefined;
  return { points: merge(series), parts: lists.map(([, list]) => list) };
}

/** `{time: [t1, t2], cpu: [v1, v2]}`. */
function readColumns(lists: readonly NamedList[]): Table | undefined {
  const parts = lists.map(([, list]) => list);
  const length = parts[0]?.length ?? 0;
  const areColumns = parts.every(
    (list) => list.length === length && !list.slice(0, SAMPLE).some(isNested),
  );
  if (parts.length < 2 || length === 0 || !areColumns) return undefined;
  const rowAt = (row: number) => Object.fromEntries(lists.map(([name, list]) => [name, list[row]]));
  return withTime({ points: Array.from({ length }, (_, row) => rowAt(row)), parts });
}

/** `{columns: ['time', 'cpu'], rows: [[t1, v1]]}`. */
function readRows(lists: readonly NamedList[]): Table | undefined {
  const head = lists.find(
    ([, list]) => list.length > 1 && list.every((name) => typeof name === 'string'),
  )?.[1];
  const rows = lists.find(([, list]) => list.length > 0 && list.every(Array.isArray))?.[1];
  if (head === undefined || rows === undefined) return undefined;
  const points = rows.map((row) =>
    Object.fromEntries(head.map((name, at) => [name, Object(row)[at]])),
  );
  return withTime({ points, parts: [head, rows] });
}

function withTime(table: Table): Table | undefined {
  return findTimeField(table.points) === undefined ? undefined : table;
}

function pointsOf(list: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return findTimeField(list) === undefined ? readTuples(list) : list;
}

/** `[[t1, v1], [t2, v2]]`, or with the time last. */
function readTuples(list: readonly unknown[]): readonly unknown[] | undefined {
  const sample = list.slice(0, SAMPLE);
  if (!sample.every((entry): entry is unknown[] => Array.isArray(entry) && entry.length > 1))
    return undefined;
  const at = [0, -1].find((place) =>
    sample.every((entry) => !Number.isNaN(readInstant(entry.at(place)))),
  );
  if (at === undefined) return undefined;
  return list.filter(Array.isArray).map((entry: unknown[]) => {
    const values = at === 0 ? entry.slice(1) : entry.slice(0, -1);
    const named = values.map((value, index) => [
      values.length === 1 ? 'value' : `value${index + 1}`,
      value,
    ]);
    return { time: entry.at(at), ...Object.fromEntries(named) };
  });
}

function isAnonymous(points: readonly unknown[]): boolean {
  const sample = points.slice(0, SAMPLE).filter(isObject);
  const time = findTimeField(sample);
  const isValue = ([name, value]: [string, unknown]) =>
    name !== time && !Number.isNaN(readNumber(value));
  const values = sample.flatMap((point) => Object.entries(point).filter(isValue));
  return values.length > 0 && values.every(([name]) => isGenericName(name));
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function merge(series: readonly NamedList[]): JsonObject[] {
  const rows = new Map<number, Map<string, unknown>>();
  for (const [name, points] of series) {
    const timeField = findTimeField(points) ?? '';
    for (const point of points.filter(isObject)) {
      const time = readInstant(point[timeField]);
      if (Number.isNaN(time)) continue;
      const row = rows.get(time) ?? new Map();
      rows.set(time, row.set(name, readingOf(point, timeField)));
    }
  }
  return [...rows].map(([time, row]) => ({
    ...Object.fromEntries(row),
    time: new Date(time).toISOString(),
  }));
}

/** The only value of a point, or all its values by name. */
function readingOf(point: JsonObject, timeField: string): unknown {
  const { [timeField]: _, ...values } = point;
  const [only, ...others] = Object.entries(values);
  return only !== undefined && others.length === 0 && isValueName(only[0]) ? only[1] : values;
}

const NO_TIME = Number.POSITIVE_INFINITY;

/**
 * The field that is an instant in every sampled point: text rather than numbers, which may be bytes
 * that look like seconds; then a name like a time, the start of a bucket, the end of one, and the
 * first field.
 */
export function findTimeField(points: readonly unknown[]): string | undefined {
  const sample = points.filter(isObject).slice(0, SAMPLE);
  const names = [...new Set(sample.flatMap((point) => Object.keys(point)))];
  const ranks = names.map((name) => rankOf(name, sample));
  const best = Math.min(...ranks);
  return best === NO_TIME ? undefined : names[ranks.indexOf(best)];
}

/**
 * Lower is better. Numbers with any other name than that of a time must rise or fall throughout.
 */
function rankOf(name: string, sample: readonly JsonObject[]): number {
  const values = sample
    .map((point) => point[name] ?? undefined)
    .filter((value) => value !== undefined);
  if (values.length === 0 || values.some((value) => Number.isNaN(readInstant(value))))
    return NO_TIME;
  const named = rankTimeName(name);
  const rank = named === -1 ? LEAST_TIME_RANK : named;
  const numbers = values.map(readNumber);
  if (numbers.every(Number.isNaN)) return rank;
  const isRow = isAscending(numbers) || isAscending(numbers.toReversed());
  return named >= 0 || isRow ? LEAST_TIME_RANK + 1 + rank : NO_TIME;
}

function isAscending(values: readonly number[]): boolean {
  return (
    values.length > 1 &&
    values.every((value, index) => index === 0 || value > Number(values[index - 1]))
  );
}
