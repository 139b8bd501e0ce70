import type { CliError } from '../../errors.ts';
import { asText, fieldOf, isObject } from '../../json/values.ts';
import { type Globals, sameTarget } from '../../kit/globals.ts';
import { parseIdentifier } from '../../kit/values/identifier.ts';
import { errorOf } from '../../service/judged-errors.ts';
import { failedBy, type Judgement, judge, kindOf, statusWords } from '../../service/verdict.ts';
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

/** `unclear`: the answer neither names a job nor says whether one was queued. */
export type Stage = 'running' | 'done' | 'failed' | 'unclear';

/** What an answer about a job says of it. */
export interface JobState {
  readonly judgement: Judgement;
  readonly stage: Stage;
}

/** Judges an answer about a job. A job without a status, or with one that svc does not know, is running. */
export function stateOf(answer: Job, assume: Assume): JobState {
  const judgement = judge(answer, { words: statusWords(assume, 'job'), wrappers: WRAPPERS });
  return { judgement, stage: stageOf(answer, judgement) };
}

function stageOf(answer: Job, { verdict, status, isUnknownWord }: Judgement): Stage {
  if (verdict === 'failed' || verdict === 'pending') return verdict === 'failed' ? 'failed' : 'running';
  const job = jobIn(answer);
  const isNamed = [job.jobId, job.id, job.status].some((field) => field !== undefined && field !== '');
  if (verdict === 'done') return status === undefined ? 'running' : 'done';
  return isUnknownWord || (isNamed && status === undefined) ? 'running' : 'unclear';
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

/** Returns the error of a job that failed, that was not queued, or of which the answer says neither. */
export function jobFailure(answer: Job, { judgement, stage }: JobState, job: JobContext): CliError | undefined {
  const { assume } = job;
  const action = actionOf(answer, job);
  const jobId = jobIdOf(answer);
  if (stage === 'unclear') {
    const unclear = `The platform does not say whether ${action} was queued`;
    const hint = 'Check the service in the dashboard before you repeat the command.';
    return errorOf({ ...judgement, verdict: 'unclear' }, { failed: unclear, unclear }, { lines: [], hint })?.with({
      jobId,
    });
  }
  if (stage !== 'failed') return undefined;
  const { status = '' } = judgement;
  const hasRun = jobId !== undefined && kindOf(status, statusWords(assume, 'job')) === 'failed';
  const sentence = hasRun ? `${action} did not succeed` : `The platform did not queue ${action}`;
  return failedBy(judgement, sentence).with({ jobId });
}
