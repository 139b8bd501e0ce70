import { CliError, quote } from '../errors.ts';
import { readInstant } from '../json/instant.ts';
import { isObject, type JsonObject, readNumber } from '../json/values.ts';
import { splitName } from '../split-name.ts';

/** A usage point with its time, in milliseconds since the epoch. */
export interface TimedPoint {
  readonly point: JsonObject;
  readonly time: number;
}

/** The points of one instance, or of one metric, each with the row of its time. */
interface LabelledPoints {
  /** Says whose the points are, such as `web-1`; empty if a metric alone tells them apart. */
  readonly label: string;
  /** The metric of the points, where a text field of each names it. */
  readonly metric: string | undefined;
  readonly points: readonly JsonObject[];
  /** The index of the time of each point in {@link LabelledTable.times}. */
  readonly rows: readonly number[];
}

/** Usage points that came as several for one time. */
export interface LabelledTable {
  readonly times: Float64Array;
  readonly groups: readonly LabelledPoints[];
  /** The text fields that tell the points of one time apart. */
  readonly fields: readonly string[];
}

/** More series than that are no answer to a question, and no table. */
const MAX_LABELS = 50;

/** Times with several points that are looked at to find the fields in which those differ. */
const MAX_SAMPLES = 50;

const MAX_DEPTH = 4;

/** Last words of a text field that names what is measured, in place of whom. */
const METRIC_WORDS = ['metric', 'measurement', 'series', 'measure', 'counter'];

/**
 * Splits points, in the order of time, by the text fields in which those of one time differ.
 * Returns undefined if each time has one point, or if no text tells them apart.
 * @throws CliError `no_data` above 50 names
 */
export function splitByLabel(points: readonly TimedPoint[]): LabelledTable | undefined {
  const fields = chooseFields(points);
  if (fields.length === 0) return undefined;

  const groups = groupPoints(points, fields);
  const { times, rows } = placeInRows(groups.map(({ members }) => members));
  const isMetric = fields.map((name) => METRIC_WORDS.includes(splitName(name).at(-1) ?? ''));
  return {
    times,
    fields,
    groups: groups.map(({ texts, members }, index) => ({
      label: texts.filter((_, at) => !isMetric[at]).join('/'),
      metric: texts.find((_, at) => isMetric[at]),
      points: members.map(({ point }) => point),
      rows: rows[index] ?? [],
    })),
  };
}

/** Chooses as few fields as tell the points of each sampled time apart, as far as any do. */
function chooseFields(points: readonly TimedPoint[]): readonly string[] {
  const samples = sampleTimes(points);
  const names = new Set(samples.flat().flatMap(({ point }) => [...readTexts(point).keys()]));
  const countDistinct = (fields: readonly string[]) =>
    samples.reduce((sum, sample) => sum + countTexts(sample, fields), 0);

  const chosen: string[] = [];
  let distinct = samples.length;
  for (;;) {
    const steps = [...names].map((name) => ({ name, distinct: countDistinct([...chosen, name]) }));
    const most = Math.max(...steps.map((step) => step.distinct));
    if (most <= distinct) return chosen;
    const best = steps.filter((step) => step.distinct === most).map(({ name }) => name);
    // An id of each point would make a series of each.
    const counts = best.map((name) => countTexts(points, [name]));
    chosen.push(best[counts.indexOf(Math.min(...counts))] ?? '');
    distinct = most;
  }
}

/** Collects the points of the first times that have several. */
function sampleTimes(points: readonly TimedPoint[]): readonly (readonly TimedPoint[])[] {
  const samples: TimedPoint[][] = [];
  let start = 0;
  for (let end = 1; end <= points.length && samples.length < MAX_SAMPLES; end += 1) {
    if (points[end]?.time === points[start]?.time) continue;
    if (end - start > 1) samples.push(points.slice(start, end));
    start = end;
  }
  return samples;
}

/** Counts how many points some fields tell apart; more than {@link MAX_LABELS} are too many. */
function countTexts(points: readonly TimedPoint[], fields: readonly string[]): number {
  const keys = new Set<string>();
  for (const point of points) {
    keys.add(toKey(point, fields));
    if (keys.size > MAX_LABELS) break;
  }
  return keys.size;
}

/** Reads the texts of a point by the path of their field: no numbers, times or units. */
function readTexts(point: JsonObject): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (object: JsonObject, path: string, depth: number) => {
    for (const [key, value] of Object.entries(object)) {
      const name = path === '' ? key : `${path}.${key}`;
      if (isObject(value) && depth < MAX_DEPTH) visit(value, name, depth + 1);
      else if (isLabel(key, value)) texts.set(name, value);
    }
  };
  visit(point, '', 1);
  return texts;
}

function isLabel(key: string, value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() === '' || /^units?$/i.test(key)) return false;
  return Number.isNaN(readNumber(value)) && Number.isNaN(readInstant(value));
}

function toKey({ point }: TimedPoint, fields: readonly string[]): string {
  const texts = readTexts(point);
  return JSON.stringify(fields.map((field) => texts.get(field) ?? ''));
}

interface Group {
  readonly texts: readonly string[];
  readonly members: TimedPoint[];
}

function groupPoints(points: readonly TimedPoint[], fields: readonly string[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const point of points) {
    const key = toKey(point, fields);
    const group: Group = groups.get(key) ?? { texts: JSON.parse(key), members: [] };
    group.members.push(point);
    groups.set(key, group);
    if (groups.size > MAX_LABELS) throw tooManyError(fields);
  }
  return [...groups.values()];
}

function tooManyError(fields: readonly string[]): CliError {
  const names = fields.map(quote).join(' and ');
  return new CliError(
    'no_data',
    `The usage has several points for one time, which differ in ${names}: more than ${MAX_LABELS} series. svc does not add them up.`,
    { hint: 'Print the answer with --json, and choose with --jq.' },
  );
}

/** Gives a row to each time, and to each further point that a group has at that time. */
function placeInRows(groups: readonly (readonly TimedPoint[])[]) {
  const places = groups.map((members) => {
    let repeats = 0;
    return members.map(({ time }, index) => {
      repeats = members[index - 1]?.time === time ? repeats + 1 : 0;
      return { time, repeats, key: `${time} ${repeats}` };
    });
  });

  const byKey = new Map(places.flat().map((place) => [place.key, place]));
  const sorted = [...byKey.values()].sort(
    (one, other) => one.time - other.time || one.repeats - other.repeats,
  );
  const rowByKey = new Map(sorted.map(({ key }, row) => [key, row]));
  return {
    times: Float64Array.from(sorted, ({ time }) => time),
    rows: places.map((group) => group.map(({ key }) => rowByKey.get(key) ?? 0)),
  };
}
