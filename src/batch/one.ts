import type { Gate } from '../api/call.ts';
import type { Clients, CommandIo, Context } from '../cli/define/context.ts';
import type { RunOptions } from '../cli/define/each.ts';
import { asCliError } from '../cli/define/report.ts';
import type { Result, Warning } from '../cli/define/result.ts';
import { sameTarget } from '../cli/settings/globals.ts';
import { asOneLine, CliError, type ErrorCode } from '../errors.ts';
import { formatDuration } from '../terminal/dates.ts';
import { plainOf, type Text } from '../terminal/screen.ts';
import type { Item, RunLine } from './items.ts';
import type { LogEntry, RunLog } from './log.ts';
import { createPace, createSlots } from './pace.ts';
import { limitsOf, type Plan } from './plan.ts';
import { createStops } from './stops.ts';

/** See {@link createRun}. */
export type Run = ReturnType<typeof createRun>;

/** What the items of a run share. The caller closes the `stops`. */
export function createRun(
  line: RunLine,
  context: Context,
  options: RunOptions,
  log: RunLog | undefined,
  plan: Plan,
) {
  const { requests, running, failures } = limitsOf(line, options, plan.total);
  return {
    line,
    context,
    options,
    log,
    stops: createStops(context, options.stopAfter),
    pace: createPace(context.time.random),
    slots: createSlots(requests),
    atOnce: Math.min(running, plan.todo.length),
    failures,
    clients: new Map<string | undefined, ReturnType<Clients['gatedClients']>>(),
  };
}

export interface Outcome {
  readonly item: Item;
  /** Absent if the command failed without one. */
  readonly result: Result<unknown> | undefined;
  readonly error: CliError | undefined;
  /** Whether it may have been carried out although no answer says so. */
  readonly isInDoubt: boolean;
  /** The job that has not ended, as far as is known. */
  readonly jobId?: string | undefined;
  /** The code of an error that counts as done (`--accept`). */
  readonly accepted?: ErrorCode | undefined;
  readonly warnings: readonly Warning[];
  readonly attempts: number;
  /** From the first request to the end, in milliseconds. */
  readonly ms: number;
}

/** What is seen of an item while it runs. Times are of the monotonic clock. */
interface Seen {
  attempts: number;
  startedAt: number;
  /** When the last request was sent. */
  sentAt: number;
  pausedMs: number;
  jobId: string | undefined;
  /** Whether a change was sent, and not refused. */
  isBegun: boolean;
  readonly warnings: Warning[];
}

/**
 * Carries the command out for one item. Returns undefined if nothing was carried out because the
 * run has stopped.
 */
export async function runOne(run: Run, item: Item): Promise<Outcome | undefined> {
  const { line, stops, log } = run;
  const { time } = run.context;
  const jobId = log?.known.open.get(item.key)?.jobId;
  const startedAt = time.clock.monotonic();
  const seen: Seen = {
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
  const warnings = [...seen.warnings, ...(result?.warnings ?? [])];
  const ms = Math.round(time.clock.monotonic() - seen.startedAt);
  const outcome = {
    item,
    result,
    ...judged(run, error, seen.jobId),
    warnings,
    attempts: seen.attempts,
    ms,
  };
  try {
    log?.add(entryOf(outcome, line));
  } catch {
    // The run fails, but first reports how this item ended.
  }
  return outcome;
}

function judged(
  { options: { accept }, line }: Run,
  error: CliError | undefined,
  queued: string | undefined,
) {
  if (error === undefined) return { error, isInDoubt: false };
  const { outcome, jobId: named } = error.details;
  // Whatever the error is: only a job that failed is over.
  const jobId =
    error.code === 'failed' ? undefined : (queued ?? (outcome === 'unknown' ? undefined : named));
  if (jobId !== undefined) return { error: error.with({ jobId }), isInDoubt: false, jobId };
  if (error.code === accept) return { error: undefined, isInDoubt: false, accepted: accept };
  // To run an action again whose job is not known could carry it out twice.
  const isOpen = outcome === 'unknown' || error.code === 'still_running';
  return { error, isInDoubt: isOpen && line.command.effect !== 'reads' };
}

/** Leaves out all texts of the platform and the parameters: they may hold secrets. */
function entryOf(
  { item, error, accepted, isInDoubt, jobId, attempts, ms }: Outcome,
  line: RunLine,
): LogEntry {
  // An alarm is raised about a change that was made: it is not made again because of it.
  const isDone = error === undefined || (error.code === 'alert' && line.command.effect !== 'reads');
  const end = {
    item: item.key,
    exitCode: isDone ? 0 : error.exitCode,
    code: error?.code ?? accepted ?? null,
  };
  const job = jobId === undefined ? {} : { jobId, org: item.org };
  return {
    ...end,
    ...job,
    attempts,
    ms,
    ...((isInDoubt || jobId !== undefined) && { inDoubt: true }),
  };
}

const MAX_PAUSED_MS = 10 * 60_000;
/** After a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

/**
 * A request has a slot until it has ended; a wait between requests has none. A change is in the log
 * before it is sent.
 */
function gateOf({ context, log, pace, slots, stops }: Run, { key }: Item, seen: Seen): Gate {
  const { clock } = context.time;
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
 * The context of one item: with clients that share the pace, without questions, and with nothing
 * shown on the way.
 */
function contextOf(run: Run, item: Item, seen: Seen): Context {
  const { context, stops, log, clients, atOnce } = run;
  const { settings, time } = context;
  const { key, org } = item;
  const gate = gateOf(run, item, seen);
  const setting =
    org === undefined ? undefined : ({ value: org, origin: 'flag', where: 'the list' } as const);
  const client = async (deadlinePerCall: boolean) => {
    // Only requests under way may go on.
    const made =
      clients.get(org) ?? context.api.gatedClients({ signal: stops.end, org: setting, atOnce });
    clients.set(org, made);
    return (await made)({ gate, deadlinePerCall });
  };
  const queued = (id: string) => {
    seen.jobId = id;
    log?.add({ item: key, begun: true, jobId: id, org });
  };
  const quiet: Partial<CommandIo> = {
    interactive: false,
    progress: () => ({ update() {}, stop() {} }),
    during: (_text, work) => work(),
    // The whole list was confirmed.
    requireInteractive: async () => undefined,
    confirmOrStop: async () => undefined,
    warn: async (text: Text, code: string, lines: readonly Text[] = []) => {
      seen.warnings.push({ text: asOneLine(plainOf(text), lines.map(plainOf)), code });
    },
  };
  const globals = org === undefined ? context.globals : { ...context.globals, org };
  return {
    ...context,
    api: {
      ...context.api,
      client: () => client(false),
      pollingClient: () => client(true),
    },
    globals,
    settings: { ...settings, ...(setting && { org: () => setting }) },
    time: {
      ...time,
      signal: stops.stop,
      clock: { ...time.clock, sleep: (ms, signal = stops.stop) => time.clock.sleep(ms, signal) },
    },
    line: { ...context.line, sameTarget: (...words) => sameTarget(words, globals) },
    batch: { since: context.batch?.since ?? time.clock.now(), job: { id: seen.jobId, queued } },
    // A copy would keep what the getters of the original say now.
    io: Object.create(context.io, Object.getOwnPropertyDescriptors(quiet)),
  };
}
