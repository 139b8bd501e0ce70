import { readEpoch } from '../spec/instant.ts';
import { isObject, type JsonObject, readNumber } from '../spec/read.ts';
import { isTimeName } from './time-field.ts';

/** The numbers of one field, one for each point; NaN where a point has none. */
export interface Column {
  readonly name: string;
  readonly values: Float64Array;
}

/** How deep the fields of a point are looked into. */
const DEEPEST = 4;

/** How many numbers are held for all columns together (256 MiB); names that change from point to point end there. */
const MOST_NUMBERS = 2 ** 25;

/** What the points hold. */
export interface Columns {
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
