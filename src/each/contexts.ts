import { asOneLine } from '../errors.ts';
import type { Context, LoggedJob } from '../kit/context.ts';
import type { Warning } from '../kit/result.ts';
import { once } from '../once.ts';
import type { Gate } from '../service/client.ts';
import { plainOf, type Text } from '../terminal/screen.ts';
import type { Item } from './list.ts';

/** What the context of one item has of its own. */
interface Own {
  readonly gate: Gate;
  readonly job: LoggedJob;
  /** Takes what the command warns of. */
  warn(warning: Warning): void;
}

/** Returns the contexts of single commands: with clients that share the pace, and without anything shown on the way. */
export function contextsOf(
  context: Context,
  { stop, end, atOnce }: { readonly stop: AbortSignal; readonly end: AbortSignal; readonly atOnce: number },
): (item: Item, own: Own) => Context {
  const { io, api, settings, system } = context;
  const common: Context = {
    ...context,
    // Made from the original, which has getters: a copy would keep what they say now.
    io: Object.assign(Object.create(io, { interactive: { value: false } }) as typeof io, {
      progress: () => ({ update() {}, stop() {} }),
      during: <T>(_text: string, work: () => Promise<T>) => work(),
      // The whole list was confirmed.
      requireInteractive: async () => undefined,
      confirmOrStop: async () => undefined,
    }),
    system: Object.assign(Object.create(system) as typeof system, {
      // Only requests under way may go on.
      signal: stop,
      clock: { ...system.clock, sleep: (ms: number, signal = stop) => system.clock.sleep(ms, signal) },
    }),
  };
  const forOrg = (org: string | undefined) => {
    const setting = org === undefined ? undefined : { value: org, origin: 'flag' as const, where: 'the list' };
    const own =
      setting === undefined
        ? settings
        : { ...settings, org: () => setting, globals: { ...settings.globals, org: setting.value } };
    return { settings: own, clients: once(() => api.gatedClients({ signal: end, org: setting, atOnce })) };
  };
  const orgs = new Map<string | undefined, ReturnType<typeof forOrg>>();
  return ({ org }, { gate, job, warn }) => {
    const { settings, clients } = orgs.get(org) ?? forOrg(org);
    if (!orgs.has(org)) orgs.set(org, { settings, clients });
    const client = async (deadlinePerCall: boolean) => (await clients())({ gate, deadlinePerCall });
    return {
      ...common,
      job,
      io: Object.assign(Object.create(common.io) as typeof io, {
        warn: async (text: Text, code: string, lines: readonly Text[] = []) => {
          warn({ text: asOneLine(plainOf(text), lines.map(plainOf)), code });
        },
      }),
      api: { ...api, client: () => client(false), pollingClient: () => client(true) },
      settings,
    };
  };
}
