import { setMaxListeners } from 'node:events';
import { CliError } from '../errors.ts';
import type { Context } from '../kit/context.ts';

/** Ends a run early. */
export interface Stops {
  /** Aborted when nothing more may be sent. */
  readonly stop: AbortSignal;
  /** Aborted when requests under way must end, too. */
  readonly end: AbortSignal;
  /** Sends nothing more, for this reason. */
  halt(reason: CliError): void;
  /** Sends nothing more, and ends the run with this error even if nothing is left. */
  fail(error: unknown): void;
  /** The first error of {@link Stops.fail}. */
  failure(): unknown;
  /** Why nothing more was sent; undefined if the run came to its end, or failed. */
  stopped(): CliError | undefined;
  /** Stops listening to signals and the clock. */
  close(): void;
}

/** Time that requests under way have after Ctrl-C. */
const GRACE_MS = 5_000;

/**
 * Stops at the first signal, and ends what is under way soon after, or at the second signal. Also stops after so many
 * seconds.
 */
export function createStops({ signal, hurry, clock }: Context, stopAfter: number | undefined): Stops {
  const [stop, end, closed] = [new AbortController(), new AbortController(), new AbortController()];
  for (const one of [stop, end]) setMaxListeners(0, one.signal);
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const hurried = () => end.abort(signal.reason);
  const interrupted = () => {
    stop.abort(signal.reason);
    timer = setTimeout(hurried, GRACE_MS);
  };
  const once = { once: true, signal: closed.signal };
  signal.addEventListener('abort', interrupted, once);
  hurry.addEventListener('abort', hurried, once);
  if (signal.aborted) interrupted();
  const timeIsUp = () => stop.abort(new CliError('still_running', 'The time of --stop-after is over.'));
  if (stopAfter !== undefined) clock.sleep(stopAfter * 1000, closed.signal).then(timeIsUp, () => undefined);
  return {
    stop: stop.signal,
    end: end.signal,
    halt: (reason) => stop.abort(reason),
    fail(error) {
      failure ??= error;
      stop.abort(error);
    },
    failure: () => failure,
    stopped() {
      const reason: unknown = stop.signal.reason;
      return reason instanceof CliError && reason !== failure ? reason : undefined;
    },
    close() {
      closed.abort();
      clearTimeout(timer);
    },
  };
}
