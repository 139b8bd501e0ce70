import { CliError, listed } from '../errors.ts';
import { isObject } from '../spec/read.ts';

/** How deep the array of points is looked for. */
const DEEPEST = 5;

/**
 * The array of usage points in an answer of operation 7: the named field (dotted), or else the answer itself where it is
 * an array, or else the one array of objects in it. Throws `unexpected` where there is none or more than one.
 */
export function findPoints(answer: unknown, field: string): readonly unknown[] {
  if (field !== '') return namedField(answer, field);
  if (Array.isArray(answer)) return answer as unknown[];
  const found = listArrays(answer, '', 0);
  const filled = found.filter(({ points }) => points.length > 0);
  const candidates = filled.length > 0 ? filled : found;
  if (candidates.length === 1 && candidates[0] !== undefined) return candidates[0].points;
  const names = candidates.map(({ name }) => name);
  throw candidates.length === 0
    ? unreadable('The answer has no list of usage points.')
    : unreadable(`The answer has several lists that could be the usage points: ${listed(names)}.`, names[0]);
}

/** The error for an answer whose form svc does not know, with the assumption that helps. */
export function unreadable(message: string, field = '<field>'): CliError {
  return new CliError('unexpected', message, {
    hint: `SVC_ASSUME=metrics.points=${field} (--json shows the answer)`,
  });
}

function namedField(answer: unknown, field: string): readonly unknown[] {
  let value = answer;
  for (const name of field.split('.')) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  if (Array.isArray(value)) return value as unknown[];
  const names = listArrays(answer, '', 0).map(({ name }) => name);
  throw unreadable(`The answer has no list named ${field}, which metrics.points says.`, names[0]);
}

interface Candidate {
  readonly name: string;
  readonly points: readonly unknown[];
}

/** The arrays in an answer that are empty or hold objects; arrays within those are not looked into. */
function listArrays(value: unknown, name: string, depth: number): Candidate[] {
  if (Array.isArray(value)) {
    return value.length === 0 || value.some(isObject) ? [{ name, points: value as unknown[] }] : [];
  }
  if (!isObject(value) || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    listArrays(child, name === '' ? key : `${name}.${key}`, depth + 1),
  );
}
