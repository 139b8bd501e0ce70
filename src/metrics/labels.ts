import { CliError, quote } from '../errors.ts';
import { isObject, type JsonObject, readInstant, readNumber } from '../json/values.ts';
import { splitName } from '../split-name.ts';
import { isValueName } from './field-names.ts';

/** A usage point with its time, in milliseconds since the epoch. */
export interface TimedPoint {
  readonly point: JsonObject;
  readonly time: number;
}

/** The points of one instance, or of one metric, each with the row of its time. */
export interface PointGroup {
  readonly points: JsonObject[];
  readonly rows: number[];
}

/** More series than that are no answer to a question, and no table. */
const MAX_LABELS = 50;

/** Times with several points that are looked at to find the fields in which those differ. */
const MAX_SAMPLES = 50;

const MAX_DEPTH = 4;

/**
 * Groups points, in the order of time, by the text fields in which those of one time differ: by
 * none if each time has one point, or if no text tells them apart. Each time has a row, and each
 * further point that a group has at that time.
 * @throws CliError `no_data` above 50 groups
 */
export function groupPoints(points: readonly TimedPoint[]) {
  const labels = chooseLabels(points);
  const groups = new Map<string, PointGroup>();
  const times: number[] = [];
  let firstRow = 0;
  for (const { point, time } of points) {
    const key = toKey(point, labels);
    const group = groups.get(key) ?? { points: [], rows: [] };
    groups.set(key, group);
    if (groups.size > MAX_LABELS) throw tooManyError(labels);

    if (time !== times.at(-1)) firstRow = times.length;
    const row = Math.max(firstRow, (group.rows.at(-1) ?? -1) + 1);
    times[row] = time;
    group.points.push(point);
    group.rows.push(row);
  }
  return {
    times: Float64Array.from(times),
    /** The text fields that tell the points of one time apart. */
    labels,
    groups: Array.from(groups, ([key, group]) => ({
      ...group,
      toName: createNamer(labels, JSON.parse(key)),
    })),
  };
}

/** Chooses as few fields as tell the points of each sampled time apart, as far as any do. */
function chooseLabels(points: readonly TimedPoint[]): readonly string[] {
  const samples = sampleTimes(points);
  const names = [...new Set(samples.flat().flatMap(({ point }) => [...readTexts(point).keys()]))];
  const chosen: string[] = [];
  let distinct = samples.length;
  for (;;) {
    const counts = names.map((name) =>
      samples.reduce((sum, sample) => sum + countKeys(sample, [...chosen, name]), 0),
    );
    const most = Math.max(...counts);
    if (most <= distinct) return chosen;

    distinct = most;
    const best = names.filter((_, index) => counts[index] === most);
    // An id of each point would make a series of each.
    const keys = best.map((name) => countKeys(points, [name]));
    chosen.push(best[keys.indexOf(Math.min(...keys))] ?? '');
  }
}

/** Collects the points of the first times that have several. */
function sampleTimes(points: readonly TimedPoint[]): readonly (readonly TimedPoint[])[] {
  const samples: TimedPoint[][] = [];
  let sample: TimedPoint[] = [];
  for (const point of points) {
    if (point.time !== sample[0]?.time) sample = [];
    sample.push(point);
    if (sample.length !== 2) continue;
    if (samples.length === MAX_SAMPLES) break;
    samples.push(sample);
  }
  return samples;
}

/** Counts how many points some fields tell apart; more than {@link MAX_LABELS} are too many. */
function countKeys(points: readonly TimedPoint[], fields: readonly string[]): number {
  const keys = new Set<string>();
  for (const { point } of points) {
    keys.add(toKey(point, fields));
    if (keys.size > MAX_LABELS) break;
  }
  return keys.size;
}

function toKey(point: JsonObject, fields: readonly string[]): string {
  const texts = readTexts(point);
  return JSON.stringify(fields.map((field) => texts.get(field) ?? ''));
}

/** Reads the texts of a point by the path of their field: no numbers, times or units. */
function readTexts(point: JsonObject): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (object: JsonObject, path: string, depth: number) => {
    for (const [key, value] of Object.entries(object)) {
      if (isObject(value) && depth < MAX_DEPTH) visit(value, `${path}${key}.`, depth + 1);
      const isUnit = /^units?$/i.test(key);
      if (isWord(value) && value.trim() !== '' && !isUnit) texts.set(path + key, value);
    }
  };
  visit(point, '', 1);
  return texts;
}

/** Whether a value is a text, and neither a number nor a time. */
export function isWord(value: unknown): value is string {
  const isText = typeof value === 'string';
  return isText && Number.isNaN(readNumber(value)) && Number.isNaN(readInstant(value));
}

function tooManyError(fields: readonly string[]): CliError {
  const names = fields.map(quote).join(' and ');
  return new CliError(
    'no_data',
    `The usage has several points for one time, which differ in ${names}: more than ${MAX_LABELS} series. svc does not add them up.`,
    { hint: 'Print the answer with --json, and choose with --jq.' },
  );
}

/** Last words of a text field that names what is measured, in place of whom. */
const METRIC_WORDS = ['metric', 'measurement', 'series', 'measure', 'counter'];

/** Creates a function that names fields of points with these texts, as in `cpu{web-1}`. */
function createNamer(labels: readonly string[], texts: readonly string[]) {
  const isMetric = labels.map((name) => METRIC_WORDS.includes(splitName(name).at(-1) ?? ''));
  const metric = texts.find((_, at) => isMetric[at]);
  const instance = texts.filter((_, at) => !isMetric[at]).join('/');
  return (field: string) => {
    const isNamed = metric !== undefined && isValueName(field);
    const measure = isNamed ? metric : field;
    const label = [isNamed ? '' : metric, instance].filter(Boolean).join('/');
    return { measure, name: label === '' ? measure : `${measure}{${label}}` };
  };
}
