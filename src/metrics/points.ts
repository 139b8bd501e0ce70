import { CliError, listed } from '../errors.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { readInstant } from '../spec/instant.ts';
import { findTimeField, readColumns, wordsOf } from './columns.ts';
import { readList, readLists, type Table } from './shapes.ts';

/** What the values of a series count. */
type Unit = '%' | 'bytes' | 'ms' | 's' | 'count';

/** Names of units as the last word of a field. */
const LAST_WORDS: ReadonlyMap<string, Unit> = new Map([
  ['percent', '%'],
  ['percentage', '%'],
  ['pct', '%'],
  ['bytes', 'bytes'],
  ['byte', 'bytes'],
  ['ms', 'ms'],
  ['msec', 'ms'],
  ['millis', 'ms'],
  ['milliseconds', 'ms'],
  ['s', 's'],
  ['sec', 's'],
  ['secs', 's'],
  ['second', 's'],
  ['seconds', 's'],
]);

/** Fields that are bytes without saying so, unless their values are small enough to be megabytes. */
const SIZES: ReadonlySet<string> = new Set(['memory', 'mem', 'ram', 'rss', 'heap', 'disk', 'storage', 'swap']);
const SMALLEST_BYTES = 1e6;

/** Words that say which value of a bucket it is, and nothing of the unit. */
const STATISTICS: ReadonlySet<string> = new Set([
  'min',
  'max',
  'avg',
  'average',
  'mean',
  'sum',
  'last',
  'p50',
  'p95',
  'p99',
  'used',
]);

/** The unit of a series, guessed from its name; for sizes without a unit in their name from the values as well. */
export function guessUnit(name: string, values: ArrayLike<number>): Unit {
  const words = wordsOf(name);
  while (words.length > 1 && STATISTICS.has(words.at(-1) ?? '')) words.pop();
  // What is counted per second is the unit, not the second.
  const counted = words.includes('per') ? words.slice(0, words.indexOf('per')) : words;
  const unit = LAST_WORDS.get(counted.at(-1) ?? '');
  if (unit !== undefined) return unit;
  return SIZES.has(counted.at(-1) ?? '') && reaches(values, SMALLEST_BYTES) ? 'bytes' : 'count';
}

function reaches(values: ArrayLike<number>, limit: number): boolean {
  for (let index = 0; index < values.length; index += 1) {
    if ((values[index] ?? Number.NaN) >= limit) return true;
  }
  return false;
}

/** How deep the points are looked for. */
const DEEPEST = 5;

/**
 * The usage points in an answer of operation 7: those of the named field (dotted), or else of the answer itself where it is
 * a list, or else of the one part of it that has any. Throws `unexpected` where there is none or more than one.
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

/** The error for an answer whose form svc does not know; `field` is one that could be named as that of the points. */
function unreadable(message: string, field?: string): CliError {
  const hint = field === undefined ? undefined : `SVC_ASSUME=metrics.points=${field} (--json shows the answer)`;
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

interface Candidate {
  readonly name: string;
  readonly table: Table;
}

function tableOf(value: unknown): Table | undefined {
  if (Array.isArray(value)) return readList(value);
  return isObject(value) ? readLists(value) : undefined;
}

/** The tables in an answer; what lies within one is not looked into. */
function listTables(value: unknown, name: string, depth: number): Candidate[] {
  const table = tableOf(value);
  if (table !== undefined) return [{ name, table }];
  if (!isObject(value) || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    listTables(child, name === '' ? key : `${name}.${key}`, depth + 1),
  );
}

/** One measurement over time. */
export interface Series {
  /** The field it came from; nested fields have dots, such as `cpu.avg`. */
  readonly name: string;
  readonly unit: Unit;
  /** Milliseconds since the epoch, never falling; the same array in all series. */
  readonly times: Float64Array;
  /** One for each time; NaN where the point has no number: a gap. */
  readonly values: Float64Array;
}

/** The usage history of a service. */
export interface History {
  /** How many points have a time. */
  readonly points: number;
  /** The parts of the answer that they were read from. */
  readonly parts: readonly unknown[];
  readonly series: readonly Series[];
  /** How many series there are beyond those that are held. */
  readonly omitted: number;
  /** Fields that are null in every point: series of which nothing was measured. */
  readonly empty: readonly string[];
  /** Fields of the points without a number that hold something else, such as a text. */
  readonly others: readonly string[];
}

/**
 * Reads the answer of operation 7, whose form is not documented, so that the common ones are known; `field` is the assumption `metrics.points`.
 * A million points are no burden; entries without a readable time are left out. Throws `unexpected` where the answer has
 * no list of points, or the points have no time.
 */
export function readHistory(answer: unknown, field: string): History {
  const { points: found, parts } = findPoints(answer, field);
  if (found.length === 0) return { points: 0, parts, series: [], omitted: 0, empty: [], others: [] };
  const timeField = findTimeField(found);
  if (timeField === undefined) throw unreadable('No field of the usage points is a time.');
  const { points, times } = inOrder(found, timeField);
  const { columns, omitted, empty, others } = readColumns(points, timeField);
  const series = columns.map(({ name, values }) => ({ name, unit: guessUnit(name, values), times, values }));
  return { points: points.length, parts, series, omitted, empty, others };
}

/** The points that have a time with their times, the oldest first; points of the same time keep their order. */
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
