import type { Series } from './points.ts';
import { usualSpacing } from './spacing.ts';

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
