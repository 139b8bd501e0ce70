import { type Gate, getUser } from '../api/call.ts';
import type { FailedAttempt } from '../api/retry.ts';
import type { CommandIo, Context, Needs } from '../cli/define/context.ts';
import type { Result, Warning } from '../cli/define/define.ts';
import { asCliError } from '../cli/define/report.ts';
import { createRunClock } from '../clock.ts';
import { asOneLine, CliError } from '../errors.ts';
import { formatDuration } from '../terminal/format.ts';
import { type Text, toPlainText } from '../terminal/screen.ts';
import { INLINE_RECORDS, type Item, type Outcome } from './item.ts';
import { type Run, toOrgSetting } from './run-parts.ts';

/**
 * Carries the command out for one item. Returns undefined if nothing was carried out because the
 * run has stopped.
 */
export async function runItem(run: Run, item: Item): Promise<Outcome | undefined> {
  const { command, tree } = run.line;
  const gate = new ItemGate(run, item.key);
  let result: Result<unknown> | undefined;
  let error: CliError | undefined;
  try {
    const ended = await command.run(createItemContext(run, item, gate), item.values, tree);
    if (!('isPrinted' in ended)) result = ended;
    error = ended.failure;
  } catch (thrown) {
    error = asCliError(thrown);
  }
  if (error !== undefined && error === run.stops.stopSignal.reason) {
    if (!gate.isBegun) return undefined;
    error = error.with({ outcome: 'unknown' });
  }

  const outcome: Outcome = {
    item,
    how: result?.isUnfinished === true ? 'queued' : 'done',
    result,
    ...(error && classifyError(run, error, gate.jobId)),
    warnings: [...gate.warnings, ...(result?.warnings ?? [])],
    attempts: gate.attempts,
    ms: gate.elapsedMs,
  };
  try {
    addToLog(run, item, outcome);
  } catch {
    // The run fails, but first reports how this item ended.
  }
  return outcome;
}

/**
 * Decides how an item failed. One whose job is known goes on; another one may have been carried
 * out.
 */
function classifyError({ line }: Run, error: CliError, queuedJobId: string | undefined) {
  const { code, details } = error;
  const isUnknown = details.outcome === 'unknown';
  // Whatever the error is: only a job that failed is over.
  const answeredJobId = isUnknown ? undefined : details.jobId;
  const jobId = code === 'failed' ? undefined : (queuedJobId ?? answeredJobId);

  // To run an action again whose job is not known could carry it out twice.
  const isOpen = isUnknown || code === 'still_running';
  const isInDoubt = isOpen && jobId === undefined && line.command.effect !== 'reads';
  const isStopped = code === 'interrupted' && jobId !== undefined;
  const isRunning = (code === 'still_running' && !isInDoubt) || isStopped;
  const failure = code === 'alert' ? 'alerts' : 'failed';
  const how: Outcome['how'] = isRunning ? 'running' : failure;
  return { how, isInDoubt, error: jobId === undefined ? error : error.with({ jobId }), jobId };
}

/** Leaves out all texts of the platform and the parameters, which may hold secrets. */
function addToLog(
  { log }: Run,
  { key }: Item,
  { how, error, isInDoubt, jobId, attempts, ms }: Outcome,
): void {
  // The log has the job already, and no end of it.
  if (how === 'queued') return;

  // A change is not made again because of an alarm about it.
  const exitCode = how === 'alerts' ? 0 : (error?.exitCode ?? 0);
  const isOpen = isInDoubt || jobId !== undefined;
  const code = error?.code ?? null;
  log?.add({ item: key, exitCode, code, attempts, ms, inDoubt: isOpen || undefined, jobId });
}

/**
 * Makes the context of one item: its organization, clients that share the pace, no questions, and
 * nothing shown on the way.
 */
function createItemContext(run: Run, item: Item, gate: ItemGate): Context {
  const { context, stops, log, clock } = run;
  const { api, globals, settings, time, batch } = context;
  const { key, org } = item;
  const createClient = (deadlinePerCall: boolean) =>
    run.createClient(org, { gate, deadlinePerCall });

  return {
    ...context,
    api: { ...api, client: () => createClient(false), pollingClient: () => createClient(true) },
    io: createQuietIo(context, item, gate.warnings),
    globals: { ...globals, org: org ?? globals.org },
    settings: { ...settings, org: () => toOrgSetting(org) ?? settings.org() },
    time: {
      ...time,
      clock: createRunClock(clock, stops.stopSignal),
      signal: stops.stopSignal,
    },
    batch: batch && {
      since: batch.since,
      jobId: gate.jobId,
      queued(jobId) {
        gate.jobId = jobId;
        log?.add({ item: key, begun: true, jobId, org });
      },
    },
  };
}

/**
 * Asks nobody, since the whole list was confirmed, and keeps warnings for the line of the item.
 */
