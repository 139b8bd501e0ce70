import type { Context } from '../../command/context.ts';
import { asSentence, CliError, stepOf } from '../../errors.ts';
import type { Answer, Client } from '../../service/call.ts';
import { getJob } from '../../service/operations.ts';
import { isTransientError, pauseAfter } from '../../service/retry.ts';
import type { Job } from '../../spec/types.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { failureOf, type JobContext, jobIdOf, jobIn, lookCommand, stageOf, stateWords, statusOf } from './job.ts';

export interface Waited {
  /** The last answer about the job. */
  readonly answer: Answer<Job>;
  /** Undefined only if the job succeeded. */
  readonly failure: CliError | undefined;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 10_000;
const PAUSE_GROWTH = 1.5;

/**
 * Polls a job every 2 s at first and every 10 s later, until it is done, has failed or the time is up.
 * @throws CliError if its state cannot be read; `not_found` if the service has no such path.
 */
export async function waitForJob(
  context: Context,
  client: Client,
  job: JobContext,
  queued: Answer<Job>,
  timeoutSeconds: number,
): Promise<Waited> {
  const { assume, action, service } = job;
  const { clock, signal } = context.system;
  const id = jobIdOf(queued.value);
  if (stageOf(queued.value, assume) !== 'running') return ended(queued, job);
  if (id === undefined) return { answer: queued, failure: withoutId(action) };
  const startedAt = clock.monotonic();
  let answer = queued;
  let trouble: CliError | undefined;
  const progress = context.io.progress(() =>
    progressText(answer.value, action, clock.monotonic() - startedAt, trouble),
  );
  let pauseMs = FIRST_PAUSE_MS;
  try {
    for (;;) {
      const remainingMs = startedAt + timeoutSeconds * 1000 - clock.monotonic();
      if (remainingMs <= 0) return { answer, failure: stillRunning(answer.value, id, job, trouble) };
      await clock.sleep(Math.min(pauseAfter(trouble, pauseMs), remainingMs), signal);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH);
      try {
        answer = await getJob(client, assume, service, id);
        trouble = undefined;
      } catch (error) {
        trouble = transient(error, id, job);
      }
      if (trouble === undefined && stageOf(answer.value, assume) !== 'running') return ended(answer, job);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError('interrupted', `Stopped waiting. ${action} continues as job ${id}.`, {
      jobId: id,
      hint: lookCommand(id, job),
    });
  } finally {
    progress.stop();
  }
}

function ended(answer: Answer<Job>, job: JobContext): Waited {
  return { answer, failure: failureOf(answer.value, job) };
}

/** Returns an error after which polling continues. Throws any other, with the id of the job, which still runs. */
function transient(error: unknown, id: string, job: JobContext): CliError {
  if (isTransientError(error)) return error;
  if (!(error instanceof CliError)) throw error;
  if (error.code === 'not_found') throw unknownPath(error, id, job);
  const { say, run } = stepOf(error.details.hint);
  const look = lookCommand(id, job);
  const message = `${job.action} is queued as job ${id}, but its progress cannot be read: ${error.message}`;
  throw new CliError(error.code, message, {
    ...error.details,
    jobId: id,
    hint: { say: say ?? 'Check the progress of the job:', run: [...run, look] },
  });
}

function unknownPath(error: CliError, id: string, job: JobContext): CliError {
  const message = `${job.action} is queued as job ${id}, but the service has no such job to look at.`;
  return new CliError('not_found', message, {
    ...error.details,
    jobId: id,
    lines: [`svc asked for ${job.assume('job.path')}, which the API document does not show: it is an assumption.`],
    hint: 'Set the right path with SVC_ASSUME=job.path=/v1/…/{jobId}.',
  });
}

function stillRunning(last: Job, id: string, job: JobContext, trouble: CliError | undefined): CliError {
  const status = statusOf(jobIn(last));
  return new CliError('still_running', `${job.action} is still ${stateWords(status ?? 'running')}.`, {
    jobId: id,
    lines: [
      ...(status === undefined ? ['The answers have no status that svc can read.'] : []),
      ...(trouble === undefined ? [] : [`The last check failed: ${trouble.message}`]),
    ],
    hint: lookCommand(id, job),
  });
}

function withoutId(action: string): CliError {
  return new CliError('still_running', `${action} is queued, but the answer names no job to wait for.`, {
    // Running the action again would do it twice.
    hint: 'Check it in the dashboard, or with svc api and a path that lists jobs.',
  });
}

function progressText(answer: Job, action: string, elapsedMs: number, trouble: CliError | undefined): string {
  const job = jobIn(answer);
  const { progress } = job;
  const share = typeof progress === 'number' && progress >= 0 && progress <= 100 ? ` ${Math.round(progress)}%` : '';
  const text = `${action}  ${statusOf(job) ?? 'queued'}${share}${elapsedMs < 1000 ? '' : `  ${formatDuration(elapsedMs)}`}`;
  return trouble === undefined ? text : `${text}  ${asSentence(trouble.message)} Retrying.`;
}
