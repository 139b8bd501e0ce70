import type { MetricSeries } from './points.ts';

const SAMPLES = 1_000;
/** A gap is longer than this many usual steps. */
const GAP_STEPS = 3;

/** Returns the median time between two points of a sample, in milliseconds; 0 for fewer than two times. */
export function usualSpacing(times: Float64Array): number {
  const stride = Math.max(1, Math.floor(times.length / SAMPLES));
  const steps: number[] = [];
  for (let index = 1; index < times.length; index += stride) {
    const step = (times[index] ?? 0) - (times[index - 1] ?? 0);
    if (step > 0) steps.push(step);
  }
  steps.sort((one, other) => one - other);
  return steps[Math.floor(steps.length / 2)] ?? 0;
}

/**
 * Returns the longest time between two points that is not a gap, in milliseconds. `drawnEveryMs` is the distance of the
 * points of a downsampled line.
 */
export function longestStep(times: Float64Array, drawnEveryMs: number): number {
  return GAP_STEPS * Math.max(usualSpacing(times), drawnEveryMs);
}

/** The requested range; it ends now at the latest. */
export interface AskedRange {
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
}

/** In milliseconds since the epoch. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The last value of a series. `time` is in milliseconds since the epoch. */
export interface Latest {
  readonly value: number;
  readonly time: number;
  /** Whether later values are missing in the range. */
  readonly isOld: boolean;
}

/** Steps that the platform may be late with a point. */
const LATE_STEPS = 2;

/** Returns the span of the times, extended to the edges of the requested range that have no points. */
export function spanOf(times: Float64Array, asked: AskedRange): Span {
  const [first = asked.startMs, last = asked.endMs] = [times[0], times.at(-1)];
  const late = lateness(times, asked);
  return {
    start: first - asked.startMs > late ? asked.startMs : first,
    end: asked.endMs - last > late ? asked.endMs : last,
  };
}

/** @param whole the same series with all its points, if this is a part of it: the spacing shows in the whole */
export function latestOf(series: MetricSeries, asked: AskedRange, whole = series): Latest | undefined {
  const { times, values } = series;
  const index = values.findLastIndex((value) => !Number.isNaN(value));
  const [value, time] = [values[index], times[index]];
  if (value === undefined || time === undefined) return undefined;
  // A series may have a value in every tenth point only, so measure its own spacing.
  return { value, time, isOld: asked.endMs - time > lateness(measuredTimes(whole), asked) };
}

/**
 * Returns the share of the requested range, from 0 to 1, for which a series has values. A value stands for the time to the
 * next one, but for no longer than usual.
 * @param whole the same series with all its points: the spacing shows in the whole
 */
export function coverageOf(series: MetricSeries, asked: AskedRange, whole: MetricSeries): number {
  const usual = Math.max(asked.stepMs, usualSpacing(measuredTimes(whole)));
  const times = measuredTimes(series);
  const covered = times.reduce((total, time, at) => total + Math.min(usual, (times[at + 1] ?? time + usual) - time), 0);
  return Math.min(1, covered / Math.max(1, asked.endMs - asked.startMs));
}

/** The times of a series that have a value. */
function measuredTimes({ times, values }: MetricSeries): Float64Array {
  return times.filter((_, at) => !Number.isNaN(values[at] ?? Number.NaN));
}

/** Returns the part of a series from one time to another, both included, in milliseconds since the epoch. */
export function seriesWithin(series: MetricSeries, startMs: number, endMs: number): MetricSeries {
  const { times, values } = series;
  const first = times.findIndex((time) => time >= startMs);
  const end = times.findLastIndex((time) => time <= endMs) + 1;
  const [from, to] = first === -1 ? [0, 0] : [first, Math.max(first, end)];
  return { ...series, times: times.subarray(from, to), values: values.subarray(from, to) };
}

function lateness(times: Float64Array, { stepMs }: AskedRange): number {
  return LATE_STEPS * Math.max(stepMs, usualSpacing(times));
}

const DAY_SECONDS = 86_400;

/** Round bucket sizes, in seconds, each about twice the one before. */
const ROUND_STEPS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200],
  ...[1, 2, 4, 7].map((days) => days * DAY_SECONDS),
];

/** A chart cannot show more. */
const MAX_BUCKETS = 120;

/** Returns the smallest round bucket size, in seconds, that makes at most 120 buckets. */
export function chooseStep(startMs: number, endMs: number): number {
  const rangeSeconds = (endMs - startMs) / 1000;
  const round = ROUND_STEPS.find((step) => rangeSeconds / step <= MAX_BUCKETS);
  if (round !== undefined) return round;
  const weeks = Math.ceil(rangeSeconds / MAX_BUCKETS / (7 * DAY_SECONDS));
  return weeks * 7 * DAY_SECONDS;
}
