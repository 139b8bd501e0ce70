import { asSentence, CliError, quoted, stepOf } from '../../errors.ts';
import type { Context } from '../../kit/context.ts';
import type { Answer, Client } from '../../service/call.ts';
import { unknownWord } from '../../service/judged-errors.ts';
import { getJob } from '../../service/operations.ts';
import { isTransientError, pauseAfter } from '../../service/retry.ts';
import type { Job } from '../../spec/types.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { type JobContext, jobFailure, jobIdOf, jobIn, lookCommand, stateOf, stateWords, statusOf } from './job.ts';

/** How waiting for a job ended. */
export interface Waited {
  /** The last answer about the job. */
  readonly answer: Answer<Job>;
  /** Undefined only if the job succeeded. */
  readonly failure: CliError | undefined;
}

const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;
const PAUSE_GROWTH = 1.5;

/**
 * Polls a job after 0.3 s and then ever more slowly, at last every 5 s, until it is done, has failed or the time is up. A
 * job that cannot be looked up counts as running: it was queued.
 * @throws CliError if the service refuses the sign-in; `interrupted` with the command that shows the job.
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
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * PAUSE_GROWTH);
      try {
        answer = await getJob(client, assume, service, id);
        trouble = undefined;
      } catch (error) {
        const end = endOf(error, id, job);
        if (end.code === 'still_running') return { answer, failure: end };
        trouble = end;
      }
      const state = stateOf(answer.value, assume);
      if (state.stage === 'done' || state.stage === 'failed') {
        return { answer, failure: jobFailure(answer.value, state, job) };
      }
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

/** Returns an error after which polling continues, or `still_running` if the job cannot be looked up. Throws any other. */
function endOf(error: unknown, id: string, job: JobContext): CliError {
  if (isTransientError(error)) return error;
  if (!(error instanceof CliError)) throw error;
  const { status } = error.details;
  if (error.code === 'unexpected' || status === 404 || status === 405) return unknownPath(error, id, job);
  const { say, run } = stepOf(error.details.hint);
  const look = lookCommand(id, job);
  const message = `${job.action} is queued as job ${id}, but its progress cannot be read: ${error.message}`;
  throw new CliError(error.code, message, {
    ...error.details,
    jobId: id,
    hint: { say: say ?? 'Check the progress of the job:', run: [...run, look] },
  });
}

function unknownPath({ details }: CliError, id: string, job: JobContext): CliError {
  const { status, requestId, attempts } = details;
  return new CliError('still_running', `${job.action} is queued as job ${id}, but svc cannot look at the job.`, {
    status,
    requestId,
    attempts,
    jobId: id,
    lines: [
      `svc asked for ${job.assume('job.path')}, which the API document does not show: it is an assumption.`,
      'Do not run the action again: it would be done twice.',
    ],
    hint: 'Set the right path with SVC_ASSUME=job.path=/v1/…/{jobId}.',
  });
}

function stillRunning(last: Job, id: string, job: JobContext, trouble: CliError | undefined): CliError {
  const status = statusOf(jobIn(last));
  const { judgement } = stateOf(last, job.assume);
  const message = judgement.isUnknownWord
    ? `svc stopped waiting: ${job.action} has the status ${quoted(judgement.status ?? '')}.`
    : `${job.action} is still ${stateWords(status ?? 'running')}.`;
  return new CliError('still_running', message, {
    jobId: id,
    lines: [
      ...unknownWord(judgement, 'job.done'),
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
