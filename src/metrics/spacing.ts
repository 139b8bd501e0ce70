import type { Series } from './points.ts';

/** Steps that are looked at to know the usual one. */
const SAMPLES = 1_000;

/** A step in time this many times longer than usual is a gap. */
const GAP_STEPS = 3;

/** The usual time between two points, in milliseconds: the median of a sample; 0 where there is none. */
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
 * The longest time between two points of a line that is no gap, in milliseconds. Where so many points are left out that
 * the line has one every `drawnEveryMs` only, their absence is none.
 */
export function longestStep(times: Float64Array, drawnEveryMs: number): number {
  return GAP_STEPS * Math.max(usualSpacing(times), drawnEveryMs);
}

/** The range that was asked for, in milliseconds; it does not reach beyond now. */
export interface AskedRange {
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
}

/** Where a drawing begins and ends, in milliseconds since the epoch. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The latest value of a series. */
export interface Latest {
  readonly value: number;
  readonly time: number;
  /** Whether it lies so far before the end of the range that later ones are missing. */
  readonly isOld: boolean;
}

/** A service may be so many steps late with a point; more without any are missing. */
const STEPS = 2;

/** What a drawing of these times spans: they themselves, and the asked range at an edge where it has no points. */
export function spanOf(times: Float64Array, asked: AskedRange): Span {
  const [first = asked.startMs, last = asked.endMs] = [times[0], times.at(-1)];
  const late = lateness(times, asked);
  return {
    start: first - asked.startMs > late ? asked.startMs : first,
    end: asked.endMs - last > late ? asked.endMs : last,
  };
}

/** The latest value of a series; `undefined` where it has none. */
export function latestOf({ times, values }: Series, asked: AskedRange): Latest | undefined {
  const index = values.findLastIndex((value) => !Number.isNaN(value));
  const [value, time] = [values[index], times[index]];
  if (value === undefined || time === undefined) return undefined;
  // A series may have a value in every tenth point only.
  const own = times.filter((_, at) => !Number.isNaN(values[at] ?? Number.NaN));
  return { value, time, isOld: asked.endMs - time > lateness(own, asked) };
}

function lateness(times: Float64Array, { stepMs }: AskedRange): number {
  return STEPS * Math.max(stepMs, usualSpacing(times));
}

const DAY_SECONDS = 86_400;

/** Bucket sizes that people can name, in seconds; none is much more than twice the one before. */
const ROUND_STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1_800,
  3_600,
  7_200,
  10_800,
  21_600,
  43_200,
  DAY_SECONDS,
  2 * DAY_SECONDS,
  4 * DAY_SECONDS,
  7 * DAY_SECONDS,
];

/** As many buckets as a chart can show well. */
const MOST_BUCKETS = 120;

/** The bucket size for a range whose user named none, in seconds: the smallest round one that makes at most 120 buckets. */
export function chooseStep(startMs: number, endMs: number): number {
  const rangeSeconds = (endMs - startMs) / 1000;
  const round = ROUND_STEPS.find((step) => rangeSeconds / step <= MOST_BUCKETS);
  if (round !== undefined) return round;
  const weeks = Math.ceil(rangeSeconds / MOST_BUCKETS / (7 * DAY_SECONDS));
  return weeks * 7 * DAY_SECONDS;
}