function createQuietIo({ io }: Needs<'io'>, { records }: Item, warnings: Warning[]): CommandIo {
  const own: Partial<CommandIo> = {
    interactive: false,
    progress: () => ({ update() {}, stop() {} }),
    during: (_text, work) => work(),
    requireInteractive: async () => undefined,
    confirmOrStop: async () => undefined,
    warn: async (text: Text, code: string, lines: readonly Text[] = []) => {
      warnings.push({ text: asOneLine(toPlainText(text), lines.map(toPlainText)), code });
    },
    readText: async (source, name, maxBytes) => {
      const isInline = records !== undefined && source === INLINE_RECORDS;
      return isInline ? records : io.readText(source, name, maxBytes);
    },
  };
  // A copy would keep what the getters of the original say now.
  return Object.create(io, Object.getOwnPropertyDescriptors(own));
}

/**
 * Makes the check of a 401, which a platform may answer for one item alone: whether it refuses or
 * accepts the token elsewhere. Operation 11 is asked once with the same token and organization; if
 * it could not be asked, the next 401 asks again.
 */
export function createSignInCheck(run: Run) {
  const states = new Map<string | undefined, ReturnType<typeof askPlatform>>();

  return async ({ item: { org }, error }: Outcome) => {
    if (error?.details.status !== 401) return undefined;

    const ask = states.get(org) ?? askPlatform(run, org);
    states.set(org, ask);
    const state = await ask;
    if (state === undefined) states.delete(org);
    return state;
  };
}

async function askPlatform(run: Run, org: string | undefined) {
  try {
    await getUser(await run.createClient(org, { gate: new ItemGate(run) }));
    return 'accepted';
  } catch (error) {
    const isRefused = error instanceof CliError && error.details.status === 401;
    return isRefused ? 'refused' : undefined;
  }
}

/** Rewrites the error of an item whose token the platform accepts elsewhere. */
export function explainAcceptedToken({ item, error }: Outcome): CliError | undefined {
  if (error?.code !== 'unauthenticated') return error;
  const message = `The platform accepts the token, but answered 401 for ${item.id}.`;
  const { hint: _, ...details } = error.details;
  return new CliError(error.code, message, details);
}

/** All pauses of an item together last at most so long. */
const MAX_PAUSED_MS = 10 * 60_000;
/** The pause after a refusal that names no time. */
const USUAL_PAUSE_MS = 1_000;

/**
 * The gate of an item's requests, and what came of them. A request has a slot until it has ended; a
 * wait between requests has none. A change is in the log before it is sent. Times are of the
 * monotonic clock, in milliseconds.
 */
class ItemGate implements Gate {
  readonly warnings: Warning[] = [];
  attempts = 0;
  /** The job that was queued, now or by an earlier run. */
  jobId: string | undefined;
  /** Whether a change was sent, and not refused. */
  isBegun = false;
  readonly #run: Run;
  readonly #key: string;
  #startedAtMs: number;
  /** When the last request was sent. */
  #sentAtMs = 0;
  #pausedMs = 0;

  /** @param key that of the log; empty for a request that is about no item, and changes nothing */
  constructor(run: Run, key = '') {
    this.#run = run;
    this.#key = key;
    this.#startedAtMs = run.clock.monotonic();
    this.jobId = run.log?.state.jobs.get(key)?.jobId;
  }

  async enter(isChange: boolean): Promise<() => void> {
    const { clock, log, slots } = this.#run;
    await slots.take();
    try {
      await this.#waitForTurn();
      if (isChange) await log?.addBegun(this.#key);
    } catch (error) {
      slots.leave();
      throw error;
    }

    if (isChange) this.isBegun = true;
    this.#sentAtMs = clock.monotonic();
    if (this.attempts === 0) this.#startedAtMs = this.#sentAtMs;
    this.attempts += 1;
    return slots.leave;
  }

  /** Waits until the pace lets the next request go. Throws the reason of a stop. */
  async #waitForTurn(): Promise<void> {
    const { clock, pace, stops } = this.#run;
    for (;;) {
      stops.stopSignal.throwIfAborted();
      const waitMs = pace.take(clock.monotonic());
      if (waitMs === 0) return;
      await clock.sleep(waitMs, stops.stopSignal);
    }
  }

  /** Makes all items pause after a refusal, unless this one has waited for too long. */
  failed({ kind, retryAfterMs }: FailedAttempt, isChange: boolean): 'free' | 'counted' | undefined {
    // A 503 that names no time is a fault of one request.
    const isAboutAll = kind === 429 || (kind === 503 && retryAfterMs !== undefined);
    if (!isAboutAll) return undefined;
    const { clock, log, pace, stops } = this.#run;
    if (isChange) {
      this.isBegun = false;
      log?.add({ item: this.#key, begun: false });
    }

    const waitMs = retryAfterMs || USUAL_PAUSE_MS;
    if (waitMs > MAX_PAUSED_MS) stops.halt(tooLongWaitError(waitMs));
    if (this.#pausedMs + waitMs > MAX_PAUSED_MS) return undefined;
    this.#pausedMs += waitMs;

    pace.refused(clock.monotonic(), this.#sentAtMs, waitMs);
    if (retryAfterMs === undefined) return undefined;
    return kind === 429 ? 'free' : 'counted';
  }

  get elapsedMs(): number {
    return Math.round(this.#run.clock.monotonic() - this.#startedAtMs);
  }
}

function tooLongWaitError(waitMs: number): CliError {
  const message = `The platform asks to wait ${formatDuration(waitMs)}, so nothing more was sent.`;
  return new CliError('rate_limited', message, { retryAfterSeconds: waitMs / 1000 });
}
