import { setMaxListeners } from 'node:events';
import type { ClientOverrides } from '../api/call.ts';
import type { Clients, Context, Needs } from '../cli/define/context.ts';
import type { Setting } from '../cli/settings/settings.ts';
import { CliError } from '../errors.ts';
import type { BatchLine } from './item.ts';
import type { BatchLog } from './log.ts';
import { createPace, createSlots } from './pace.ts';
import type { RunOptions } from './plan.ts';

/** The parts that the items of a run share. */
export type Run = ReturnType<typeof createRun>;

/** Makes the parts that the items of a run share. */
export function createRun(
  line: BatchLine,
  context: Context,
  options: RunOptions,
  log: BatchLog | undefined,
) {
  const { clock, random } = context.time;
  const { concurrency, stopAfter } = options;
  const stops = createStops(context, stopAfter);
  const clients = new Map<string | undefined, ReturnType<Clients['gatedClients']>>();
  return {
    line,
    context,
    options,
    log,
    clock,
    stops,
    pace: createPace(random),
    /** Places for requests under way. */
    slots: createSlots(concurrency),
    /** Makes a client of an organization; those of one share their connections. */
    async createClient(org: string | undefined, own: ClientOverrides) {
      const create =
        clients.get(org) ??
        context.api.gatedClients({
          // Only requests under way may go on after a signal.
          signal: stops.endSignal,
          org: toOrgSetting(org),
          atOnce: concurrency,
        });
      clients.set(org, create);
      return (await create)(own);
    },
  };
}

/** Returns the setting of an organization that a list names. */
export function toOrgSetting(value: string | undefined): Setting | undefined {
  return value === undefined ? undefined : { value, origin: 'flag', where: 'the list' };
}

/** Time that requests under way have after Ctrl-C. */
const GRACE_MS = 5_000;

/**
 * Ends a run early: sends nothing more from the first signal on, or after so many seconds, and ends
 * what is under way soon after the signal, or at the second one.
 */
function createStops({ time }: Needs<'time'>, stopAfterSeconds: number | undefined) {
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
  if (stopAfterSeconds !== undefined) {
    const reason = new CliError('still_running', 'The time of --stop-after is over.');
    const stopInTime = () => stop.abort(reason);
    time.clock.sleep(stopAfterSeconds * 1000, closed.signal).then(stopInTime, () => undefined);
  }

  return {
    /** Aborted when nothing more may be sent. */
    stopSignal: stop.signal,
    /** Aborted when requests under way must end, too. */
    endSignal: end.signal,
    /** Sends nothing more. The first reason ends the run. */
    halt: (reason: unknown) => stop.abort(reason),
    close() {
      closed.abort();
      clearTimeout(graceTimer);
    },
  };
}
