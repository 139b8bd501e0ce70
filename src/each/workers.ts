import { setMaxListeners } from 'node:events';
import { CliError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import { formatCount } from '../terminal/numbers.ts';
import { type Outcome, type Run, runItem } from './item.ts';
import type { Item } from './list.ts';

/** Ends a run early. */
export interface Stops {
  /** Aborted when nothing more may be sent. */
  readonly stop: AbortSignal;
  /** Aborted when requests under way must end, too. */
  readonly end: AbortSignal;
  halt(reason: CliError): void;
  fail(error: unknown): void;
  /** The error of {@link Stops.fail}. */
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
export function createStops({ system: { signal, hurry, clock } }: Context, stopAfter: number | undefined): Stops {
  const [stop, end] = [new AbortController(), new AbortController()];
  for (const one of [stop, end]) setMaxListeners(0, one.signal);
  let timer: NodeJS.Timeout | undefined;
  let failure: unknown;
  const interrupted = () => {
    stop.abort(signal.reason);
    timer = setTimeout(() => end.abort(signal.reason), GRACE_MS);
  };
  const hurried = () => end.abort(signal.reason);
  signal.addEventListener('abort', interrupted, { once: true });
  hurry.addEventListener('abort', hurried, { once: true });
  if (signal.aborted) interrupted();
  const closed = new AbortController();
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
      signal.removeEventListener('abort', interrupted);
      hurry.removeEventListener('abort', hurried);
    },
  };
}

interface Work {
  readonly items: readonly Item[];
  /** Items that may be begun and not yet ended. */
  readonly running: number;
  readonly maxFailures: number;
  /** Failures so far. */
  failures(): number;
  /** Counts and prints an outcome. */
  report(outcome: Outcome): Promise<void>;
}

/** Carries the command out for each item, several at a time, until all are done or the run stops. */
export async function workThrough(run: Run, { items, running, maxFailures, failures, report }: Work): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (let next = queue.next(); !next.done && !run.stop.aborted; next = queue.next()) {
      const outcome = await runItem(run, next.value);
      if (outcome === undefined) return;
      // Count at once, but print only as fast as the output is read.
      const printed = report(outcome);
      if (failures() >= maxFailures) run.halt(tooManyFailures(failures()));
      await printed;
    }
  };
  await Promise.all(Array.from({ length: running }, () => work().catch(run.fail)));
}

function tooManyFailures(count: number): CliError {
  const failures = `${formatCount(count)} ${count === 1 ? 'failure' : 'failures'}`;
  return new CliError('partial', `Stopped after ${failures} (--max-failures).`);
}
