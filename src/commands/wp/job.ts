import type { CliError } from '../../errors.ts';
import { asText, fieldOf, isObject } from '../../json/values.ts';
import { type Globals, sameTarget } from '../../kit/globals.ts';
import { parseIdentifier } from '../../kit/values/identifier.ts';
import { conclude } from '../../service/judged-errors.ts';
import { type Judgement, judge } from '../../service/verdict.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { Job } from '../../spec/types.ts';

/** What is needed to judge a job, and to name it in commands. */
export interface JobContext {
  readonly assume: Assume;
  readonly service: string;
  /** Undefined for a job that was typed. */
  readonly action: string | undefined;
  readonly globals: Globals;
}

/** Undocumented fields in which an answer may wrap its job. */
const WRAPPERS = ['job', 'data'];

/** Returns the answer itself if it has the documented `jobId` and a status, or else the job that it wraps, if any. */
export function jobIn(answer: Job): Job {
  if (answer.jobId !== undefined && statusOf(answer) !== undefined) return answer;
  const inner = WRAPPERS.map((name) => fieldOf(answer, name)).find(isObject);
  const job = inner && jobIn(inner);
  return job !== undefined && (statusOf(job) ?? namedId(job)) !== undefined ? job : answer;
}

/** Returns the status word of a job, under either of its documented names. */
export function statusOf(job: Job): string | undefined {
  return asText(job.status) ?? asText(job.state);
}

/** Writes a status within a sentence. */
export function stateWords(status: string): string {
  return status.toLowerCase().replaceAll('_', ' ');
}

/** `unclear`: the answer neither names a job nor says whether one was queued, or it shows trouble. */
export type Stage = 'running' | 'done' | 'failed' | 'unclear';

/** What an answer about a job says of it. */
export interface JobState {
  readonly judgement: Judgement;
  readonly stage: Stage;
}

/** Judges an answer about a job. A job without a status, or with one that svc does not know, is running. */
export function stateOf(answer: Job, assume: Assume): JobState {
  const judgement = judge(answer, 'job', assume);
  return { judgement, stage: stageOf(answer, judgement) };
}

function stageOf(answer: Job, { verdict, status }: Judgement): Stage {
  if (verdict === 'failed') return 'failed';
  if (verdict === 'pending' || verdict === 'unknown') return 'running';
  // `success: true` alone is about the request that queued the job.
  if (verdict === 'done') return status === undefined ? 'running' : 'done';
  const job = jobIn(answer);
  const isNamed = [job.jobId, job.id, job.status].some((field) => field !== undefined && field !== '');
  return isNamed ? 'running' : 'unclear';
}

/** Returns the id of a job, if it is valid in a request. */
export function jobIdOf(answer: Job): string | undefined {
  const id = asText(answer.jobId) ?? namedId(jobIn(answer)) ?? namedId(answer);
  try {
    return id === undefined ? undefined : parseIdentifier(id, 'jobId');
  } catch {
    return undefined;
  }
}

/** Returns the id of a job as the API wrote it. */
export function namedId(job: Job): string | undefined {
  return asText(job.jobId) ?? asText(job.id);
}

/** Returns the command that shows how far the job is, or waits for it. */
export function jobCommand(verb: 'status' | 'wait', id: string, { service, globals }: JobContext): string {
  return sameTarget(['svc', 'wp', verb, id, '--service', service], globals);
}

/** Names the action of a job within a sentence. */
export function actionOf(answer: Job | undefined, { action }: Pick<JobContext, 'action'>): string {
  return action ?? asText(answer && jobIn(answer).action) ?? 'The action';
}

/**
 * Returns the error of a job that failed, that was not queued, or of which the answer says neither.
 * @param isLook whether the answer is that of the job itself, and not of the request that queued it
 */
export function jobFailure(
  answer: Job,
  { judgement, stage }: JobState,
  job: JobContext,
  isLook: boolean,
): CliError | undefined {
  const action = actionOf(answer, job);
  const jobId = jobIdOf(answer);
  if (isLook && stage !== 'done' && stage !== 'failed') return undefined;
  const hasRun = isLook || (jobId !== undefined && judgement.cause === undefined);
  const unclear = `The platform does not say whether ${action} was queued`;
  const error = conclude(
    // A job that runs has a status that svc does not need to know.
    stage === 'unclear' ? { ...judgement, verdict: 'silent' } : judgement,
    {
      failed: hasRun ? `${action} did not succeed` : `The platform did not queue ${action}`,
      doubtful: `${action} was ${isLook ? 'carried out' : 'queued'}, but the answer shows trouble`,
      ...(stage === 'unclear' && { unclear }),
    },
    stage === 'unclear' ? { lines: [], hint: CHECK_FIRST } : undefined,
  );
  return error?.with({ jobId });
}

const CHECK_FIRST = 'Check the service in the dashboard before you repeat the command.';
