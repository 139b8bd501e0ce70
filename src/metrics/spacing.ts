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
