import type { Clients, Context } from '../cli/define/context.ts';
import type { Setting } from '../cli/settings/settings.ts';
import type { BatchLine } from './item.ts';
import type { BatchLog } from './log.ts';
import { createPace, createSlots } from './pace.ts';
import type { RunOptions } from './plan.ts';
import { createStops } from './stops.ts';

/** The parts that the items of a run share. */
export type Run = ReturnType<typeof createRun>;

/** Makes the parts that the items of a run share. */
export function createRun(
  line: BatchLine,
  context: Context,
  options: RunOptions,
  log: BatchLog | undefined,
) {
  const { api, time } = context;
  const { concurrency, stopAfter } = options;
  const stops = createStops(context, stopAfter);
  const clients = new Map<string | undefined, ReturnType<Clients['gatedClients']>>();
  return {
    line,
    context,
    options,
    log,
    stops,
    pace: createPace(time.random),
    /** Places for requests under way. */
    slots: createSlots(concurrency),
    /** Makes the clients of an organization, which share their connections. */
    clientsFor(org: string | undefined) {
      const known = clients.get(org);
      if (known !== undefined) return known;
      const created = api.gatedClients({
        // Only requests under way may go on after a signal.
        signal: stops.endSignal,
        org: toOrgSetting(org),
        atOnce: concurrency,
      });
      clients.set(org, created);
      return created;
    },
  };
}

/** Returns the setting of an organization that a list names. */
export function toOrgSetting(value: string | undefined): Setting | undefined {
  return value === undefined ? undefined : { value, origin: 'flag', where: 'the list' };
}
