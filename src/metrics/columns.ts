import { readEpoch, readInstant } from '../json/instant.ts';
import { isObject, type JsonObject, readNumber } from '../json/values.ts';

/**
 * Splits a field name into lower-case words: `cpuPercent`, `cpu_percent` and `cpu.percent` are all `cpu`, `percent`.
 * Capitals in a row stay together: `IOPs` is one word, which people type as `iops`.
 */
export function wordsOfField(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Points that are examined to find the time field. */
const SAMPLE = 50;

/** Last words of field names: of the time of a point, and of the two ends of a bucket. */
const TIME_WORDS = ['t', 'ts', 'time', 'timestamp', 'date', 'datetime', 'at', 'when'];
const START_WORDS = ['start', 'begin', 'from', 'bucket'];
const END_WORDS = ['end', 'until', 'to'];

/**
 * Finds the field that is an instant in every sampled point. Prefers text to numbers, which may be byte counts that look
 * like seconds; then a name like a time, the start of a bucket, the end of one, and the first field. Numbers with any
 * other name must rise or fall throughout.
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

const UNNAMED = 3;

/** Lower is better; `undefined` for numbers that are no time. */
function rankOf(name: string, values: readonly unknown[]): number | undefined {
  const byName = nameRank(name);
  const numbers = values.map(readNumber);
  if (numbers.every(Number.isNaN)) return byName;
  const isRow = isAscending(numbers) || isAscending(numbers.reverse());
  return byName < UNNAMED || isRow ? UNNAMED + 1 + byName : undefined;
}

function nameRank(name: string): number {
  const last = wordsOfField(name).at(-1) ?? '';
  const rank = [TIME_WORDS, START_WORDS, END_WORDS].findIndex((words) => words.includes(last));
  return rank === -1 ? UNNAMED : rank;
}

function isAscending(values: readonly number[]): boolean {
  return values.length > 1 && values.every((value, index) => index === 0 || value > Number(values[index - 1]));
}

interface Column {
  readonly name: string;
  /** One for each point; NaN if the point has no number. */
  readonly values: Float64Array;
}

const MAX_DEPTH = 4;

/** Limit for all columns together (256 MiB), reached only if names change from point to point. */
const MAX_NUMBERS = 2 ** 25;

/** Columns, and the names of the fields that are not. */
export interface Columns {
  readonly columns: readonly Column[];
  /** How many columns are beyond the limit. */
  readonly omitted: number;
  /** Fields that are null in every point that has them. */
  readonly empty: readonly string[];
  /** Fields with values of other types only, such as text. */
  readonly others: readonly string[];
}

/** A field and the fields nested in it. */
interface Node {
  readonly name: string;
  /** Whether its instants are times and not measurements. */
  readonly isTime: boolean;
  readonly below: Map<string, Node>;
  values?: Float64Array;
}

/** Collects the numeric fields except the time, nested ones and numbers in texts too, in order of first appearance. */
export function readColumns(points: readonly JsonObject[], timeField: string): Columns {
  const root: Node = { name: '', isTime: false, below: new Map() };
  root.below.set(timeField, { name: timeField, isTime: true, below: new Map() });
  const columns: Column[] = [];
  const omitted = new Set<Node>();
  const nulls = new Set<Node>();
  const others = new Set<Node>();
  const mostColumns = Math.max(1, Math.floor(MAX_NUMBERS / Math.max(1, points.length)));
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
        if (!isTime && Number.isFinite(number)) store(node, row, number);
      } else if (depth < MAX_DEPTH && isObject(value)) visit(value, nodeBelow(at, key), row, depth + 1);
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

/** Walks nodes because joining names for each of a million points would be slow. */
function nodeBelow(at: Node, key: string): Node {
  const known = at.below.get(key);
  if (known !== undefined) return known;
  const isField = at.name === '';
  const node: Node = {
    name: isField ? key : `${at.name}.${key}`,
    isTime: isField && nameRank(key) < UNNAMED,
    below: new Map(),
  };
  at.below.set(key, node);
  return node;
}
