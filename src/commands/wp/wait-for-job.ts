import type { Answer, Client } from '../../api/call.ts';
import { aboutAnother, otherThing } from '../../api/identity.ts';
import { unknownWord } from '../../api/judged-errors.ts';
import { getJob } from '../../api/operations.ts';
import { isTransientError } from '../../api/retry.ts';
import { addJobEnd } from '../../cli/define/changes.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Job } from '../../contract/types.ts';
import { CliError, quoted, stepOf } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { pollUntil } from '../shared/wait.ts';
import { actionOf, type JobContext, jobCommand, jobFailure, stateOf, stateWords } from './job.ts';

interface KnownJob extends JobContext {
  readonly id: string;
  /** Undefined for a job of an earlier command, which is looked up at once. */
  readonly queued?: Answer<Job> | undefined;
}

/**
 * Polls a job until it has ended or the time is up. One that cannot be looked up counts as running:
 * it was queued. Returns the last answer about it, and no failure only if it succeeded.
 * @param seconds 0 looks once
 * @throws CliError if the platform refuses the sign-in; `interrupted` with the command that waits
 * for the job, or `still_running` if a run for several has stopped.
 */
export async function waitForJob(
  context: Needs<'io' | 'settings' | 'store' | 'time'>,
  client: Client,
  job: KnownJob,
  seconds: number,
) {
  const { id, queued } = job;
  let answer = queued;
  const look = async () => {
    const seen = await getJob(client, job.assume, job.service, id).catch((error: unknown) =>
      asTrouble(error, job),
    );
    if (seen instanceof CliError) {
      if (isTransientError(seen)) return { trouble: seen };
      if (answer === undefined) throw seen;
      return { end: { answer, failure: seen } };
    }
    const other = otherThing(asObject(seen.value), 'job', job.id);
    // What was queued says more than an answer about another job.
    if (other === undefined || queued === undefined) answer = seen;
    if (other === undefined) {
      return { end: endOf(context, seen, job), unknown: findUnknownStatus(seen, job) };
    }
    const trouble = aboutAnother(id, other).with({ jobId: id });
    return { trouble, end: seconds === 0 ? { answer: seen, failure: trouble } : undefined };
  };
  const progress = (elapsedMs: number) => progressText(answer, job, elapsedMs);
  try {
    const { end, trouble } = await pollUntil(context, {
      isNew: queued !== undefined,
      seconds,
      look,
      progress,
    });
    if (end !== undefined) return end;
    if (answer === undefined) throw trouble;
    return { answer, failure: timeUp(answer, job, trouble) };
  } catch (error) {
    throw context.time.signal.aborted
      ? stoppedWaiting(job, answer?.value, context.time.signal.reason)
      : error;
  }
}

/** The status that svc does not know; the answer itself if it has none that svc can read. */
function findUnknownStatus(answer: Answer<Job>, { assume }: JobContext): string | undefined {
  const { verdict, status } = stateOf(answer, assume).judgement;
  if (status === undefined) return answer.text;
  return verdict === 'unknown' ? status : undefined;
}

/** Notes the end of a job; undefined if it has none yet. */
function endOf(context: Needs<'settings' | 'store' | 'time'>, answer: Answer<Job>, job: KnownJob) {
  const state = stateOf(answer, job.assume);
  const { verdict, isPending } = state.judgement;
  // An error beside a status such as `running` may be that of an attempt which is being repeated.
  const isContradiction = verdict === 'doubtful' && !isPending;
  if (state.stage !== 'done' && state.stage !== 'failed' && !isContradiction) return undefined;
  const failure = jobFailure(answer.value, state, job, true);
  const failed = failure?.code === 'failed' ? 'failed' : 'unknown';
  addJobEnd(context, job.id, failure === undefined ? 'done' : failed);
  return { answer, failure };
}

