import { readEpoch, readInstant } from '../json/instant.ts';
import { isObject, type JsonObject, readNumber } from '../json/values.ts';
import { isValueName, LEAST_TIME_RANK, rankTimeName } from './field-names.ts';
import { type LabelledTable, splitByLabel, type TimedPoint } from './labels.ts';
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
 * @param field the assumption `metrics.points`
 * @throws CliError `unexpected` for an answer without one list of points, and without a time
 */
export function readHistory(answer: unknown, field: string): History {
  const points = findPoints(answer, field);
  if (points.length === 0) return { points: 0, series: [], empty: [] };

  const timeField = findTimeField(points);
  if (timeField === undefined) throw unreadableError('No field of the usage points is a time.');
  const timed = readTimes(points, timeField);
  const labelled = splitByLabel(timed);
  if (labelled !== undefined) return readLabelled(labelled, timeField);

  const collector = new FieldCollector(timeField, timed.length);
  for (const [row, { point }] of timed.entries()) collector.add(point, row);
  const times = Float64Array.from(timed, ({ time }) => time);
  return { points: timed.length, ...toSeries(collector.fields, times) };
}

/** Reads the times of points, and sorts them by it. */
function readTimes(points: readonly unknown[], timeField: string): readonly TimedPoint[] {
  const timed: TimedPoint[] = [];
  for (const point of points) {
    const time = isObject(point) ? readInstant(point[timeField]) : Number.NaN;
    if (isObject(point) && !Number.isNaN(time)) timed.push({ point, time });
  }
  return timed.sort((one, other) => one.time - other.time);
}

/** Reads what came as several points for one time: the series of each instance have its name. */
function readLabelled({ times, groups, fields: labels }: LabelledTable, timeField: string) {
  const parts = groups.map(({ points, rows, label, metric }) => {
    const collector = new FieldCollector(timeField, times.length);
    for (const [index, point] of points.entries()) collector.add(point, rows[index] ?? 0);
    const fields = collector.fields.filter(({ name }) => !labels.includes(name));
    return toSeries(fields, times, (field) => {
      if (metric === undefined) return { measure: field, label };
      if (isValueName(field)) return { measure: metric, label };
      return { measure: field, label: label === '' ? metric : `${metric}/${label}` };
    });
  });
  return {
    points: times.length,
    series: parts.flatMap(({ series }) => series),
    empty: parts.flatMap(({ empty }) => empty),
  };
}

/** The name of a series, and the instance that it is of. */
interface SeriesName {
  readonly measure: string;
  readonly label: string;
}

function toSeries(
  fields: readonly Field[],
  times: Float64Array,
  toName: (field: string) => SeriesName = (measure) => ({ measure, label: '' }),
) {
  const isEmpty = ({ values, isTime, below }: Field) =>
    values === undefined && !isTime && below.size === 0;
  return {
    series: fields.flatMap(({ name, values, digits }) =>
      values === undefined ? [] : { ...createSeries(toName(name), times, values), digits },
    ),
    empty: fields.filter(isEmpty).map(({ name }) => joinName(toName(name))),
  };
}

function joinName({ measure, label }: SeriesName): string {
  return label === '' ? measure : `${measure}{${label}}`;
}

function createSeries(name: SeriesName, times: Float64Array, values: Float64Array): MetricSeries {
  const { measure } = name;
  const measured = times.filter((_, at) => !Number.isNaN(values[at]));
  return {
    name: joinName(name),
    measure,
    unit: guessUnit(measure, values),
    times,
    values,
    everyMs: getUsualSpacing(measured),
  };
}

interface Field {
  readonly name: string;
  /** Whether its instants are no measurements. */
  readonly isTime: boolean;
  readonly below: Map<string, Field>;
  /** One for each row if it has numbers; NaN if a row has none. */
  values?: Float64Array;
  /** The digits of whole numbers that {@link values} rounds, by their row. */
  digits?: Map<number, string>;
}

const MAX_DEPTH = 4;

/** Limit for all series together (256 MiB), reached only if names change from point to point. */
const MAX_NUMBERS = 2 ** 25;

/**
 * Collects the fields of points, nested ones and numbers in texts too, in order of first
 * appearance. It walks fields because joining names for each of a million points would be slow.
 */
class FieldCollector {
  readonly fields: Field[] = [];
  readonly #root: Field = { name: '', isTime: false, below: new Map() };
  readonly #timeField: string;
  readonly #rowCount: number;

  constructor(timeField: string, rowCount: number) {
    this.#timeField = timeField;
    this.#rowCount = rowCount;
  }

  add(point: JsonObject, row: number): void {
    this.#visit(point, this.#root, row, 1);
  }

  #visit(object: JsonObject, parent: Field, row: number, depth: number): void {
    for (const key of Object.keys(object)) {
      const value = object[key];
      const number = readNumber(value);
      const field = parent.below.get(key) ?? this.#addField(parent, key);
      if (this.#isMeasured(field, number)) {
        this.#store(field, row, number);
        if (typeof value === 'string' && isRounded(value)) {
          field.digits ??= new Map();
          field.digits.set(row, value);
        }
      } else if (depth < MAX_DEPTH && isObject(value)) this.#visit(value, field, row, depth + 1);
    }
  }

  #addField(parent: Field, key: string): Field {
    const isTop = parent === this.#root;
    const isTime = key === this.#timeField || rankTimeName(key) < LEAST_TIME_RANK;
    const field: Field = {
      name: isTop ? key : `${parent.name}.${key}`,
      isTime: isTop && isTime,
      below: new Map(),
    };
    parent.below.set(key, field);
    this.fields.push(field);
    return field;
  }

  /** Whether a number is a measurement, and neither a time nor too large for JavaScript. */
  #isMeasured(field: Field, number: number): boolean {
    if (!Number.isFinite(number)) return false;
    return !field.isTime || (field.name !== this.#timeField && Number.isNaN(readEpoch(number)));
  }

  #store(field: Field, row: number, number: number): void {
    if (this.fields.length * this.#rowCount > MAX_NUMBERS) {
      throw unreadableError('The usage points have too many fields for svc to hold.');
    }
    field.values ??= new Float64Array(this.#rowCount).fill(Number.NaN);
    field.values[row] = number;
  }
}

/** Whether a text is a whole number that JavaScript would round. */
function isRounded(text: string): boolean {
  return /^-?\d{16,}$/.test(text) && BigInt(text) !== BigInt(Number(text));
}
