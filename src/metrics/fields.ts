import { readInstant } from '../json/instant.ts';
import { isObject, readNumber } from '../json/values.ts';

// What the names and values of fields say, as the API document shows neither.

/** In lower case: `cpuPercent`, `cpu_percent` and `cpu.percent` are all `cpu`, `percent`. `IOPs` is the one word `iops`. */
export function wordsOfField(name: string): readonly string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return spaced.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

const SAMPLE = 50;

/** Last words of field names: of the time of a point, of the start of a bucket, and of its end. */
const TIME_WORDS = [
  ['t', 'ts', 'time', 'timestamp', 'date', 'datetime', 'at', 'when'],
  ['start', 'begin', 'from', 'bucket'],
  ['end', 'until', 'to'],
];

const UNNAMED = TIME_WORDS.length;

/** How much a name is that of a time: 0 is the most, and {@link UNNAMED} not at all. */
function timeRank(name: string): number {
  const last = wordsOfField(name).at(-1) ?? '';
  const rank = TIME_WORDS.findIndex((words) => words.includes(last));
  return rank === -1 ? UNNAMED : rank;
}

/** Whether a field has the name of a time. */
export function isTimeName(name: string): boolean {
  return timeRank(name) < UNNAMED;
}

/**
 * Finds the field that is an instant in every sampled point. Prefers text to numbers, which may be byte counts that look
 * like seconds; then a name like a time, the start of a bucket, the end of one, and the first field.
 */
export function findTimeField(points: readonly unknown[]): string | undefined {
  const sample = points.filter(isObject).slice(0, SAMPLE);
  const names = [...new Set(sample.flatMap((point) => Object.keys(point)))];
  const ranks = names.map((name) =>
    fieldRank(
      name,
      sample.map((point) => point[name]),
    ),
  );
  const best = Math.min(...ranks);
  return best === NO_TIME ? undefined : names[ranks.indexOf(best)];
}

const NO_TIME = Number.POSITIVE_INFINITY;

/** Lower is better. Numbers with any other name than that of a time must rise or fall throughout. */
function fieldRank(name: string, all: readonly unknown[]): number {
  const values = all.filter((value) => value !== null && value !== undefined);
  if (values.length === 0 || values.some((value) => Number.isNaN(readInstant(value)))) return NO_TIME;
  const rank = timeRank(name);
  const numbers = values.map(readNumber);
  if (numbers.every(Number.isNaN)) return rank;
  const isRow = isAscending(numbers) || isAscending(numbers.toReversed());
  return rank < UNNAMED || isRow ? UNNAMED + 1 + rank : NO_TIME;
}

function isAscending(values: readonly number[]): boolean {
  return values.length > 1 && values.every((value, index) => index === 0 || value > Number(values[index - 1]));
}

/** The unit of a series; `count` if none is known. */
export type Unit = '%' | 'bytes' | 'ms' | 's' | 'count';

/** By the last word of a field name. */
const UNITS: ReadonlyArray<readonly [unit: Unit, words: RegExp]> = [
  ['%', /^(?:percent|percentage|pct)$/],
  ['bytes', /^bytes?$/],
  ['ms', /^(?:ms|msec|millis|milliseconds)$/],
  ['s', /^(?:s|secs?|seconds?)$/],
];

/** Fields that are bytes without saying so, unless their values are small enough to be megabytes. */
const SIZES = /^(?:memory|mem|ram|rss|heap|disk|storage|swap)$/;
const SMALLEST_BYTES = 1e6;

/** Last words that name a statistic and not the unit. */
const STATISTICS = /^(?:min|max|avg|average|mean|sum|last|p50|p95|p99|used)$/;

/** By the name, and for sizes such as `memory` by the values too. */
export function guessUnit(name: string, values: Float64Array): Unit {
  const words = [...wordsOfField(name)];
  while (words.length > 1 && STATISTICS.test(words.at(-1) ?? '')) words.pop();
  // Bytes per second are bytes, not seconds.
  const last = (words.includes('per') ? words.slice(0, words.indexOf('per')) : words).at(-1) ?? '';
  const unit = UNITS.find(([, names]) => names.test(last))?.[0];
  if (unit !== undefined) return unit;
  return SIZES.test(last) && values.some((value) => value >= SMALLEST_BYTES) ? 'bytes' : 'count';
}
