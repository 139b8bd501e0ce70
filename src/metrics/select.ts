import { quoted, usageError } from '../errors.ts';
import { readInstant } from '../json/instant.ts';
import { isObject, type JsonObject, readNumber, withoutParts } from '../json/values.ts';
import { wordsOfField } from './columns.ts';
import type { MetricSeries } from './points.ts';

/**
 * Finds the series of this name, or else all whose names begin with its words: `cpu` is `cpuPercent`, and `network` both
 * directions. Throws a usage error if there is none.
 */
function seriesNamed(name: string, all: readonly MetricSeries[]): readonly MetricSeries[] {
  const exact = all.find((series) => series.name === name);
  if (exact !== undefined) return [exact];
  const sought = wordsOfField(name);
  const found = all.filter((series) => beginsWith(wordsOfField(series.name), sought));
  if (found.length > 0 && sought.length > 0) return found;
  throw usageError(`There is no series ${quoted(name)}.`, `Choose one of ${namesOf(all)}.`);
}

/** Whether a name matches an empty field and no series. */
export function meansOnly(name: string, empty: readonly string[], all: readonly MetricSeries[]): boolean {
  const sought = wordsOfField(name);
  const isMeant = (field: string) => field === name || (sought.length > 0 && beginsWith(wordsOfField(field), sought));
  return empty.some(isMeant) && !all.some((series) => isMeant(series.name));
}

/** Throws a usage error if the name matches no series or several. */
export function oneSeriesNamed(name: string, all: readonly MetricSeries[]): MetricSeries {
  const [first, second] = seriesNamed(name, all);
  if (first !== undefined && second === undefined) return first;
  throw usageError(`${quoted(name)} could be several series.`, `Choose one of ${namesOf(seriesNamed(name, all))}.`);
}

/** Returns the named series in that order, each once; all series without names or for `all`. */
export function selectSeries(names: readonly string[], all: readonly MetricSeries[]): readonly MetricSeries[] {
  if (names.length === 0 || (names.length === 1 && names[0] === 'all')) return all;
  return [...new Set(names.flatMap((name) => seriesNamed(name, all)))];
}

function beginsWith(words: readonly string[], sought: readonly string[]): boolean {
  return sought.every((word, index) => words[index] === word);
}

function namesOf(all: readonly MetricSeries[]): string {
  return all.map(({ name }) => name).join(', ');
}

interface Asked {
  readonly service: string;
  readonly start: string;
  readonly end: string;
  readonly stepSeconds: number;
}

/** Returns the other fields of an answer, such as that it is incomplete, except those that repeat the request. */
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
