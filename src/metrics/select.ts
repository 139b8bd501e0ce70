import { quoted, usageError } from '../errors.ts';
import { isObject, type JsonObject, readNumber, withoutParts } from '../json/values.ts';
import { readInstant } from '../spec/instant.ts';
import { wordsOf } from './columns.ts';
import type { Series } from './points.ts';

/**
 * The series that a name means: the one that is called so, else every one whose name begins with its words, so that
 * `cpu` is `cpuPercent` and `network` both directions. Throws a usage error where there is none.
 */
function seriesNamed(name: string, all: readonly Series[]): readonly Series[] {
  const exact = all.find((series) => series.name === name);
  if (exact !== undefined) return [exact];
  const sought = wordsOf(name);
  const found = all.filter((series) => beginsWith(wordsOf(series.name), sought));
  if (found.length > 0 && sought.length > 0) return found;
  throw usageError(`The usage points have no series ${quoted(name)}.`, `one of ${namesOf(all)}`);
}

/** Whether a name means one of these fields and no series that has a value. */
export function meansOnly(name: string, empty: readonly string[], all: readonly Series[]): boolean {
  const sought = wordsOf(name);
  const isMeant = (field: string) => field === name || (sought.length > 0 && beginsWith(wordsOf(field), sought));
  return empty.some(isMeant) && !all.some((series) => isMeant(series.name));
}

/** The one series that a name means. Throws a usage error where it could be several. */
export function oneSeriesNamed(name: string, all: readonly Series[]): Series {
  const [first, second] = seriesNamed(name, all);
  if (first !== undefined && second === undefined) return first;
  throw usageError(`${quoted(name)} could be several series.`, `one of ${namesOf(seriesNamed(name, all))}`);
}

/** The series that are asked for, in that order and each once; all of them where none is. */
export function selectSeries(names: readonly string[], all: readonly Series[]): readonly Series[] {
  if (names.length === 0) return all;
  return [...new Set(names.flatMap((name) => seriesNamed(name, all)))];
}

function beginsWith(words: readonly string[], sought: readonly string[]): boolean {
  return sought.every((word, index) => words[index] === word);
}

function namesOf(all: readonly Series[]): string {
  return all.map(({ name }) => name).join(', ');
}

/** What was asked, which an answer may repeat. */
interface Asked {
  readonly service: string;
  readonly start: string;
  readonly end: string;
  readonly stepSeconds: number;
}

/**
 * What an answer of operation 7 says beside the parts that its points were read from, such as that it is not complete;
 * what it repeats of the question is left out.
 */
export function besidePoints(answer: unknown, parts: ReadonlySet<unknown>, asked: Asked): JsonObject {
  const beside = withoutParts(answer, parts);
  if (!isObject(beside)) return {};
  return Object.fromEntries(Object.entries(beside).filter(([, value]) => !repeats(value, asked)));
}

function repeats(value: unknown, { service, start, end, stepSeconds }: Asked): boolean {
  const instant = readInstant(value);
  return (
    value === service ||
    instant === Date.parse(start) ||
    instant === Date.parse(end) ||
    readNumber(value) === stepSeconds
  );
}
