import { readInstant } from '../spec/instant.ts';
import { isObject, type JsonObject } from '../spec/read.ts';
import { readColumns } from './columns.ts';
import { findPoints, unreadable } from './find-points.ts';
import { findTimeField } from './time-field.ts';
import { guessUnit, type Unit } from './unit.ts';

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
