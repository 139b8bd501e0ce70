import type { Clock } from '../clock.ts';
import { asOneLine, CliError, type ErrorCode } from '../errors.ts';
import type { Context, LoggedJob } from '../kit/context.ts';
import { asCliError } from '../kit/report.ts';
import type { Result, Warning } from '../kit/result.ts';
import type { Gate } from '../service/client.ts';
import { formatDuration } from '../terminal/dates.ts';
import { plainOf, type Text } from '../terminal/screen.ts';
import type { Item, RunLine } from './items.ts';
import type { RunLog } from './log.ts';
import type { Pace, Slots } from './pace.ts';
import type { LogEntry } from './read-log.ts';
import type { Stops } from './stops.ts';

/** What the items of a run have in common. */
export interface Run {
  readonly line: RunLine;
  readonly contextFor: ReturnType<typeof contextsOf>;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly slots: Slots;
  readonly stops: Stops;
  readonly log: RunLog | undefined;
  /** The error that counts as done. */
  readonly accept: ErrorCode | undefined;
}

/** How an item ended. */
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
  /** Requests sent. */
  readonly attempts: number;
  /** From the first request to the end, in milliseconds. */
  readonly ms: number;
}

/** Carries the command out for one item. Returns undefined if nothing was carried out because the run has stopped. */
export async function runOne(run: Run, item: Item): Promise<Outcome | undefined> {
  const { line, contextFor, clock, stops, log } = run;
  const watched = watch(run, item);
  const { seen } = watched;
  const warnings: Warning[] = [];
  let result: Result<unknown> | undefined;
  let error: CliError | undefined;
  try {
    const ended = await line.command.run(contextFor(item, watched, warnings), item.values, line.tree);
    if (!('isPrinted' in ended)) result = ended;
    error = ended.failure;
    warnings.push(...(result?.warnings ?? []));
  } catch (thrown) {
    error = asCliError(thrown);
  }
  if (error !== undefined && error === stops.stop.reason) {
    if (!seen.isBegun) return undefined;
    error = error.with({ outcome: 'unknown' });
  }
  const ms = Math.round(clock.monotonic() - seen.startedAt);
  const outcome: Outcome = { item, result, ...endOf(run, error, seen.jobId), warnings, attempts: seen.attempts, ms };
  try {
    log?.add(entryOf(outcome));
  } catch {
    // The run fails, but first reports how this item ended.
  }
  return outcome;
}

/** Sorts an error: one that counts as done, one with a job that goes on, one in doubt, or any other. */
function endOf({ accept, line }: Run, error: CliError | undefined, queued: string | undefined) {
  if (error === undefined) return { error, isInDoubt: false };
  const { outcome, jobId: named } = error.details;
  // Whatever the error is: only a job that failed is over.
  const jobId = error.code === 'failed' ? undefined : (queued ?? (outcome === 'unknown' ? undefined : named));
  if (jobId !== undefined) return { error: error.with({ jobId }), isInDoubt: false, jobId };
  // To run an action again whose job is not known could carry it out twice.
  const isInDoubt = line.command.effect !== 'reads' && (outcome === 'unknown' || error.code === 'still_running');
  if (error.code === accept && !isInDoubt) return { error: undefined, isInDoubt, accepted: accept };
  return { error, isInDoubt };
}

/** Leaves out all texts of the platform and the parameters: they may hold secrets. */
function entryOf({ item, error, accepted, isInDoubt, jobId, attempts, ms }: Outcome): LogEntry {
  const { exitCode = 0, code = accepted ?? null } = error ?? {};
  const job = jobId === undefined ? {} : { jobId, org: item.org };
  const isOpen = isInDoubt || jobId !== undefined;
  return { item: item.key, exitCode, code, ...job, attempts, ms, ...(isOpen && { inDoubt: true }) };
}

/** What is seen of an item while its command runs. */
interface Seen {
  /** Requests sent. */
  attempts: number;
  /** When the first was sent. */
  startedAt: number;
  jobId: string | undefined;
  /** Whether a change was sent, and not refused. */
  isBegun: boolean;
}

/** How the command of an item sends its requests, and what is seen of them. */
interface Watched {
  readonly gate: Gate;
  readonly job: LoggedJob;
  readonly seen: Readonly<Seen>;
}

