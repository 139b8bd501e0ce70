import { type CliError, type ErrorCode, toErrorObject } from '../errors.ts';
import type { Context, LoggedJob } from '../kit/context.ts';
import type { Command, Entry } from '../kit/define.ts';
import { asCliError } from '../kit/report.ts';
import type { Result, Warning } from '../kit/result.ts';
import { hideIn } from '../service/redact.ts';
import type { LineOf } from '../spec/fields/documents.ts';
import { plainOf } from '../terminal/screen.ts';
import type { contextsOf } from './contexts.ts';
import { gateOf, type Traffic } from './gate.ts';
import type { Item, valuesReader } from './list.ts';
import type { RunLog } from './log.ts';

/** What the items of a run have in common. */
export interface Run extends Traffic {
  readonly command: Command;
  readonly tree: readonly Entry[];
  readonly valuesFor: ReturnType<typeof valuesReader>;
  readonly contextFor: ReturnType<typeof contextsOf>;
  readonly log: RunLog | undefined;
  /** The error that counts as done. */
  readonly accept: ErrorCode | undefined;
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
  /** The job that has not ended, as far as is known. */
  readonly jobId?: string | undefined;
  /** The code of an error that counts as done (`--accept`). */
  readonly accepted?: ErrorCode | undefined;
  readonly warnings?: readonly Warning[];
  /** Requests sent. */
  readonly attempts: number;
  /** From the first request to the end, in milliseconds. */
  readonly ms: number;
}

/** Carries the command out for one item. Returns undefined if nothing was carried out because the run has stopped. */
export async function runItem(run: Run, item: Item): Promise<Outcome | undefined> {
  const { command, tree, valuesFor, contextFor, clock } = run;
  const tracked = track(run, item);
  const warnings: Warning[] = [];
  let result: Result<unknown> | undefined;
  let error: CliError | undefined;
  try {
    const context = contextFor(item, { ...tracked, warn: (warning) => warnings.push(warning) });
    const ended = await command.run(context, valuesFor(item), tree);
    if (!('isPrinted' in ended)) result = ended;
    error = ended.failure;
    warnings.push(...(result?.warnings ?? []));
  } catch (thrown) {
    error = asCliError(thrown);
  }
  // Stopped before the first request, or after one that was refused.
  if (error !== undefined && run.stop.aborted && error === run.stop.reason) return undefined;
  const { attempts, startedAt, jobId } = tracked.seen();
  const ms = Math.round(clock.monotonic() - startedAt);
  const outcome: Outcome = { item, result, ...endOf(run, error, jobId), warnings, attempts, ms };
  try {
    record(run, (log) => log.ended(logEntryOf(outcome)));
  } catch {
    // The run fails, but first reports how this item ended.
  }
  return outcome;
}

/** Writes to the log what is sent for an item, and keeps what its outcome needs. */
function track(run: Run, item: Item) {
  const { clock, log } = run;
  let attempts = 0;
  let startedAt = clock.monotonic();
  let jobId = log?.known.open.get(item.key)?.jobId;
  const gate = gateOf(run, {
    async sent(changes) {
      if (attempts === 0) startedAt = clock.monotonic();
      if (changes) await begin(run, item);
      attempts += 1;
    },
    refused(changes) {
      if (changes) record(run, (log) => log.refused(item.key));
    },
  });
  const job: LoggedJob = {
    id: jobId,
    queued(id) {
      jobId = id;
      record(run, (log) => log.queued(item.key, { jobId: id, org: item.org }));
    },
  };
  return { gate, job, seen: () => ({ attempts, startedAt, jobId }) };
}

/** Sorts an error: one that counts as done, one with a job that goes on, one in doubt, or any other. */
function endOf({ accept, command }: Run, error: CliError | undefined, queued: string | undefined) {
  if (error === undefined) return { error, isInDoubt: false };
  const { outcome, jobId: named } = error.details;
  // Whatever the error is: only a job that failed is over.
  const jobId = error.code === 'failed' ? undefined : (queued ?? (outcome === 'unknown' ? undefined : named));
  if (jobId !== undefined) return { error: error.with({ jobId }), isInDoubt: false, jobId };
  // To run an action again whose job is not known could carry it out twice.
  const isInDoubt = command.effect !== 'reads' && (outcome === 'unknown' || error.code === 'still_running');
  if (error.code === accept && !isInDoubt) return { error: undefined, isInDoubt, accepted: accept };
  return { error, isInDoubt };
}

/** Writes that a change is about to be sent. If that fails, so does the run: what is not in the log must not be sent. */
async function begin({ log, fail }: Run, { key }: Item): Promise<void> {
  try {
    await log?.begun(key);
  } catch (error) {
    fail(asCliError(error));
    throw error;
  }
}

/** Writes what became of a change. If that fails, so does the run. */
function record({ log, fail }: Run, write: (log: RunLog) => void): void {
  if (log === undefined) return;
  try {
    write(log);
  } catch (error) {
    fail(asCliError(error));
    throw error;
  }
}

/** Leaves out all texts of the platform and the parameters: they may hold secrets. */
function logEntryOf({ item: { key, org }, error, accepted, isInDoubt, jobId, attempts, ms }: Outcome) {
  const { exitCode = 0, code = accepted ?? null } = error ?? {};
  const isOpen = isInDoubt || jobId !== undefined;
  const job = jobId === undefined ? {} : { jobId, org };
  return { item: key, exitCode, code, ...job, attempts, ms, ...(isOpen && { inDoubt: true as const }) };
}

/** The fields of an outcome beside the answer, for scripts. */
export function lineOf({ item, error, accepted, warnings = [], attempts, ms }: Outcome, { io: { redactor } }: Context) {
  const warned = warnings.map(
    ({ text, code }): LineOf<'warning'> => ({ warning: redactor.redact(plainOf(text)), code }),
  );
  return {
    index: item.index,
    item: item.given,
    exitCode: error?.exitCode ?? 0,
    code: error?.code ?? null,
    ...(error !== undefined && { error: hideIn(toErrorObject(error), redactor.redact) as object }),
    ...(accepted !== undefined && { accepted }),
    ...(warned.length > 0 && { warnings: warned }),
    attempts,
    ms,
  } satisfies LineOf<'several'>;
}
