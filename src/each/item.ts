import { CliError, toErrorObject } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import type { Command, Entry } from '../kit/define.ts';
import { asCliError } from '../kit/report.ts';
import type { Result } from '../kit/result.ts';
import { once } from '../once.ts';
import type { Gate } from '../service/client.ts';
import { hideIn } from '../service/redact.ts';
import type { SeveralLine } from '../spec/fields/documents.ts';
import { formatDuration } from '../terminal/dates.ts';
import type { Item, valuesReader } from './list.ts';
import type { RunLog } from './log.ts';
import type { Pace } from './pace.ts';

/** What the items of a run have in common. */
export interface Run {
  readonly command: Command;
  readonly tree: readonly Entry[];
  readonly valuesFor: ReturnType<typeof valuesReader>;
  readonly context: Context;
  readonly contextFor: ReturnType<typeof contextsOf>;
  readonly pace: Pace;
  readonly log: RunLog | undefined;
  /** Aborted when nothing more may be sent. */
  readonly stop: AbortSignal;
  /** Sends nothing more, for this reason. */
  halt(reason: CliError): void;
  /** Sends nothing more, and ends the run with this error even if nothing is left. */
  fail(error: unknown): void;
}

/** How an item ended. */
export interface Outcome {
  readonly item: Item;
  /** Absent if the command failed without one. */
  readonly result: Result<unknown> | undefined;
  readonly error: CliError | undefined;
  /** Whether it may have been carried out although no answer says so. */
  readonly isInDoubt: boolean;
  /** Requests sent. */
  readonly attempts: number;
  /** From the first request to the end, in milliseconds. */
  readonly ms: number;
}

/** Carries the command out for one item. Returns undefined if nothing was carried out because the run has stopped. */
export async function runItem(run: Run, item: Item): Promise<Outcome | undefined> {
  const { command, tree, valuesFor, contextFor, context } = run;
  const { clock } = context.system;
  let attempts = 0;
  let startedAt = clock.monotonic();
  const gate = gateOf(run, {
    sent(changes) {
      if (attempts === 0) startedAt = clock.monotonic();
      if (changes) record(run, (log) => log.begun(item.key));
      attempts += 1;
    },
    refused(changes) {
      if (changes) record(run, (log) => log.refused(item.key));
    },
  });
  let result: Result<unknown> | undefined;
  let error: CliError | undefined;
  try {
    const ended = await command.run(contextFor(item, gate), valuesFor(item), tree);
    if (!('isPrinted' in ended)) result = ended;
    error = ended.failure;
  } catch (thrown) {
    error = asCliError(thrown);
  }
  // Stopped before the first request, or after one that was refused.
  if (error !== undefined && run.stop.aborted && error === run.stop.reason) return undefined;
  const outcome = {
    item,
    result,
    error,
    isInDoubt: command.effect !== 'reads' && isInDoubt(error),
    attempts,
    ms: Math.round(clock.monotonic() - startedAt),
  };
  try {
    record(run, (log) => log.ended(logEntryOf(outcome)));
  } catch {
    // The run fails, but first reports how this item ended.
  }
  return outcome;
}

/** Writes to the log. If that fails, so does the run: what is not in the log must not be sent. */
function record({ log, fail }: Run, write: (log: RunLog) => void): void {
  if (log === undefined) return;
  try {
    write(log);
  } catch (error) {
    fail(asCliError(error));
    throw error;
  }
}

/** Includes a job whose end is not known: running the action again could carry it out twice. */
function isInDoubt(error: CliError | undefined): boolean {
  if (error === undefined) return false;
  const { outcome, jobId } = error.details;
  return outcome === 'unknown' || error.code === 'still_running' || (jobId !== undefined && error.code !== 'failed');
}

/** Leaves out all texts of the service and the parameters: they may hold secrets. */
function logEntryOf({ item: { key }, error, isInDoubt, attempts, ms }: Outcome) {
  const { exitCode = 0, code = null } = error ?? {};
  return { item: key, exitCode, code, attempts, ms, ...(isInDoubt && { inDoubt: true as const }) };
}

/** The fields of an outcome beside the answer, for scripts. */
export function lineOf({ item, error, attempts, ms }: Outcome, { io: { redactor } }: Context) {
  return {
    index: item.index,
    item: item.given,
    exitCode: error?.exitCode ?? 0,
    code: error?.code ?? null,
    ...(error !== undefined && { error: hideIn(toErrorObject(error), redactor.redact) as object }),
    attempts,
    ms,
  } satisfies SeveralLine;
}

/** How long an item waits for a service that refuses it, in milliseconds. */
const MAX_PAUSED_MS = 10 * 60_000;
/** After a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

interface Listener {
  /** A request may be sent now; `changes` if it changes something. */
  sent(changes: boolean): void;
  /** The service did not carry the request out. */
  refused(changes: boolean): void;
}

function gateOf({ pace, context, stop, halt }: Run, on: Listener): Gate {
  const { clock } = context.system;
  let pausedMs = 0;
  let sentAt = 0;
  return {
    async enter(changes) {
      for (;;) {
        stop.throwIfAborted();
        const waitMs = pace.take(clock.monotonic());
        if (waitMs === 0) break;
        await clock.sleep(waitMs, stop);
      }
      sentAt = clock.monotonic();
      on.sent(changes);
    },
    failed({ kind, retryAfterMs }, changes) {
      const isRefusal = kind === 429;
      if (!isRefusal && (kind !== 503 || retryAfterMs === undefined)) return undefined;
      const waitMs = retryAfterMs === undefined || retryAfterMs === 0 ? USUAL_PAUSE_MS : retryAfterMs;
      on.refused(changes);
      if (waitMs > MAX_PAUSED_MS) halt(tooLong(waitMs));
      if (pausedMs + waitMs > MAX_PAUSED_MS) return undefined;
      pausedMs += waitMs;
      pace.refused(clock.monotonic(), sentAt, waitMs);
      if (retryAfterMs === undefined) return undefined;
      return isRefusal ? 'free' : 'counted';
    },
  };
}

function tooLong(waitMs: number): CliError {
  return new CliError('rate_limited', `The service asks to wait ${formatDuration(waitMs)}, so nothing more was sent.`);
}

/** Returns the contexts of single commands: with clients that share the pace, and without anything shown on the way. */
export function contextsOf(
  context: Context,
  { stop, end, atOnce }: { readonly stop: AbortSignal; readonly end: AbortSignal; readonly atOnce: number },
): (item: Item, gate: Gate) => Context {
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
      signal: end,
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
  return ({ org }, gate) => {
    const { settings, clients } = orgs.get(org) ?? forOrg(org);
    if (!orgs.has(org)) orgs.set(org, { settings, clients });
    const client = async (deadlinePerCall: boolean) => (await clients())({ gate, deadlinePerCall });
    return {
      ...common,
      api: { ...api, client: () => client(false), pollingClient: () => client(true) },
      settings,
    };
  };
}
