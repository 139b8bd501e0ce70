import { splitName } from '../split-name.ts';
/** One measurement over time. */
export interface MetricSeries {
  /** The field; nested fields have dots, such as `cpu.avg`. Of an instance, `cpu.avg{web-1}`. */
  readonly name: string;
  /** The name without the instance, if the answer tells instances apart. */
  readonly measure: string;
  /** `count` if none is known. */
  readonly unit: '%' | 'bytes' | 'ms' | 's' | 'count';
  /** Milliseconds since the epoch, never falling; the same array in all series. */
  readonly times: Float64Array;
  /** One for each time; NaN is a gap. */
  readonly values: Float64Array;
  /** The digits of whole numbers that {@link values} rounds, by their index. */
  readonly digits?: ReadonlyMap<number, string> | undefined;
  /** The usual time between two values of the whole answer; 0 if unknown. */
  readonly everyMs: number;
}

/**
 * Returns the figures of values in the order of time, NaN if missing; undefined if all are missing.
 * `p95` is one of the values (nearest rank).
 */
export function getStatistics(values: Float64Array) {
  const numbers = values.filter((value) => !Number.isNaN(value));
  const last = numbers.at(-1);
  if (last === undefined) return undefined;

  const sorted = numbers.sort();
  const min = sorted[0] ?? last;
  const max = sorted.at(-1) ?? last;
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? max;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  // Rounding must not take it past a limit that no value passes.
  const avg = Math.min(max, Math.max(min, mean));
  return { last, min, avg, p95, max };
}

const SAMPLES = 1_000;

/** Returns the median time between two points, in milliseconds; 0 for fewer than two times. */
export function getUsualSpacing(times: Float64Array): number {
  const stride = Math.max(1, Math.floor(times.length / SAMPLES));
  const steps = times
    .map((time, index) => time - (times[index - 1] ?? time))
    .filter((step, index) => step > 0 && (index - 1) % stride === 0)
    .sort();
  return steps[Math.floor(steps.length / 2)] ?? 0;
}

/** A gap is longer than this many usual steps. */
const GAP_STEPS = 3;

/**
 * Returns the longest time between two points that is no gap.
 * @param drawnEveryMs the time between points of a line that was downsampled
 */
export function getLongestStep(times: Float64Array, drawnEveryMs: number): number {
  return GAP_STEPS * Math.max(getUsualSpacing(times), drawnEveryMs);
}

/** A range in milliseconds since the epoch; it ends now at the latest. */
export interface RequestedRange {
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
}

/** Steps that the platform may be late with a point. */
const LATE_STEPS = 2;

/** Returns the span of the times, extended to edges of the requested range without points. */
export function getSpan(times: Float64Array, { startMs, endMs, stepMs }: RequestedRange) {
  const first = times[0] ?? startMs;
  const last = times.at(-1) ?? endMs;
  const lateMs = LATE_STEPS * Math.max(stepMs, getUsualSpacing(times));
  return {
    start: first - startMs > lateMs ? startMs : first,
    end: endMs - last > lateMs ? endMs : last,
  };
}

/** Finds the last value with its time, and whether later ones are missing. */
export function findLatest({ times, values, everyMs }: MetricSeries, range: RequestedRange) {
  const index = values.findLastIndex((value) => !Number.isNaN(value));
  const value = values[index];
  if (value === undefined) return undefined;
  const time = times[index] ?? 0;
  return { value, time, isOld: range.endMs - time > LATE_STEPS * Math.max(range.stepMs, everyMs) };
}

/**
 * Returns the share of the range, 0 to 1, that has values. A value stands for the time to the next
 * one, but no longer than usual.
 */
export function getCoverage(
  { times, values, everyMs }: MetricSeries,
  { startMs, endMs, stepMs }: RequestedRange,
): number {
  const usual = Math.max(stepMs, everyMs);
  const measured = times.filter((_, at) => !Number.isNaN(values[at]));
  const covered = measured.reduce(
    (sum, time, at) => sum + Math.min(usual, (measured[at + 1] ?? time + usual) - time),
    0,
  );
  return Math.min(1, covered / Math.max(1, endMs - startMs));
}

/** Cuts out the part from one time to another, both included, in milliseconds since the epoch. */
export function cutSeries(series: MetricSeries, startMs: number, endMs: number): MetricSeries {
  const { times, values, digits } = series;
  const start = times.findLastIndex((time) => time < startMs) + 1;
  const end = times.findLastIndex((time) => time <= endMs) + 1;
  return {
    ...series,
    times: times.subarray(start, end),
    values: values.subarray(start, end),
    digits: digits && new Map([...digits].map(([index, text]) => [index - start, text])),
  };
}