function stoppedWaiting(job: KnownJob, answer: Job | undefined, reason: unknown): CliError {
  const message = `${actionOf(answer, job)} is still running as job ${job.id}.`;
  const details = { jobId: job.id, hint: jobCommand(job.id, job, { wait: true }) };
  const { code, details: given } =
    reason instanceof CliError ? reason : new CliError('interrupted', '');
  if (code !== 'interrupted') return new CliError('still_running', message, details);
  return new CliError(code, `Stopped waiting. ${message}`, {
    ...details,
    exitCode: given.exitCode,
  });
}

/**
 * The error after which polling continues, or `still_running`: what was queued stays so, whatever
 * its path answers.
 */
function asTrouble(error: unknown, job: KnownJob): CliError {
  const { id, assume } = job;
  if (isTransientError(error)) return error.with({ jobId: id });
  if (!(error instanceof CliError) || error.code === 'interrupted') throw error;
  if (job.action !== undefined) return unreadable(error, job);
  if (error.details.status !== 404) throw error;
  const asked = `svc asked for ${assume('job.path')}, which is an assumption.`;
  throw error
    .withLines(asked)
    .with({ jobId: id, hint: 'Check the id and --service, then svc help assumptions.' });
}

const ONCE = 'Do not run the action again: it would be done twice.';

/** Of a job that svc cannot look at, such as after a 401, or because its path is another one. */
function unreadable({ code, message, details }: CliError, job: KnownJob): CliError {
  const { id, action, assume } = job;
  const { status, requestId, attempts, hint } = details;
  const common = { status, requestId, attempts, jobId: id };
  const sentence = `${action} is queued as job ${id}, but svc cannot look at the job`;
  if (code === 'unexpected' || status === 404 || status === 405) {
    const asked = `svc asked for ${assume('job.path')}, which is an assumption.`;
    const path = 'Set the right path with SVC_ASSUME=job.path=/v1/…/{jobId}.';
    return new CliError('still_running', `${sentence}.`, {
      ...common,
      lines: [asked, ONCE],
      hint: path,
    });
  }
  const { say = 'Then look at the job:', run } = stepOf(hint);
  const next = { say, run: [...run, jobCommand(id, job, { wait: true })] };
  return new CliError('still_running', `${sentence}: ${message}`, {
    ...common,
    lines: [ONCE],
    hint: next,
  });
}

function timeUp(answer: Answer<Job>, job: KnownJob, trouble: CliError | undefined): CliError {
  const { judgement } = stateOf(answer, job.assume);
  const { status } = judgement;
  const action = actionOf(answer.value, job);
  const isUnknown = judgement.verdict === 'unknown';
  const unknown = `svc stopped waiting: ${action} has the status ${quoted(status ?? '')}.`;
  return new CliError(
    'still_running',
    isUnknown ? unknown : `${action} is still ${stateWords(status ?? 'running')}.`,
    {
      jobId: job.id,
      lines: [
        ...unknownWord(judgement),
        ...(status === undefined ? ['The answers have no status that svc can read.'] : []),
        ...(trouble === undefined ? [] : [`The last check failed: ${trouble.message}`]),
      ],
      // To wait again for a status that says nothing would end as this did.
      hint: isUnknown ? jobCommand(job.id, job) : jobCommand(job.id, job, { wait: true }),
    },
  );
}

function progressText(
  answer: Answer<Job> | undefined,
  context: JobContext,
  elapsedMs: number,
): string {
  const { progress } = answer?.value ?? {};
  const share =
    typeof progress === 'number' && progress >= 0 && progress <= 100
      ? ` ${Math.round(progress)}%`
      : '';
  const status =
    answer === undefined ? '' : (stateOf(answer, context.assume).judgement.status ?? 'queued');
  const time = elapsedMs < 1000 ? '' : `  ${formatDuration(elapsedMs)}`;
  return `${actionOf(answer?.value, context)}  ${status}${share}${time}`;
}
