import type { Context } from '../../command/context.ts';
import { CliError } from '../../errors.ts';
import type { Answer, Client } from '../../service/call.ts';
import { getJob } from '../../service/operations.ts';
import { isTransientError, pauseAfter } from '../../service/retry.ts';
import type { Job } from '../../spec/types.ts';
import { failureOf, type JobContext, jobIdOf, jobIn, lookCommand, stageOf, statusOf } from './job.ts';

/** How a wait ended: the last answer about the job, and what ends the command where that is no success. */
export interface Waited {
  readonly answer: Answer<Job>;
  readonly failure: CliError | undefined;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 10_000;
const PAUSE_GROWTH = 1.5;

/**
 * Asks for a job, every 2 s at first and every 10 s later, until it is done, has failed or the time is up.
 * @throws CliError where its state cannot be known: `not_found` for a path that the service does not have.
 */
export async function waitForJob(
  context: Context,
  client: Client,
  job: JobContext,
  queued: Answer<Job>,
  timeoutSeconds: number,
): Promise<Waited> {
  const { assume, action, service } = job;
  const id = jobIdOf(queued.value);
  if (stageOf(queued.value, assume) !== 'running') return ended(queued, job);
  if (id === undefined) return { answer: queued, failure: withoutId(action) };
  const until = context.system.clock.monotonic() + timeoutSeconds * 1000;
  const progress = context.io.progress(wordsFor(queued.value, action));
  let answer = queued;
  let trouble: CliError | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  try {
    for (;;) {
      const remainingMs = until - context.system.clock.monotonic();
      if (remainingMs <= 0) return { answer, failure: stillRunning(answer.value, id, job, trouble) };
      await context.system.clock.sleep(Math.min(pauseAfter(trouble, pauseMs), remainingMs), context.system.signal);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH);
      try {
        answer = await getJob(client, assume, service, id);
        trouble = undefined;
      } catch (error) {
        trouble = transient(error, id, job);
      }
      if (trouble === undefined && stageOf(answer.value, assume) !== 'running') return ended(answer, job);
      progress.update(trouble === undefined ? wordsFor(answer.value, action) : `${action}: ${trouble.message}`);
    }
  } catch (error) {
    throw context.system.signal.aborted ? interrupted(id, job) : error;
  } finally {
    progress.stop();
  }
}

function ended(answer: Answer<Job>, job: JobContext): Waited {
  return { answer, failure: failureOf(answer.value, job) };
}

/** Returns an error that says nothing of the job; any other one ends the wait, and says that the job goes on. */
function transient(error: unknown, id: string, job: JobContext): CliError {
  if (isTransientError(error)) return error;
  if (!(error instanceof CliError)) throw error;
  if (error.code === 'not_found') throw unknownPath(error, id, job);
  const { hint, ...details } = error.details;
  const look = lookCommand(id, job);
  throw new CliError(
    error.code,
    `${job.action} is queued as job ${id}, but how it goes cannot be read: ${error.message}`,
    {
      ...details,
      jobId: id,
      hint: hint === undefined ? look : `${hint}; then ${look}`,
    },
  );
}

function unknownPath(error: CliError, id: string, job: JobContext): CliError {
  return new CliError(
    'not_found',
    `${job.action} is queued as job ${id}, but the service has no such job to look at.`,
    {
      ...error.details,
      jobId: id,
      lines: [`svc asked for ${job.assume('job.path')}, which the API document does not show: it is an assumption.`],
      hint: 'SVC_ASSUME=job.path=/v1/…/{jobId}, with the path that the service has',
    },
  );
}

function stillRunning(last: Job, id: string, job: JobContext, trouble: CliError | undefined): CliError {
  const status = statusOf(jobIn(last));
  const silent = 'The answers have no status that svc can read.';
  const lines = trouble === undefined ? [] : [`The last question was not answered: ${trouble.message}`];
  return new CliError('still_running', `${job.action} still runs${status === undefined ? '' : ` (${status})`}.`, {
    jobId: id,
    lines: status === undefined ? [silent, ...lines] : lines,
    hint: lookCommand(id, job),
  });
}

function withoutId(action: string): CliError {
  return new CliError('still_running', `${action} is queued, but the answer names no job to wait for.`, {
    // Not the action again: it is on its way, and would be done twice.
    hint: 'the dashboard of the service, or svc api with a path that shows its jobs',
  });
}

function interrupted(id: string, job: JobContext): CliError {
  return new CliError('interrupted', `Interrupted. ${job.action} goes on as job ${id}.`, {
    jobId: id,
    hint: lookCommand(id, job),
  });
}

function wordsFor(answer: Job, action: string): string {
  const job = jobIn(answer);
  const { progress } = job;
  const share = typeof progress === 'number' && progress >= 0 && progress <= 100 ? `, ${Math.round(progress)}%` : '';
  return `${action}: ${statusOf(job) ?? 'queued'}${share}`;
}
