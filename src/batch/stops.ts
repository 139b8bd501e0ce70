import { setMaxListeners } from 'node:events';
import type { Needs } from '../cli/define/context.ts';
import { CliError } from '../errors.ts';

/** Time that requests under way have after Ctrl-C. */
const GRACE_MS = 5_000;

/**
 * Ends a run early: sends nothing more from the first signal on, or after so many seconds, and ends
 * what is under way soon after the signal, or at the second one.
 */
export function createStops({ time }: Needs<'time'>, stopAfter: number | undefined) {
  const [stop, end, closed] = [new AbortController(), new AbortController(), new AbortController()];
  for (const one of [stop, end]) setMaxListeners(0, one.signal);
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const hurried = () => end.abort(time.signal.reason);
  const interrupted = () => {
    stop.abort(time.signal.reason);
    timer = setTimeout(hurried, GRACE_MS);
  };
  const once = { once: true, signal: closed.signal };
  time.signal.addEventListener('abort', interrupted, once);
  time.hurry.addEventListener('abort', hurried, once);
  if (time.signal.aborted) interrupted();
  const timeIsUp = () =>
    stop.abort(new CliError('still_running', 'The time of --stop-after is over.'));
  if (stopAfter !== undefined)
    time.clock.sleep(stopAfter * 1000, closed.signal).then(timeIsUp, () => undefined);
  return {
    /** Aborted when nothing more may be sent. */
    stop: stop.signal,
    /** Aborted when requests under way must end, too. */
    end: end.signal,
    /** Sends nothing more, for this reason. */
    halt: (reason: CliError) => stop.abort(reason),
    /** Sends nothing more, and ends the run with this error even if nothing is left. */
    fail(error: unknown): void {
      failure ??= error;
      stop.abort(error);
    },
    failure: () => failure,
    /** Why nothing more was sent; undefined if the run came to its end, or failed. */
    stopped(): CliError | undefined {
      const reason: unknown = stop.signal.reason;
      return reason instanceof CliError && reason !== failure ? reason : undefined;
    },
    close(): void {
      closed.abort();
      clearTimeout(timer);
    },
  };
}
