import { asSentence, CliError, quoted, stepOf } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { addJobEnd } from '../../kit/changes.ts';
import type { Context } from '../../kit/context.ts';
import type { Answer, Client } from '../../service/call.ts';
import { aboutAnother, otherThing } from '../../service/identity.ts';
import { unknownWord } from '../../service/judged-errors.ts';
import { getJob } from '../../service/operations.ts';
import { isTransientError } from '../../service/retry.ts';
import type { ChangeEntry } from '../../spec/fields/documents.ts';
import type { Job } from '../../spec/types.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { pausesOf } from '../shared/pauses.ts';
import { actionOf, type JobContext, jobCommand, jobFailure, jobIn, stateOf, stateWords, statusOf } from './job.ts';

/** How waiting for a job ended. */
export interface Waited {
  /** The last answer about the job. */
  readonly answer: Answer<Job>;
  /** Undefined only if the job succeeded. */
  readonly failure: CliError | undefined;
}

/** A job to wait for. */
interface Awaited extends JobContext {
  readonly id: string;
  /** The answer of the request that queued it; undefined for a job of an earlier command, which is looked up at once. */
  readonly queued?: Answer<Job> | undefined;
}

/**
 * Polls a job after 0.3 s and then ever more slowly, at last every 5 s, until it is done, has failed or the time is up. A
 * job that cannot be looked up counts as running: it was queued.
 * @param timeoutSeconds 0 looks once
 * @throws CliError if the platform refuses the sign-in; `interrupted` with the command that waits for the job, or
 * `still_running` if a run for several has stopped.
 */
export async function waitForJob(
  context: Context,
  client: Client,
  job: Awaited,
  timeoutSeconds: number,
): Promise<Waited> {
  const { queued } = job;
  const { clock, signal } = context;
  const startedAt = clock.monotonic();
  let answer = queued;
  let trouble: CliError | undefined;
  const progress = context.io.progress(() => progressText(answer?.value, job, clock.monotonic() - startedAt, trouble));
  const pause = pausesOf(context, queued !== undefined);
  try {
    for (;;) {
      const remainingMs = startedAt + timeoutSeconds * 1000 - clock.monotonic();
      if (remainingMs <= 0 && (answer ?? trouble) !== undefined) return timeUp(answer, job, trouble);
      await pause(trouble, remainingMs);
      const look = await lookAt(client, job, answer);
      trouble = look.trouble;
      // What was queued says more than an answer about another job.
      if (trouble === undefined || queued === undefined) answer = look.seen ?? answer;
      const end = endAfter(look, answer, job, timeoutSeconds);
      if (end === undefined) continue;
      if (look.trouble === undefined) addJobEnd(context, job.id, resultOf(end));
      return end;
    }
  } catch (error) {
    throw signal.aborted ? stoppedWaiting(job, answer, signal.reason) : error;
  } finally {
    progress.stop();
  }
}

interface Look {
  readonly seen?: Answer<Job>;
  readonly trouble?: CliError | undefined;
}

/** Looks once. An answer about another job is trouble. */
async function lookAt(client: Client, job: Awaited, answer: Answer<Job> | undefined): Promise<Look> {
  try {
    const seen = await getJob(client, job.assume, job.service, job.id);
    return { seen, trouble: otherJob(seen, job) };
  } catch (error) {
    return { trouble: endOf(error, job, answer) };
  }
}

/** Returns the error of an answer about another job than the one that was asked for. */
function otherJob({ value }: Answer<Job>, { id }: Awaited): CliError | undefined {
  const other = otherThing(asObject(jobIn(value)), id);
  return other === undefined ? undefined : aboutAnother(id, other).with({ jobId: id });
}

/** Returns how the waiting ends after a look; undefined if it goes on. */
function endAfter(
  { seen, trouble }: Look,
  answer: Answer<Job> | undefined,
  job: Awaited,
  timeoutSeconds: number,
): Waited | undefined {
  if (answer === undefined) return undefined;
  if (trouble !== undefined) {
    const isLast = trouble.code === 'still_running' || (timeoutSeconds === 0 && seen !== undefined);
    return isLast ? { answer, failure: trouble } : undefined;
  }
  const state = stateOf(answer.value, job.assume);
  const isOver = state.stage === 'done' || state.stage === 'failed';
  return isOver ? { answer, failure: jobFailure(answer.value, state, job, true) } : undefined;
}

function resultOf({ failure }: Waited): ChangeEntry['result'] {
  if (failure === undefined) return 'done';
  return failure.code === 'failed' ? 'failed' : 'unknown';
}

