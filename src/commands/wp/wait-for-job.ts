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

/** How waiting for a job ended: the last answer about it, and no failure only if it succeeded. */
interface Waited {
  readonly answer: Answer<Job>;
  readonly failure: CliError | undefined;
}

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
      const end = endAfter(trouble, answer, job, timeoutSeconds === 0 && look.seen !== undefined);
      if (end === undefined) continue;
      if (trouble === undefined) addJobEnd(context, job.id, resultOf(end));
      return end;
    }
  } catch (error) {
    throw signal.aborted ? stoppedWaiting(job, answer, signal.reason) : error;
  } finally {
    progress.stop();
  }
}

/** Looks once. An answer about another job is trouble. */
async function lookAt(client: Client, job: Awaited, answer: Answer<Job> | undefined) {
  try {
    const seen = await getJob(client, job.assume, job.service, job.id);
    const other = otherThing(asObject(jobIn(seen.value)), job.id);
    return { seen, trouble: other === undefined ? undefined : aboutAnother(job.id, other).with({ jobId: job.id }) };
  } catch (error) {
    return { seen: undefined, trouble: endOf(error, job, answer) };
  }
}

/** Returns how the waiting ends after a look; undefined if it goes on. */
function endAfter(trouble: CliError | undefined, answer: Answer<Job> | undefined, job: Awaited, isLastLook: boolean) {
  if (answer === undefined) return undefined;
  if (trouble !== undefined) {
    return trouble.code === 'still_running' || isLastLook ? { answer, failure: trouble } : undefined;
  }
  const state = stateOf(answer.value, job.assume);
  if (state.stage !== 'done' && state.stage !== 'failed') return undefined;
  return { answer, failure: jobFailure(answer.value, state, job, true) };
}

function resultOf({ failure }: Waited): ChangeEntry['result'] {
  if (failure === undefined) return 'done';
  return failure.code === 'failed' ? 'failed' : 'unknown';
}

/** The error of a wait that was ended before the job. */
function stoppedWaiting(job: Awaited, answer: Answer<Job> | undefined, reason: unknown): CliError {
  const message = `${actionOf(answer?.value, job)} is still running as job ${job.id}.`;
  const details = { jobId: job.id, hint: jobCommand(job.id, job, '--wait') };
  if (reason instanceof CliError && reason.code !== 'interrupted') {
    return new CliError('still_running', message, details);
  }
  const exitCode = reason instanceof CliError ? reason.details.exitCode : undefined;
  return new CliError('interrupted', `Stopped waiting. ${message}`, { ...details, exitCode });
}

/**
 * Returns an error after which polling continues, or `still_running` if the job cannot be looked up: what was queued stays
 * queued, whatever its path answers. Throws any other.
 */
function endOf(error: unknown, job: Awaited, answer: Answer<Job> | undefined): CliError {
  const { id, service, assume } = job;
  if (isTransientError(error)) return error.with({ jobId: id });
  if (!(error instanceof CliError) || error.code === 'interrupted') throw error;
  if (job.action !== undefined) {
    const failure = unreadable(error, job);
    if (answer === undefined) throw failure;
    return failure;
  }
  if (error.details.status !== 404) throw error;
  const asked = `svc asked for the job ${id} of ${service} at ${assume('job.path')}, which is an assumption.`;
  throw error.withLines(asked).with({ jobId: id, hint: 'Check the id and --service, then svc help assumptions.' });
}

const ONCE = 'Do not run the action again: it would be done twice.';

/** The error of a job that svc cannot look at, such as after a 401, or because its path is another one. */
function unreadable({ code, message, details }: CliError, job: Awaited): CliError {
  const { id, action, assume } = job;
  const { status, requestId, attempts, hint } = details;
  const common = { status, requestId, attempts, jobId: id };
  const sentence = `${action} is queued as job ${id}, but svc cannot look at the job`;
  if (code === 'unexpected' || status === 404 || status === 405) {
    const asked = `svc asked for ${assume('job.path')}, which the API document does not show: it is an assumption.`;
    const path = 'Set the right path with SVC_ASSUME=job.path=/v1/…/{jobId}.';
    return new CliError('still_running', `${sentence}.`, { ...common, lines: [asked, ONCE], hint: path });
  }
  const { say = 'Then look at the job:', run } = stepOf(hint);
  const next = { say, run: [...run, jobCommand(id, job, '--wait')] };
  return new CliError('still_running', `${sentence}: ${message}`, { ...common, lines: [ONCE], hint: next });
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

function progressText(answer: Job | undefined, context: JobContext, elapsedMs: number, trouble: CliError | undefined) {
  const job: Job = answer === undefined ? {} : jobIn(answer);
  const { progress } = job;
  const share = typeof progress === 'number' && progress >= 0 && progress <= 100 ? ` ${Math.round(progress)}%` : '';
  const status = statusOf(job) ?? (answer === undefined ? '' : 'queued');
  const time = elapsedMs < 1000 ? '' : `  ${formatDuration(elapsedMs)}`;
  const text = `${actionOf(answer, context)}  ${status}${share}${time}`;
  return trouble === undefined ? text : `${text}  ${asSentence(trouble.message)} Retrying.`;
}
