import { type Answer, type Client, getJob } from '../../api/call.ts';
import { createOtherIdError, findOtherId } from '../../api/read-answer.ts';
import { isTransientError } from '../../api/retry.ts';
import { describeUnknownStatus } from '../../api/verdict.ts';
import { addJobEnd } from '../../cli/define/changes.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Job } from '../../contract/operations.ts';
import { CliError, quote, toNextStep } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { formatDuration } from '../../terminal/format.ts';
import { pollUntil } from '../shared/wait.ts';
import {
  createJobFailure,
  describeProgress,
  getJobCommand,
  type JobContext,
  type JobEnd,
  judgeJob,
  nameAction,
  toStatusWords,
} from './job.ts';

interface KnownJob extends JobContext {
  readonly id: string;
  /** The answer that queued it; undefined for a job of an earlier command. */
  readonly queued?: Answer<Job> | undefined;
}

/**
 * Polls a job until it has ended or the time is up. One that cannot be looked up counts as running:
 * it was queued. Returns the last answer about it, and no failure only if it succeeded.
 * @param seconds 0 looks once
 * @throws CliError if the platform refuses the sign-in; `interrupted` with the command that waits
 * for the job, or `still_running` if a batch has stopped
 */
export async function waitForJob(
  context: Needs<'io' | 'settings' | 'store' | 'time'>,
  client: Client,
  job: KnownJob,
  seconds: number,
): Promise<JobEnd> {
  const { id, queued } = job;
  let lastAnswer = queued;

  const look = async () => {
    const answer = await getJob(client, job.assume, job.service, id).catch((error: unknown) =>
      toStillRunning(error, job),
    );
    if (answer instanceof CliError) {
      if (lastAnswer === undefined) throw answer;
      return { end: { answer: lastAnswer, failure: answer } };
    }

    const otherId = findOtherId(asObject(answer.value), 'job', id);
    // What was queued says more than an answer about another job.
    if (otherId === undefined || queued === undefined) lastAnswer = answer;
    if (otherId === undefined) return judgeLook(context, answer, job);
    const trouble = createOtherIdError(id, otherId).with({ jobId: id });
    return { trouble, end: seconds === 0 ? { answer, failure: trouble } : undefined };
  };

  try {
    const { end, trouble } = await pollUntil<JobEnd>(context, {
      isNew: queued !== undefined,
      seconds,
      look,
      progress: (elapsedMs) => describeWaiting(lastAnswer, job, elapsedMs),
    });
    if (end !== undefined) return end;
    if (lastAnswer === undefined) throw trouble;
    return { answer: lastAnswer, failure: createTimeUpError(lastAnswer, job, trouble) };
  } catch (error) {
    if (!context.time.signal.aborted) throw error;
    throw createStoppedError(job, lastAnswer?.value, context.time.signal.reason);
  }
}

/**
 * Judges an answer about a job, and notes its end for `svc changes`. Where svc does not know whether
 * it goes on, the unknown status says so, or the answer itself if it has none that svc can read.
 */
function judgeLook(
  context: Needs<'settings' | 'store' | 'time'>,
  answer: Answer<Job>,
  job: KnownJob,
) {
  const judged = judgeJob(answer, job.assume);
  const { verdict, status, isPending, stage } = judged;
  // An error beside a status such as `running` may be that of an attempt which is being repeated.
  const isContradiction = verdict === 'doubtful' && !isPending;
  if (stage !== 'done' && stage !== 'failed' && !isContradiction) {
    const isKnown = status !== undefined && verdict !== 'unknown';
    return { unknown: isKnown ? undefined : (status ?? answer.text) };
  }

  const failure = createJobFailure(answer.value, judged, job, true);
  const failed = failure?.code === 'failed' ? 'failed' : 'unknown';
  addJobEnd(context, job.id, failure === undefined ? 'done' : failed);
  return { end: { answer, failure } };
}

function createStoppedError(job: KnownJob, answer: Job | undefined, reason: unknown) {
  const message = `${nameAction(answer, job)} is still running as job ${job.id}.`;
  const details = { jobId: job.id, hint: getJobCommand(job.id, job) };
  if (reason instanceof CliError && reason.code !== 'interrupted') {
    return new CliError('still_running', message, details);
  }
  const exitCode = reason instanceof CliError ? reason.details.exitCode : undefined;
  return new CliError('interrupted', `Stopped waiting. ${message}`, { ...details, exitCode });
}

/**
 * Makes `still_running` of an error about what was queued, which stays so, whatever its path
 * answers. Throws all others; `pollUntil` goes on after a transient one.
 */
function toStillRunning(error: unknown, job: KnownJob) {
  const { id, assume } = job;
  if (isTransientError(error)) throw error.with({ jobId: id });
  if (!(error instanceof CliError) || error.code === 'interrupted') throw error;
  if (job.action !== undefined) return createUnreadableError(error, job);
  if (error.details.status !== 404) throw error;
  throw error
    .withLines(describeJobPath(assume))
    .with({ jobId: id, hint: 'Check the id and --service, then svc help assumptions.' });
}

function describeJobPath(assume: JobContext['assume']) {
  return `svc asked for ${assume('job.path')}, which is an assumption.`;
}

const ONCE = 'Do not run the action again: it would be done twice.';

/**
 * Makes the error of a job that svc cannot look at, such as after a 401, or because its path is
 * another one.
 */
function createUnreadableError({ code, message, details }: CliError, job: KnownJob) {
  const { id, action, assume } = job;
  const { status, requestId, attempts, hint } = details;
  const facts = { status, requestId, attempts, jobId: id };
  const sentence = `${action} is queued as job ${id}, but svc cannot look at the job`;
  if (code === 'unexpected' || status === 404 || status === 405) {
    const path = 'Set the right path with SVC_ASSUME=job.path=/v1/…/{jobId}.';
    const lines = [describeJobPath(assume), ONCE];
    return new CliError('still_running', `${sentence}.`, { ...facts, lines, hint: path });
  }
  const { say = 'Then look at the job:', run } = toNextStep(hint);
  return new CliError('still_running', `${sentence}: ${message}`, {
    ...facts,
    lines: [ONCE],
    hint: { say, run: [...run, getJobCommand(id, job)] },
  });
}

function createTimeUpError(answer: Answer<Job>, job: KnownJob, trouble?: CliError) {
  const judged = judgeJob(answer, job.assume);
  const { status } = judged;
  const action = nameAction(answer.value, job);
  const isStillRunning = judged.verdict !== 'unknown' && status !== undefined;
  const given =
    status === undefined ? 'has no status that svc can read' : `has the status ${quote(status)}`;
  const message = isStillRunning
    ? `${action} is still ${toStatusWords(status)}.`
    : `svc stopped waiting: ${action} ${given}.`;
  const lines = [...describeUnknownStatus(judged)];
  if (trouble !== undefined) lines.push(`The last check failed: ${trouble.message}`);
  // To wait again for a status that says nothing would end as this did.
  const hint = getJobCommand(job.id, job, isStillRunning);
  return new CliError('still_running', message, { jobId: job.id, lines, hint });
}

function describeWaiting(answer: Answer<Job> | undefined, job: JobContext, elapsedMs: number) {
  const status = answer && (judgeJob(answer, job.assume).status ?? 'queued');
  const words = [status, describeProgress(answer?.value.progress)].filter(Boolean).join(' ');
  const time = elapsedMs < 1000 ? '' : `  ${formatDuration(elapsedMs)}`;
  return `${nameAction(answer?.value, job)}  ${words}${time}`;
}