/** The error of a wait that was ended before the job. */
function stoppedWaiting(job: Awaited, answer: Answer<Job> | undefined, reason: unknown): CliError {
  const { code, details } = reason instanceof CliError ? reason : new CliError('interrupted', '');
  const message = `${actionOf(answer?.value, job)} is still running as job ${job.id}.`;
  return code === 'interrupted'
    ? new CliError(code, `Stopped waiting. ${message}`, {
        jobId: job.id,
        exitCode: details.exitCode,
        hint: jobCommand(job.id, job, '--wait'),
      })
    : new CliError('still_running', message, { jobId: job.id, hint: jobCommand(job.id, job, '--wait') });
}

/**
 * Returns an error after which polling continues, or `still_running` if the job cannot be looked up: what was queued stays
 * queued, whatever its path answers. Throws any other.
 */
function endOf(error: unknown, job: Awaited, answer: Answer<Job> | undefined): CliError {
  if (isTransientError(error)) return error.with({ jobId: job.id });
  if (!(error instanceof CliError) || error.code === 'interrupted') throw error;
  const { id, service, assume } = job;
  const { status } = error.details;
  if (job.action === undefined) {
    if (status !== 404) throw error;
    const asked = `svc asked for the job ${id} of ${service} at ${assume('job.path')}, which is an assumption.`;
    throw error.withLines(asked).with({ jobId: id, hint: 'Check the id and --service, then svc help assumptions.' });
  }
  const isUnreadable = error.code === 'unexpected' || status === 404 || status === 405;
  const failure = isUnreadable ? unknownPath(error, job) : unreadable(error, job);
  if (answer === undefined) throw failure;
  return failure;
}

const ONCE = 'Do not run the action again: it would be done twice.';

/** The error of a job that svc may not look at (any longer), such as after a 401. */
function unreadable({ message, details }: CliError, job: Awaited): CliError {
  const { status, requestId, attempts, hint } = details;
  const { say, run } = stepOf(hint);
  return new CliError(
    'still_running',
    `${job.action} is queued as job ${job.id}, but svc cannot look at the job: ${message}`,
    {
      status,
      requestId,
      attempts,
      jobId: job.id,
      lines: [ONCE],
      hint: { say: say ?? 'Then look at the job:', run: [...run, jobCommand(job.id, job, '--wait')] },
    },
  );
}

function unknownPath({ details }: CliError, { id, action, assume }: Awaited): CliError {
  const { status, requestId, attempts } = details;
  return new CliError('still_running', `${action} is queued as job ${id}, but svc cannot look at the job.`, {
    status,
    requestId,
    attempts,
    jobId: id,
    lines: [`svc asked for ${assume('job.path')}, which the API document does not show: it is an assumption.`, ONCE],
    hint: 'Set the right path with SVC_ASSUME=job.path=/v1/…/{jobId}.',
  });
}

function timeUp(answer: Answer<Job> | undefined, job: Awaited, trouble: CliError | undefined): Waited {
  // Nothing was seen of the job.
  if (answer === undefined) throw trouble ?? stoppedWaiting(job, answer, undefined);
  const { judgement } = stateOf(answer.value, job.assume);
  const action = actionOf(answer.value, job);
  const status = statusOf(jobIn(answer.value));
  const message =
    judgement.verdict === 'unknown'
      ? `svc stopped waiting: ${action} has the status ${quoted(judgement.status ?? '')}.`
      : `${action} is still ${stateWords(status ?? 'running')}.`;
  const failure = new CliError('still_running', message, {
    jobId: job.id,
    lines: [
      ...unknownWord(judgement),
      ...(status === undefined ? ['The answers have no status that svc can read.'] : []),
      ...(trouble === undefined ? [] : [`The last check failed: ${trouble.message}`]),
    ],
    hint: jobCommand(job.id, job, '--wait'),
  });
  return { answer, failure };
}

function progressText(
  answer: Job | undefined,
  context: JobContext,
  elapsedMs: number,
  trouble: CliError | undefined,
): string {
  const job: Job = answer === undefined ? {} : jobIn(answer);
  const { progress } = job;
  const share = typeof progress === 'number' && progress >= 0 && progress <= 100 ? ` ${Math.round(progress)}%` : '';
  const status = statusOf(job) ?? (answer === undefined ? '' : 'queued');
  const time = elapsedMs < 1000 ? '' : `  ${formatDuration(elapsedMs)}`;
  const text = `${actionOf(answer, context)}  ${status}${share}${time}`;
  return trouble === undefined ? text : `${text}  ${asSentence(trouble.message)} Retrying.`;
}
