import { isObject, type JsonObject, readNumber } from '../json/values.ts';
import { readEpoch, readInstant } from '../spec/instant.ts';

/**
 * The words of a field name in lower case: `cpuPercent`, `cpu_percent` and `cpu.percent` are all `cpu`, `percent`.
 * Unlike in names of secrets, capitals in a row are never cut: `IOPs` is one word, which people type as `iops`.
 */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** How many points are looked at to find the field. */
const SAMPLE = 50;

/** Names of a point's time, and of the two ends of a bucket, as the last word of a field. */
const TIME_WORDS = ['t', 'ts', 'time', 'timestamp', 'date', 'datetime', 'at', 'when'];
const START_WORDS = ['start', 'begin', 'from', 'bucket'];
const END_WORDS = ['end', 'until', 'to'];

/**
 * The field of the points that is their time: the one that parses as an instant wherever a sample has it. Text is
 * preferred to numbers, which may be bytes that look like seconds; among several the one named like a time, then the
 * start of a bucket, then the first. A number under another name counts only where it grows or falls all the way.
 */
export function findTimeField(points: readonly unknown[]): string | undefined {
  const sample = points.filter(isObject).slice(0, SAMPLE);
  const names = new Set(sample.flatMap((point) => Object.keys(point)));
  let best: { name: string; rank: number } | undefined;
  for (const name of names) {
    const values = sample.map((point) => point[name]).filter((value) => value !== null && value !== undefined);
    const isTime = values.length > 0 && !values.some((value) => Number.isNaN(readInstant(value)));
    const rank = isTime ? rankOf(name, values) : undefined;
    if (rank !== undefined && rank < (best?.rank ?? Number.POSITIVE_INFINITY)) best = { name, rank };
  }
  return best?.name;
}

/** Whether a field is called like a time, such as the end of a bucket: a number in it that is an instant measures nothing. */
function isTimeName(name: string): boolean {
  return nameRank(name) < UNNAMED;
}

const UNNAMED = 3;

/** The lower the better; `undefined` for numbers that are no time. */
function rankOf(name: string, values: readonly unknown[]): number | undefined {
  const byName = nameRank(name);
  const numbers = values.map(readNumber);
  if (numbers.every(Number.isNaN)) return byName;
  const isRow = isAscending(numbers) || isAscending(numbers.reverse());
  return byName < UNNAMED || isRow ? UNNAMED + 1 + byName : undefined;
}

function nameRank(name: string): number {
  const last = wordsOf(name).at(-1) ?? '';
  const rank = [TIME_WORDS, START_WORDS, END_WORDS].findIndex((words) => words.includes(last));
  return rank === -1 ? UNNAMED : rank;
}

function isAscending(values: readonly number[]): boolean {
  return values.length > 1 && values.every((value, index) => index === 0 || value > Number(values[index - 1]));
}

/** The numbers of one field, one for each point; NaN where a point has none. */
interface Column {
  readonly name: string;
  readonly values: Float64Array;
}

/** How deep the fields of a point are looked into. */
const DEEPEST = 4;

/** How many numbers are held for all columns together (256 MiB); names that change from point to point end there. */
const MOST_NUMBERS = 2 ** 25;

/** What the points hold. */
interface Columns {
  readonly columns: readonly Column[];
  /** How many columns there are beyond those that are held. */
  readonly omitted: number;
  /** Fields that are null in every point that has them. */
  readonly empty: readonly string[];
  /** Fields without a number that hold something else, such as a text. */
  readonly others: readonly string[];
}

/** A field name at one level of the points: its own numbers and the names below it. */
interface Node {
  readonly name: string;
  /** Whether it is the time of the points, or a field of theirs that is called like one. */
  readonly isTime: boolean;
  readonly below: Map<string, Node>;
  values?: Float64Array;
}

/** The numeric fields of the points, nested ones and numbers in texts too, in the order of their first appearance; the time is not among them. */
export function readColumns(points: readonly JsonObject[], timeField: string): Columns {
  const root: Node = { name: '', isTime: false, below: new Map() };
  root.below.set(timeField, { name: timeField, isTime: true, below: new Map() });
  const columns: Column[] = [];
  const omitted = new Set<Node>();
  const nulls = new Set<Node>();
  const others = new Set<Node>();
  const mostColumns = Math.max(1, Math.floor(MOST_NUMBERS / Math.max(1, points.length)));
  const store = (node: Node, row: number, value: number) => {
    if (node.values === undefined && columns.length < mostColumns) {
      node.values = new Float64Array(points.length).fill(Number.NaN);
      columns.push({ name: node.name, values: node.values });
    }
    if (node.values === undefined) omitted.add(node);
    else node.values[row] = value;
  };
  const visit = (object: JsonObject, at: Node, row: number, depth: number) => {
    for (const key of Object.keys(object)) {
      const value = object[key];
      const number = readNumber(value);
      if (!Number.isNaN(number)) {
        const node = nodeBelow(at, key);
        const isTime = node.isTime && (node.name === timeField || !Number.isNaN(readEpoch(number)));
        // A number too large to be held is as good as none.
        if (!isTime && Number.isFinite(number)) store(node, row, number);
      } else if (depth < DEEPEST && isObject(value)) visit(value, nodeBelow(at, key), row, depth + 1);
      else if (value === null) nulls.add(nodeBelow(at, key));
      else others.add(nodeBelow(at, key));
    }
  };
  for (const [row, point] of points.entries()) visit(point, root, row, 1);
  const isUnread = (node: Node) => node.values === undefined && !node.isTime && !omitted.has(node);
  return {
    columns,
    omitted: omitted.size,
    empty: [...nulls].filter((node) => isUnread(node) && !others.has(node)).map(({ name }) => name),
    others: [...others].filter(isUnread).map(({ name }) => name),
  };
}

/** Walking by nodes and not by joined names: joining them for every point of a million is what would take the time. */
function nodeBelow(at: Node, key: string): Node {
  const known = at.below.get(key);
  if (known !== undefined) return known;
  const isField = at.name === '';
  const node: Node = {
    name: isField ? key : `${at.name}.${key}`,
    isTime: isField && isTimeName(key),
    below: new Map(),
  };
  at.below.set(key, node);
  return node;
}
