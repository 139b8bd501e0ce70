import type { Answer } from '../../api/call.ts';
import { toVerdictError } from '../../api/judged-errors.ts';
import { type Judgement, judge } from '../../api/verdict.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import { parseIdentifier } from '../../cli/values/names.ts';
import type { Assume } from '../../contract/assumptions.ts';
import type { Job } from '../../contract/types.ts';
import type { CliError } from '../../errors.ts';
import { asText } from '../../json/values.ts';
import { tryOr } from '../../once.ts';
import { commandLine } from '../../shell-line.ts';

/** The facts about a job by which it is judged, and named in commands. */
export interface JobContext {
  readonly assume: Assume;
  readonly service: string;
  /** The service with its name, if svc knows it. */
  readonly title: string;
  readonly action: string | undefined;
  readonly globals: Globals;
}

/**
 * A job with the verdict on its answer. Without a status, or with one that svc does not know, it is
 * `running`. It is `unclear` if the answer neither names a job nor says whether one was queued, or
 * contradicts itself.
 */
export interface JudgedJob extends Judgement {
  readonly stage: 'running' | 'done' | 'failed' | 'unclear';
}

/** Judges an answer about a job. */
export function judgeJob(answer: Answer<Job>, assume: Assume): JudgedJob {
  const judgement = judge(answer, 'job', assume);
  return { ...judgement, stage: toStage(judgement, answer.value) };
}

function toStage({ verdict, status }: Judgement, { jobId, id, ...job }: Job) {
  if (verdict === 'pending' || verdict === 'unknown') return 'running';
  if (verdict === 'failed') return 'failed';
  if (verdict === 'doubtful') return 'unclear';
  // `success: true` alone is about the request that queued the job.
  if (verdict === 'done') return status === undefined ? 'running' : 'done';
  const isNamed = [jobId, id, job.status].some((field) => field !== undefined && field !== '');
  return isNamed ? 'running' : 'unclear';
}

/** Finds the id of a job, if it is valid in a request. */
export function findJobId(job: Job): string | undefined {
  const id = asText(job.jobId) ?? asText(job.id);
  return tryOr(() => (id === undefined ? undefined : parseIdentifier(id, 'jobId')), undefined);
}

/** Makes the command that waits for the end of a job, or looks at it once. */
export function getJobCommand(id: string, { service, globals }: JobContext, wait = true): string {
  return commandLine(['wp', 'status', id], { service, wait }, globals);
}

/** Names the action within a sentence. */
export function nameAction(job: Job | undefined, { action }: JobContext): string {
  return action ?? asText(job?.action) ?? 'The action';
}

/** Writes a status within a sentence. */
export function toStatusWords(status: string): string {
  return status.toLowerCase().replaceAll('_', ' ');
}

/**
 * Makes the error of a job that failed, that was not queued, or of which the answer says neither.
 * @param isLook whether the answer is that of the job itself, and not of the request that queued it
 */
export function createJobFailure(
  answer: Job,
  judged: JudgedJob,
  job: JobContext,
  isLook: boolean,
): CliError | undefined {
  const { verdict, status, stage } = judged;
  const action = nameAction(answer, job);
  const jobId = findJobId(answer);
  const hasRun = isLook || (jobId !== undefined && status !== undefined);
  const failed = hasRun ? `${action} did not succeed` : `The platform did not queue ${action}`;
  const doubtful = `The answer about ${action} contradicts itself`;
  // A job that runs has a status that svc does not need to know.
  if (stage !== 'unclear' || verdict === 'doubtful') {
    return toVerdictError(judged, { failed, doubtful })?.with({ jobId });
  }

  const unclear = `The platform does not say whether ${action} was queued`;
  const hint = 'Check the service in the dashboard before you repeat the command.';
  return toVerdictError({ ...judged, verdict: 'silent' }, { failed, unclear }, { lines: [], hint });
}
