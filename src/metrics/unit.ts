import { wordsOf } from './words.ts';

/** What the values of a series count. */
export type Unit = '%' | 'bytes' | 'ms' | 's' | 'count';

/** Names of units as the last word of a field. */
const LAST_WORDS: ReadonlyMap<string, Unit> = new Map([
  ['percent', '%'],
  ['percentage', '%'],
  ['pct', '%'],
  ['bytes', 'bytes'],
  ['byte', 'bytes'],
  ['ms', 'ms'],
  ['msec', 'ms'],
  ['millis', 'ms'],
  ['milliseconds', 'ms'],
  ['s', 's'],
  ['sec', 's'],
  ['secs', 's'],
  ['second', 's'],
  ['seconds', 's'],
]);

/** Fields that are bytes without saying so, unless their values are small enough to be megabytes. */
const SIZES: ReadonlySet<string> = new Set(['memory', 'mem', 'ram', 'rss', 'heap', 'disk', 'storage', 'swap']);
const SMALLEST_BYTES = 1e6;

/** Words that say which value of a bucket it is, and nothing of the unit. */
const STATISTICS: ReadonlySet<string> = new Set([
  'min',
  'max',
  'avg',
  'average',
  'mean',
  'sum',
  'last',
  'p50',
  'p95',
  'p99',
  'used',
]);

/** The unit of a series, guessed from its name; for sizes without a unit in their name from the values as well. */
export function guessUnit(name: string, values: ArrayLike<number>): Unit {
  const words = wordsOf(name);
  while (words.length > 1 && STATISTICS.has(words.at(-1) ?? '')) words.pop();
  // What is counted per second is the unit, not the second.
  const counted = words.includes('per') ? words.slice(0, words.indexOf('per')) : words;
  const unit = LAST_WORDS.get(counted.at(-1) ?? '');
  if (unit !== undefined) return unit;
  return SIZES.has(counted.at(-1) ?? '') && reaches(values, SMALLEST_BYTES) ? 'bytes' : 'count';
}

function reaches(values: ArrayLike<number>, limit: number): boolean {
  for (let index = 0; index < values.length; index += 1) {
    if ((values[index] ?? Number.NaN) >= limit) return true;
  }
  return false;
}
