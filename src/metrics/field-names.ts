import { splitName } from '../split-name.ts';
import type { MetricSeries } from './series.ts';

/** The last words of field names: of the time of a point, of the start of a bucket, of its end. */
const TIME_WORDS = [
  ['t', 'ts', 'time', 'timestamp', 'date', 'datetime', 'at', 'when'],
  ['start', 'begin', 'from', 'bucket'],
  ['end', 'until', 'to'],
];

/** The rank behind that of every name of a time. */
export const LEAST_TIME_RANK = TIME_WORDS.length;

/** Ranks a name: 0 is the most like that of a time, and {@link LEAST_TIME_RANK} is none. */
export function rankTimeName(name: string): number {
  const last = splitName(name).at(-1) ?? '';
  const rank = TIME_WORDS.findIndex((words) => words.includes(last));
  return rank === -1 ? LEAST_TIME_RANK : rank;
}

/** Generic names of a value: the list then names the measurement. */
const VALUE_NAMES = 'v val value y usage amount'.split(' ');

const FIGURE_NAMES = 'min avg average mean p50 p95 p99 max last sum'.split(' ');

/** Whether a field says only that it is a value, and not of what. */
export function isValueName(name: string): boolean {
  return VALUE_NAMES.includes(name.toLowerCase());
}

/** Whether a field has the name of a value or of a figure, and does not say of what. */
export function isGenericName(name: string): boolean {
  return isValueName(name) || FIGURE_NAMES.includes(name.toLowerCase());
}

const UNITS = [
  ['%', /^(?:percent|percentage|pct)$/],
  ['bytes', /^bytes?$/],
  ['ms', /^(?:ms|msec|millis|milliseconds)$/],
  ['s', /^(?:s|secs?|seconds?)$/],
] as const;

/** Names of bytes that do not say so, unless their values are small enough to be megabytes. */
const SIZES = /^(?:memory|mem|ram|rss|heap|disk|storage|swap)$/;
const SMALLEST_BYTES = 1e6;

/** Last words that name a statistic and not the unit. */
const STATISTICS = /^(?:min|max|avg|average|mean|sum|last|p50|p95|p99|used)$/;

/** Guesses the unit by the name, and for sizes such as `memory` by the values too. */
export function guessUnit(name: string, values: Float64Array): MetricSeries['unit'] {
  const words = splitName(name);
  while (words.length > 1 && STATISTICS.test(words.at(-1) ?? '')) words.pop();
  // Bytes per second are bytes, not seconds.
  const last = (words.includes('per') ? words.slice(0, words.indexOf('per')) : words).at(-1) ?? '';
  const unit = UNITS.find(([, names]) => names.test(last))?.[0];
  if (unit !== undefined) return unit;
  return SIZES.test(last) && values.some((value) => value >= SMALLEST_BYTES) ? 'bytes' : 'count';
}
