import { splitName } from '../split-name.ts';
import type { MetricSeries } from './series.ts';

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