/** Returns a value as the platform wrote it, with digits that a number of JavaScript rounds. */
export function getWrittenValue({ values, digits }: MetricSeries, index: number): number | string {
  return digits?.get(index) ?? values[index] ?? Number.NaN;
}

/**
 * Returns at most `most` points with all peaks: each stretch keeps its lowest and highest value in
 * the order of time. A stretch without values becomes a gap, of an undefined value.
 */
export function downsample({ times, values }: MetricSeries, most: number) {
  const toPoint = (index: number) => {
    const value = values[index];
    return { time: times[index] ?? 0, value: Number.isNaN(value) ? undefined : value };
  };
  if (times.length <= most) return Array.from(times, (_, index) => toPoint(index));

  const stretches = Math.max(1, Math.floor(most / 2));
  const getEdge = (stretch: number) => Math.floor((stretch * times.length) / stretches);
  return Array.from({ length: stretches }, (_, stretch) =>
    findExtremes(values, getEdge(stretch), getEdge(stretch + 1)).map(toPoint),
  ).flat();
}

/** Finds the indexes of the lowest and the highest value, in order; `start` if all are gaps. */
function findExtremes(values: Float64Array, start: number, end: number): readonly number[] {
  const numbers = values.subarray(start, end).filter((value) => !Number.isNaN(value));
  if (numbers.length === 0) return [start];
  const low = values.indexOf(Math.min(...numbers), start);
  const high = values.indexOf(Math.max(...numbers), start);
  return low === high ? [low] : [Math.min(low, high), Math.max(low, high)];
}

/**
 * Averages values in at most `most` slots of equal time; a gap is `undefined`. No slot is shorter
 * than the usual time between two points, so that only missing points make gaps.
 * @param range what the slots extend to, if its edges have no points; by default the points
 */
export function averageSlots(
  { times, values }: MetricSeries,
  most: number,
  range: RequestedRange = { startMs: times[0] ?? 0, endMs: times.at(-1) ?? 0, stepMs: 0 },
): (number | undefined)[] {
  const { start, end } = getSpan(times, range);
  const span = end - start;
  const usual = getUsualSpacing(times) || 1;
  const count = Math.max(1, Math.min(most, Math.round(span / usual) + 1));

  const sums = new Float64Array(count);
  const counts = new Uint32Array(count);
  for (const [index, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const share = ((times[index] ?? 0) - start) / (span + usual);
    const slot = span === 0 ? 0 : Math.min(count - 1, Math.floor(share * count));
    sums[slot] = (sums[slot] ?? 0) + value;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return Array.from(sums, (sum, slot) => (counts[slot] ? sum / counts[slot] : undefined));
}

/** Steps that people expect, in seconds. */
const ROUND_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
  172_800, 345_600,
];
const WEEK_SECONDS = 604_800;

/** A chart cannot show more. */
const MAX_BUCKETS = 120;

/**
 * Chooses the smallest round step, in seconds, that makes at most 120 buckets; above four days,
 * whole weeks.
 */
export function chooseStep(startMs: number, endMs: number): number {
  const least = (endMs - startMs) / 1000 / MAX_BUCKETS;
  const weeks = Math.ceil(least / WEEK_SECONDS) * WEEK_SECONDS;
  return ROUND_STEPS.find((step) => step >= least) ?? weeks;
}

/** The words of a name that says how many requests or jobs failed. */
const ERRORS = /^(?:errors?|failures?|failed|5xx)$/;

/** The first questions of people: is it busy, is it full, does it fail, is it slow? */
const FIRST = [/^cpu$/, /^(?:memory|mem|ram|rss)$/, ERRORS, /^(?:response|latency|duration)$/];

/** Whether each value above 0 is bad news. */
export function areErrors(name: string): boolean {
  return splitName(name).some((word) => ERRORS.test(word));
}

/** Returns CPU, memory, errors and response time, then what varies most. */
export function orderByInterest(series: readonly MetricSeries[]): readonly MetricSeries[] {
  const ranked = series.map((one) => {
    const words = splitName(one.name);
    const question = FIRST.findIndex((names) => words.some((word) => names.test(word)));
    if (question >= 0) return { one, rank: question, variation: 0 };
    return { one, rank: FIRST.length, variation: getVariation(one.values) };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.variation - a.variation);
  return ranked.map(({ one }) => one);
}

/** Returns the standard deviation in relation to the average. */
function getVariation(values: Float64Array): number {
  const measured = values.filter((value) => !Number.isNaN(value));
  const average = getStatistics(values)?.avg ?? 0;
  const sum = measured.reduce((square, value) => square + (value - average) ** 2, 0);
  return Math.sqrt(sum / (measured.length || 1)) / Math.abs(average || 1);
}
