import { readInstant } from '../spec/instant.ts';
import { isObject, readNumber } from '../spec/read.ts';
import { wordsOf } from './words.ts';

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
export function isTimeName(name: string): boolean {
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
