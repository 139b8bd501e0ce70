import type { Client, Gate, OwnClientOptions } from '../api/call.ts';
import type { CommandIo, Context, Needs } from '../cli/define/context.ts';
import { asCliError } from '../cli/define/report.ts';
import type { Result, Warning } from '../cli/define/result.ts';
import { sameTarget } from '../cli/settings/globals.ts';
import { asOneLine, CliError } from '../errors.ts';
import { formatDuration } from '../terminal/dates.ts';
import { plainOf, type Text } from '../terminal/screen.ts';
import type { BatchLine, Item } from './list.ts';
import type { RunLog } from './log.ts';
import type { createPace, createSlots } from './pace.ts';
import type { Stops } from './stops.ts';

/** What the items of a run share. */
export interface Run {
  readonly line: BatchLine;
  readonly context: Context;
  readonly log: RunLog | undefined;
  readonly stops: Stops;
  readonly pace: ReturnType<typeof createPace>;
  /** Places for requests under way. */
  readonly slots: ReturnType<typeof createSlots>;
  /** Makes the clients of an organization, which share their connections. */
  clientsOf(org: string | undefined): Promise<(own: OwnClientOptions) => Client>;
  /** When the run began; ms since the epoch. */
  readonly since: number;
}

/** What became of an item. */
export interface Outcome {
  readonly item: Item;
  /** Of a job: `queued` if nobody waits for it, `running` if its end was not seen. */
  readonly how: 'done' | 'queued' | 'running' | 'alerts' | 'failed';
  /** Absent if the command failed without one. */
  readonly result?: Result<unknown> | undefined;
  readonly error?: CliError | undefined;
  /** Whether it may have been carried out although no answer says so. */
  readonly isInDoubt?: boolean;
  readonly warnings: readonly Warning[];
  readonly attempts: number;
  /** From the first request to the end, in milliseconds. */
  readonly ms: number;
}

/** What is seen of an item while it runs. Times are of the monotonic clock. */
interface Progress {
  attempts: number;
  startedAt: number;
  /** When the last request was sent. */
  sentAt: number;
  pausedMs: number;
  /** The job that was queued, now or by an earlier run. */
  jobId: string | undefined;
  /** Whether a change was sent, and not refused. */
  isBegun: boolean;
  readonly warnings: Warning[];
}

/**
 * Carries the command out for one item. Returns undefined if nothing was carried out because the
 * run has stopped.
 */
export async function runItem(run: Run, item: Item): Promise<Outcome | undefined> {
  const { line, stops, log, context } = run;
  const startedAt = context.time.clock.monotonic();
  const jobId = log?.jobOf.get(item.key);
  const seen: Progress = {
    attempts: 0,
    startedAt,
    sentAt: 0,
    pausedMs: 0,
    jobId,
    isBegun: false,
    warnings: [],
  };
  let result: Result<unknown> | undefined;
  let error: CliError | undefined;
  try {
    const ended = await line.command.run(contextOf(run, item, seen), item.values, line.tree);
    if (!('isPrinted' in ended)) result = ended;
    error = ended.failure;
  } catch (thrown) {
    error = asCliError(thrown);
  }
  if (error !== undefined && error === stops.stop.reason) {
    if (!seen.isBegun) return undefined;
    error = error.with({ outcome: 'unknown' });
  }
  const { attempts } = seen;
  const warnings = [...seen.warnings, ...(result?.warnings ?? [])];
  const ms = Math.round(context.time.clock.monotonic() - seen.startedAt);
  const how = result?.isUnfinished && error === undefined ? 'queued' : 'done';
  const outcome = {
    item,
    result,
    how,
    ...judged(line, error, seen.jobId),
    warnings,
    attempts,
    ms,
  } as const;
  try {
    record(log, outcome);
  } catch {
    // The run fails, but first reports how this item ended.
  }
  return outcome;
}

/**
 * Says how an item failed. One whose job is known goes on; another one may have been carried out.
 */
function judged({ command }: BatchLine, error: CliError | undefined, queued: string | undefined) {
  if (error === undefined) return {};
  const { code, details } = error;
  const isUnknown = details.outcome === 'unknown';
  // Whatever the error is: only a job that failed is over.
  const jobId = code === 'failed' ? undefined : (queued ?? (isUnknown ? undefined : details.jobId));
  // To run an action again whose job is not known could carry it out twice.
  const isOpen = isUnknown || code === 'still_running';
  const isInDoubt = isOpen && jobId === undefined && command.effect !== 'reads';
  const goesOn =
    (code === 'still_running' && !isInDoubt) || (code === 'interrupted' && jobId !== undefined);
  const failed = code === 'alert' ? 'alerts' : 'failed';
  const how: Outcome['how'] = goesOn ? 'running' : failed;
  return { how, isInDoubt, error: jobId === undefined ? error : error.with({ jobId }), jobId };
}

