import { setMaxListeners } from 'node:events';

/** Time that requests under way have after Ctrl-C. */
const GRACE_MS = 5_000;

/** See {@link createStops}. */
export type Stops = ReturnType<typeof createStops>;

/**
 * Sends nothing more from the first signal on, and ends what is under way soon after it, or at the
 * second one (`hurry`).
 */
export function createStops(signal: AbortSignal, hurry: AbortSignal) {
  const stop = new AbortController();
  const end = new AbortController();
  for (const one of [stop, end]) setMaxListeners(0, one.signal);
  const endNow = () => end.abort(signal.reason);
  const interrupted = () => {
    stop.abort(signal.reason);
    setTimeout(endNow, GRACE_MS).unref();
  };
  signal.addEventListener('abort', interrupted, { once: true });
  hurry.addEventListener('abort', endNow, { once: true });
  if (signal.aborted) interrupted();
  return {
    /** Aborted when nothing more may be sent. */
    stop: stop.signal,
    /** Aborted when requests under way must end, too. */
    end: end.signal,
    /** Sends nothing more. The first reason ends the run. */
    halt: (reason: unknown) => stop.abort(reason),
  };
}
