import { CliError, listed } from '../errors.ts';
import { isObject } from '../spec/read.ts';
import { readList, readLists, type Table } from './shapes.ts';

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
export function unreadable(message: string, field?: string): CliError {
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
