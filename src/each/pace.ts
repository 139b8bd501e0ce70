/** The share added to a pause, at most, so that not all processes come back at once. */
const JITTER = 0.1;
/** The share of the pace at the last refusal by which the pace grows each second. */
const GROWTH = 0.2;
/** Requests per second. */
const SLOWEST = 0.1;
/** A timer that fires late may make up for this much. */
const LATE_MS = 50;
/** The time over which the pace is measured: the older a request is, the less it counts. */
const MEMORY_MS = 300;

/**
 * Decides when the requests of all workers are sent. Additive increase, multiplicative decrease (as TCP does, RFC 5681):
 * after a refusal everybody pauses as long as the platform asks, then goes on at half the pace, which grows step by step.
 * Has no limit before the first refusal. Times are in milliseconds, from a monotonic clock that begins at 0.
 * @param random returns a number between 0 and 1
 */
export function createPace(random: () => number) {
  let base = Number.POSITIVE_INFINITY;
  let step = 0;
  let pausedAt = Number.NEGATIVE_INFINITY;
  let resumesAt = 0;
  let dueAt = 0;
  let measuredSince: number | undefined;
  let countedAt = 0;
  let level = 0;
  const faded = (now: number) => level * Math.exp((countedAt - now) / MEMORY_MS);
  const allowed = (now: number) => base + (step * Math.max(0, now - resumesAt)) / 1000;
  const measured = (now: number) => {
    if (measuredSince === undefined) return 0;
    const share = 1 - Math.exp(-Math.max(1, now - measuredSince) / MEMORY_MS);
    // Do not count the time since the last request: a busy machine learns of a refusal late.
    return (level / share / MEMORY_MS) * 1000;
  };
  return {
    /** Counts a request and returns 0 if it may be sent now; otherwise the milliseconds until the next try. */
    take(now: number): number {
      if (now < resumesAt) return resumesAt - now;
      const perSecond = allowed(now);
      if (Number.isFinite(perSecond)) {
        if (now < dueAt) return dueAt - now;
        dueAt = Math.max(dueAt, now - LATE_MS) + 1000 / perSecond;
      }
      measuredSince ??= now;
      level = faded(now) + 1;
      countedAt = now;
      return 0;
    },
    /** Pauses for `waitMs`: the platform refused a request that was sent at `sentAt`. */
    refused(now: number, sentAt: number, waitMs: number): void {
      // A request sent before the pause says nothing about the new pace.
      if (sentAt > pausedAt) {
        const last = Math.max(SLOWEST, Math.min(allowed(now), measured(now)));
        base = Math.max(SLOWEST, last / 2);
        step = last * GROWTH;
        pausedAt = now;
        measuredSince = undefined;
        level = 0;
      }
      resumesAt = Math.max(resumesAt, now + waitMs * (1 + JITTER * random()));
      // Otherwise each of many processes would send one request as soon as its pause is over, whatever its pace.
      dueAt = resumesAt + (random() * 1000) / base;
    },
    /** Milliseconds until the pause is over; 0 if there is none. */
    pauseMs: (now: number) => Math.max(0, resumesAt - now),
  };
}

/** Creates so many places for requests under way, given out in the order in which they are asked for. */
export function createSlots(count: number) {
  let free = count;
  const waiting: Array<() => void> = [];
  return {
    async take(): Promise<void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave(): void {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
