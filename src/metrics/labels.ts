import { CliError, quoted } from '../errors.ts';
import { readInstant } from '../json/instant.ts';
import { isObject, type JsonObject, readNumber } from '../json/values.ts';
import { splitName } from '../split-name.ts';

/** A usage point with its time, in milliseconds since the epoch. */
export interface TimedPoint {
  readonly point: JsonObject;
  readonly time: number;
}

/** The points of one instance, or of one metric, each with the row of its time. */
export interface LabelledPoints {
  /** Says whose the points are, such as `web-1`; empty if a metric alone tells them apart. */
  readonly label: string;
  /** The metric of the points, where a text field of each names it. */
  readonly metric: string | undefined;
  readonly points: readonly JsonObject[];
  /** For each point the index of its time in {@link LabelledTable.times}. */
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
 * Splits points, in the order of time, by the text fields in which those of one time differ;
 * undefined if each time has one point, or if no text tells them apart.
 * @throws CliError `no_data` above 50 names
 */
export function splitByLabel(points: readonly TimedPoint[]): LabelledTable | undefined {
  const fields = chooseFields(points);
  if (fields.length === 0) return undefined;

  const groups = groupPoints(points, fields);
  const { times, rows } = placeInRows(groups);
  const isMetric = (field: string) => METRIC_WORDS.includes(splitName(field).at(-1) ?? '');
  return {
    times,
    fields,
    groups: groups.map(({ texts, members }, index) => ({
      label: texts.filter((_, at) => !isMetric(fields[at] ?? '')).join('/'),
      metric: texts.find((_, at) => isMetric(fields[at] ?? '')),
      points: members.map(({ point }) => point),
      rows: rows[index] ?? [],
    })),
  };
}

/** Chooses as few fields as tell the points of each sampled time apart, as far as any do. */
function chooseFields(points: readonly TimedPoint[]): readonly string[] {
  const samples = sampleTimes(points);
  const texts = samples.flat().map(({ point }) => readTexts(point));
  const names = [...new Set(texts.flatMap((fields) => [...fields.keys()]))];
  const countDistinct = (fields: readonly string[]) =>
    samples.reduce((sum, sample) => sum + new Set(sample.map(toKey(fields))).size, 0);

  const chosen: string[] = [];
  let distinct = samples.length;
  while (chosen.length < names.length) {
    const steps = names.map((name) => ({ name, distinct: countDistinct([...chosen, name]) }));
    const most = Math.max(...steps.map((step) => step.distinct));
    if (most <= distinct) break;
    const best = steps.filter((step) => step.distinct === most).map(({ name }) => name);
    chosen.push(findFewestTexts(best, points));
    distinct = most;
  }
  return chosen;
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

/** Texts that name nobody: an id of each point would make a series of each. */
function findFewestTexts(names: readonly string[], points: readonly TimedPoint[]): string {
  if (names.length < 2) return names[0] ?? '';
  const counts = names.map((name) => {
    const texts = new Set<string>();
    for (const { point } of points) {
      texts.add(readText(point, name) ?? '');
      if (texts.size > MAX_LABELS) break;
    }
    return texts.size;
  });
  return names[counts.indexOf(Math.min(...counts))] ?? '';
}

/** Texts of a point by the path of their field: no numbers, times or units. */
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

function readText(point: JsonObject, path: string): string | undefined {
  return readTexts(point).get(path);
}

function toKey(fields: readonly string[]) {
  return ({ point }: TimedPoint) => {
    const texts = readTexts(point);
    return JSON.stringify(fields.map((field) => texts.get(field) ?? ''));
  };
}

interface Group {
  readonly texts: readonly string[];
  readonly members: TimedPoint[];
}

function groupPoints(points: readonly TimedPoint[], fields: readonly string[]): readonly Group[] {
  const groups = new Map<string, Group>();
  const getKey = toKey(fields);
  for (const point of points) {
    const key = getKey(point);
    const group = groups.get(key);
    if (group !== undefined) group.members.push(point);
    else groups.set(key, { texts: JSON.parse(key), members: [point] });
    if (groups.size > MAX_LABELS) throw tooMany(fields);
  }
  return [...groups.values()];
}

function tooMany(fields: readonly string[]): CliError {
  const names = fields.map(quoted).join(' and ');
  return new CliError(
    'no_data',
    `The usage has several points for one time, which differ in ${names}: more than ${MAX_LABELS} series. svc does not add them up.`,
    { hint: 'Print the answer with --json, and choose with --jq.' },
  );
}

/** A row for each time; points of one group and one time follow each other in rows of that time. */
function placeInRows(groups: readonly Group[]) {
  const counts = new Map<number, number>();
  for (const { members } of groups) {
    for (const [time, count] of countTimes(members)) {
      counts.set(time, Math.max(count, counts.get(time) ?? 0));
    }
  }

  const sorted = [...counts].sort(([one], [other]) => one - other);
  const firstRows = new Map<number, number>();
  const times: number[] = [];
  for (const [time, count] of sorted) {
    firstRows.set(time, times.length);
    for (let index = 0; index < count; index += 1) times.push(time);
  }

  const rows = groups.map(({ members }) => {
    const placed = new Map<number, number>();
    return members.map(({ time }) => {
      const before = placed.get(time) ?? 0;
      placed.set(time, before + 1);
      return (firstRows.get(time) ?? 0) + before;
    });
  });
  return { times: Float64Array.from(times), rows };
}

function countTimes(members: readonly TimedPoint[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { time } of members) counts.set(time, (counts.get(time) ?? 0) + 1);
  return counts;
}
