import { setMaxListeners } from 'node:events';
import type { Needs } from '../cli/define/context.ts';
import { CliError } from '../errors.ts';

/** Time that requests under way have after Ctrl-C. */
const GRACE_MS = 5_000;

/** The signals that stop a batch, as {@link createStops} makes them. */
export type Stops = ReturnType<typeof createStops>;

/**
 * Ends a run early: sends nothing more from the first signal on, or after so many seconds, and ends
 * what is under way soon after the signal, or at the second one.
 */
export function createStops({ time }: Needs<'time'>, stopAfterSeconds: number | undefined) {
  const stop = new AbortController();
  const end = new AbortController();
  const closed = new AbortController();
  for (const { signal } of [stop, end]) setMaxListeners(0, signal);

  let graceTimer: NodeJS.Timeout | undefined;
  const endNow = () => end.abort(time.signal.reason);
  const interrupt = () => {
    stop.abort(time.signal.reason);
    graceTimer = setTimeout(endNow, GRACE_MS);
  };
  const once = { once: true, signal: closed.signal };
  time.signal.addEventListener('abort', interrupt, once);
  time.forceQuitSignal.addEventListener('abort', endNow, once);
  if (time.signal.aborted) interrupt();

  const stopInTime = () =>
    stop.abort(new CliError('still_running', 'The time of --stop-after is over.'));
  if (stopAfterSeconds !== undefined) {
    time.clock.sleep(stopAfterSeconds * 1000, closed.signal).then(stopInTime, () => undefined);
  }

  return {
    /** Aborted when nothing more may be sent. */
    stopSignal: stop.signal,
    /** Aborted when requests under way must end, too. */
    endSignal: end.signal,
    /** Sends nothing more. The first reason ends the run. */
    halt: (reason: unknown) => stop.abort(reason),
    close(): void {
      closed.abort();
      clearTimeout(graceTimer);
    },
  };
}