/** A request has a slot until it has ended; a wait between requests has none. A change is in the log before it is sent. */
function watch(run: Run, { key, org }: Item): Watched {
  const { clock, log, slots } = run;
  const jobId = log?.known.open.get(key)?.jobId;
  const seen: Seen = { attempts: 0, startedAt: clock.monotonic(), jobId, isBegun: false };
  let sentAt = 0;
  const pause = createPauses(run);
  const gate: Gate = {
    async enter(changes) {
      await slots.take();
      try {
        await turn(run);
        if (changes) await log?.begun(key);
      } catch (error) {
        slots.leave();
        throw error;
      }
      if (changes) seen.isBegun = true;
      sentAt = clock.monotonic();
      if (seen.attempts === 0) seen.startedAt = sentAt;
      seen.attempts += 1;
      return slots.leave;
    },
    failed({ kind, retryAfterMs }, changes) {
      const isRefusal = kind === 429;
      if (!isRefusal && (kind !== 503 || retryAfterMs === undefined)) return undefined;
      if (changes) {
        seen.isBegun = false;
        log?.add({ item: key, begun: false });
      }
      if (!pause(sentAt, retryAfterMs || USUAL_PAUSE_MS) || retryAfterMs === undefined) return undefined;
      return isRefusal ? 'free' : 'counted';
    },
  };
  const queued = (id: string) => {
    seen.jobId = id;
    log?.add({ item: key, begun: true, jobId: id, org });
  };
  return { gate, job: { id: jobId, queued }, seen };
}

/** Resolves when the pace allows a request. */
async function turn({ clock, pace, stops: { stop } }: Run): Promise<void> {
  for (;;) {
    stop.throwIfAborted();
    const waitMs = pace.take(clock.monotonic());
    if (waitMs === 0) return;
    await clock.sleep(waitMs, stop);
  }
}

/** How long an item waits for a platform that refuses it, in milliseconds. */
const MAX_PAUSED_MS = 10 * 60_000;
/** After a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

/** Returns a function that makes all items pause after a refusal, unless this one has waited for too long. */
function createPauses({ clock, pace, stops }: Run): (sentAt: number, waitMs: number) => boolean {
  let pausedMs = 0;
  return (sentAt, waitMs) => {
    if (waitMs > MAX_PAUSED_MS) stops.halt(tooLong(waitMs));
    if (pausedMs + waitMs > MAX_PAUSED_MS) return false;
    pausedMs += waitMs;
    pace.refused(clock.monotonic(), sentAt, waitMs);
    return true;
  };
}

function tooLong(waitMs: number): CliError {
  return new CliError('rate_limited', `The platform asks to wait ${formatDuration(waitMs)}, so nothing more was sent.`);
}

/** An object that is like another one but for these properties. A copy would keep what the getters of the other say now. */
function withOwn<T extends object>(original: T, own: Partial<T>): T {
  return Object.create(original, Object.getOwnPropertyDescriptors(own)) as T;
}

/** Makes the contexts of single commands: with clients that share the pace, without questions, and with nothing shown on the way. */
export function contextsOf(context: Context, { stop, end }: Pick<Stops, 'stop' | 'end'>, atOnce: number) {
  const { io, settings, clock } = context;
  const clients = new Map<string | undefined, ReturnType<Context['gatedClients']>>();
  // Only requests under way may go on.
  const sleep: Clock['sleep'] = (ms, signal = stop) => clock.sleep(ms, signal);
  return ({ org }: Item, { gate, job }: Watched, warnings: Warning[]): Context => {
    const setting = org === undefined ? undefined : ({ value: org, origin: 'flag', where: 'the list' } as const);
    const client = async (deadlinePerCall: boolean) => {
      const made = clients.get(org) ?? context.gatedClients({ signal: end, org: setting, atOnce });
      clients.set(org, made);
      return (await made)({ gate, deadlinePerCall });
    };
    const own = setting && { org: () => setting, globals: { ...settings.globals, org } };
    return {
      ...context,
      job,
      signal: stop,
      clock: { ...clock, sleep },
      settings: { ...settings, ...own },
      client: () => client(false),
      pollingClient: () => client(true),
      io: withOwn(io, {
        interactive: false,
        progress: () => ({ update() {}, stop() {} }),
        during: <T>(_text: string, work: () => Promise<T>) => work(),
        // The whole list was confirmed.
        requireInteractive: async () => undefined,
        confirmOrStop: async () => undefined,
        warn: async (text: Text, code: string, lines: readonly Text[] = []) => {
          warnings.push({ text: asOneLine(plainOf(text), lines.map(plainOf)), code });
        },
      }),
    };
  };
}
