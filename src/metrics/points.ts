import { CliError, listed } from '../errors.ts';
import { readInstant } from '../json/instant.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { type Columns, findTimeField, readColumns, wordsOfField } from './columns.ts';
import { readList, readLists, type Table } from './shapes.ts';

type Unit = '%' | 'bytes' | 'ms' | 's' | 'count';

/** Units by the last word of a field name. */
const UNITS: ReadonlyArray<readonly [unit: Unit, words: readonly string[]]> = [
  ['%', ['percent', 'percentage', 'pct']],
  ['bytes', ['bytes', 'byte']],
  ['ms', ['ms', 'msec', 'millis', 'milliseconds']],
  ['s', ['s', 'sec', 'secs', 'second', 'seconds']],
];

/** Fields that are bytes without saying so, unless their values are small enough to be megabytes. */
const SIZES = ['memory', 'mem', 'ram', 'rss', 'heap', 'disk', 'storage', 'swap'];
const SMALLEST_BYTES = 1e6;

/** Last words that name a statistic and not the unit. */
const STATISTICS = ['min', 'max', 'avg', 'average', 'mean', 'sum', 'last', 'p50', 'p95', 'p99', 'used'];

/** Guesses the unit from the name, and for sizes such as `memory` from the values too. */
export function guessUnit(name: string, values: Float64Array): Unit {
  const words = wordsOfField(name);
  while (words.length > 1 && STATISTICS.includes(words.at(-1) ?? '')) words.pop();
  // Bytes per second are bytes, not seconds.
  const last = (words.includes('per') ? words.slice(0, words.indexOf('per')) : words).at(-1) ?? '';
  const unit = UNITS.find(([, names]) => names.includes(last))?.[0];
  if (unit !== undefined) return unit;
  return SIZES.includes(last) && values.some((value) => value >= SMALLEST_BYTES) ? 'bytes' : 'count';
}

/** Levels of an answer that are searched for points. */
const MAX_DEPTH = 5;

/**
 * Finds the usage points in an answer of operation 7: in the named field (dotted), or else in the answer itself if it is
 * a list, or else in its only part with points. Throws `unexpected` if there is no such part or more than one.
 */
export function findPoints(answer: unknown, field: string): Table {
  if (field !== '') return namedField(answer, field);
  const found = listTables(answer, '', 0);
  const filled = found.filter(({ table }) => table.points.length > 0);
  const candidates = filled.length > 0 ? filled : found;
  if (candidates.length === 1 && candidates[0] !== undefined) return candidates[0].table;
  const names = candidates.map(({ name }) => name);
  throw candidates.length === 0
    ? unreadable('The answer has no usage points in a form that svc can read.')
    : unreadable(`The answer has several lists that could be the usage points: ${listed(names)}.`, names[0]);
}

/** `field` is an example for the hint; without one, the caller suggests a look at the answer. */
function unreadable(message: string, field?: string): CliError {
  const hint =
    field === undefined ? undefined : `Print the answer with --json, and set SVC_ASSUME=metrics.points=${field}.`;
  return new CliError('unexpected', message, { hint });
}

function namedField(answer: unknown, field: string): Table {
  let value = answer;
  for (const name of field.split('.')) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  const table = tableOf(value);
  if (table !== undefined) return table;
  const names = listTables(answer, '', 0).map(({ name }) => name);
  throw unreadable(`The answer has no list named ${field}, which metrics.points says.`, names[0] || undefined);
}

function tableOf(value: unknown): Table | undefined {
  if (Array.isArray(value)) return readList(value);
  return isObject(value) ? readLists(value) : undefined;
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

/** One measurement over time. */
export interface MetricSeries {
  /** The field; nested fields have dots, such as `cpu.avg`. */
  readonly name: string;
  readonly unit: Unit;
  /** Milliseconds since the epoch, never falling; the same array in all series. */
  readonly times: Float64Array;
  /** One for each time; NaN is a gap. */
  readonly values: Float64Array;
}

/** The usage history of a service. */
export interface History extends Omit<Columns, 'columns'> {
  /** Number of points with a time. */
  readonly points: number;
  /** The parts of the answer that contain the points. */
  readonly parts: readonly unknown[];
  readonly series: readonly MetricSeries[];
}

/**
 * Reads the answer of operation 7 in any common form, as its form is not documented; `field` is the assumption
 * `metrics.points`. Leaves out entries without a readable time. Throws `unexpected` for an answer without one list of
 * points, and for points without a time.
 */
export function readHistory(answer: unknown, field: string): History {
  const { points: found, parts } = findPoints(answer, field);
  if (found.length === 0) return { points: 0, parts, series: [], omitted: 0, empty: [], others: [] };
  const timeField = findTimeField(found);
  if (timeField === undefined) throw unreadable('No field of the usage points is a time.');
  const { points, times } = inOrder(found, timeField);
  const { columns, ...unread } = readColumns(points, timeField);
  const series = columns.map(({ name, values }) => ({ name, unit: guessUnit(name, values), times, values }));
  return { points: points.length, parts, series, ...unread };
}

/** Returns the points with a time, oldest first; points of the same time keep their order. */
function inOrder(found: readonly unknown[], timeField: string): { points: readonly JsonObject[]; times: Float64Array } {
  const points: JsonObject[] = [];
  const times = new Float64Array(found.length);
  let latest = Number.NEGATIVE_INFINITY;
  let isSorted = true;
  for (const point of found) {
    const time = isObject(point) ? readInstant(point[timeField]) : Number.NaN;
    if (!isObject(point) || Number.isNaN(time)) continue;
    isSorted &&= time >= latest;
    latest = time;
    times[points.length] = time;
    points.push(point);
  }
  if (isSorted) return { points, times: times.slice(0, points.length) };
  const timed = points.map((point, index) => ({ point, time: times[index] ?? 0 }));
  timed.sort((one, other) => one.time - other.time);
  return { points: timed.map(({ point }) => point), times: Float64Array.from(timed, ({ time }) => time) };
}