/** Leaves out all texts of the platform and the parameters, which may hold secrets. */
function record(
  log: RunLog | undefined,
  outcome: Outcome & { readonly jobId?: string | undefined },
): void {
  const { item, how, error, isInDoubt, jobId, attempts, ms } = outcome;
  // The log has the job already, and no end of it.
  if (how === 'queued') return;
  // A change is not made again because of an alarm about it.
  const exitCode = how === 'alerts' ? 0 : (error?.exitCode ?? 0);
  const open =
    isInDoubt || jobId !== undefined
      ? { inDoubt: true, ...(jobId !== undefined && { jobId }) }
      : {};
  log?.add({ item: item.key, exitCode, code: error?.code ?? null, attempts, ms, ...open });
}

const MAX_PAUSED_MS = 10 * 60_000;
/** After a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

/**
 * A request has a slot until it has ended; a wait between requests has none. A change is in the log
 * before it is sent.
 */
function gateOf(
  { context: { time: { clock } }, log, pace, slots, stops }: Run,
  { key }: Item,
  seen: Progress,
): Gate {
  return {
    async enter(changes) {
      await slots.take();
      try {
        for (;;) {
          stops.stop.throwIfAborted();
          const waitMs = pace.take(clock.monotonic());
          if (waitMs === 0) break;
          await clock.sleep(waitMs, stops.stop);
        }
        if (changes) await log?.begun(key);
      } catch (error) {
        slots.leave();
        throw error;
      }
      if (changes) seen.isBegun = true;
      seen.sentAt = clock.monotonic();
      if (seen.attempts === 0) seen.startedAt = seen.sentAt;
      seen.attempts += 1;
      return slots.leave;
    },
    /** Makes all items pause after a refusal, unless this one has waited for too long. */
    failed({ kind, retryAfterMs }, changes) {
      if (kind !== 429 && (kind !== 503 || retryAfterMs === undefined)) return undefined;
      if (changes) {
        seen.isBegun = false;
        log?.add({ item: key, begun: false });
      }
      const waitMs = retryAfterMs || USUAL_PAUSE_MS;
      const tooLong = `The platform asks to wait ${formatDuration(waitMs)}, so nothing more was sent.`;
      if (waitMs > MAX_PAUSED_MS) stops.halt(new CliError('rate_limited', tooLong));
      if (seen.pausedMs + waitMs > MAX_PAUSED_MS) return undefined;
      seen.pausedMs += waitMs;
      pace.refused(clock.monotonic(), seen.sentAt, waitMs);
      if (retryAfterMs === undefined) return undefined;
      return kind === 429 ? 'free' : 'counted';
    },
  };
}

/**
 * The context of one item: its organization, clients that share the pace, no questions, and nothing
 * shown on the way.
 */
function contextOf(run: Run, item: Item, seen: Progress): Context {
  const { context, stops, log, since } = run;
  const { api, settings, time, line } = context;
  const { key, org } = item;
  const gate = gateOf(run, item, seen);
  const client = async (deadlinePerCall: boolean) =>
    (await run.clientsOf(org))({ gate, deadlinePerCall });
  const globals = org === undefined ? context.globals : { ...context.globals, org };
  const inOrg = org === undefined ? {} : { org: () => orgOf(org) };
  return {
    ...context,
    api: { ...api, client: () => client(false), pollingClient: () => client(true) },
    io: quiet(context, seen.warnings),
    globals,
    settings: { ...settings, ...inOrg },
    time: {
      ...time,
      clock: { ...time.clock, sleep: (ms, signal = stops.stop) => time.clock.sleep(ms, signal) },
      signal: stops.stop,
    },
    line: { ...line, sameTarget: (...words) => sameTarget(words, globals) },
    batch: {
      since,
      jobId: seen.jobId,
      queued(jobId) {
        seen.jobId = jobId;
        log?.add({ item: key, begun: true, jobId });
      },
    },
  };
}

/** The setting of an organization that a list names. */
export function orgOf(value: string) {
  return { value, origin: 'flag', where: 'the list' } as const;
}

/**
 * Nobody is asked, since the whole list was confirmed, and warnings are kept for the line of the
 * item.
 */
function quiet({ io }: Needs<'io'>, warnings: Warning[]): CommandIo {
  const own: Partial<CommandIo> = {
    interactive: false,
    progress: () => ({ update() {}, stop() {} }),
    during: (_text, work) => work(),
    requireInteractive: async () => undefined,
    confirmOrStop: async () => undefined,
    warn: async (text: Text, code: string, lines: readonly Text[] = []) => {
      warnings.push({ text: asOneLine(plainOf(text), lines.map(plainOf)), code });
    },
  };
  // A copy would keep what the getters of the original say now.
  return Object.create(io, Object.getOwnPropertyDescriptors(own));
}
