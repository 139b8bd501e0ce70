import type { Answer } from '../../api/call.ts';
import { describeUnknownStatus, type Judgement, judge, toVerdictError } from '../../api/verdict.ts';
import type { Needs } from '../../cli/define/context.ts';
import { asWritten, toResult } from '../../cli/define/define.ts';
import { parseIdentifier } from '../../cli/values/names.ts';
import { JOB } from '../../contract/fields/operations.ts';
import type { Job } from '../../contract/operations.ts';
import { type CliError, tryOr } from '../../errors.ts';
import { asText, createFieldReaders, unreadFields } from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { formatDuration } from '../../terminal/format.ts';
import { date, type Screen, state } from '../../terminal/screen.ts';

/** The facts about a job by which it is judged, and named in commands. */
export interface JobContext extends Needs<'assume' | 'globals'> {
  readonly service: string;
  /** The service with its name, if svc knows it. */
  readonly title: string;
  /** The action that this command runs; absent for the job of an earlier one. */
  readonly action?: string;
}

/** A job with the verdict on its answer, and its stage. */
type JudgedJob = Judgement & { readonly stage: ReturnType<typeof toStage> };

/** Judges an answer about a job. */
export function judgeJob(answer: Answer<Job>, assume: JobContext['assume']): JudgedJob {
  const judgement = judge(answer, 'job', assume);
  return { ...judgement, stage: toStage(judgement, answer.value) };
}

/**
 * Returns the stage of a job. Without a status, or with one that svc does not know, it is `running`.
 * It is `unclear` if the answer neither names a job nor says whether one was queued, or contradicts
 * itself.
 */
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

/** The end of a look at a job, or of waiting for it. */
export interface JobEnd {
  readonly answer: Answer<Job>;
  readonly failure: CliError | undefined;
  /** Whether it was queued just now, and not waited for. */
  readonly isNew?: boolean;
  /** The time from the request until the job was done, if svc waited. */
  readonly tookMs?: number | undefined;
}

/** A job as its commands show it. */
export type ShownJob = ReturnType<typeof toJobResult>['value'];

/** Makes the result of a command about a job. A status that svc does not know is a warning. */
export function toJobResult(job: JobContext, { answer, failure, isNew = false, tookMs }: JobEnd) {
  const judged = judgeJob(answer, job.assume);
  const id = findJobId(answer.value);
  /** The sentence about a status that svc does not know, if no error follows. */
  const unknown = failure === undefined ? describeUnknownStatus(judged) : [];
  // A contradiction takes the tick away.
  const stage = failure?.details.outcome === 'unknown' ? 'unclear' : judged.stage;
  const shown = {
    answer: asWritten(answer),
    service: job.service,
    title: job.title,
    action: nameAction(answer.value, job),
    status: judged.status,
    stage,
    hasEnded: stage === 'done' || stage === 'failed',
    unknown,
    isNew,
    /** Whether an error follows that says how far it is. */
    isInError: failure?.code === 'still_running',
    tookMs,
    /** The command that looks at a new job. */
    look:
      isNew && stage === 'running' && id !== undefined ? getJobCommand(id, job, false) : undefined,
  };
  const warnings = unknown.map((text) => ({ text, code: 'unknown_status' }));
  return { ...toResult(answer, shown, failure), warnings };
}

/** Shows how far a job is, with all that the answer says of it. */
export function showJob(screen: Screen, shown: ShownJob): void {
  const { answer: job, status, service, title, action, stage, hasEnded, unknown, look } = shown;
  showHeadline(screen, shown);

  const isSaid = stage === 'done' || (stage === 'running' && unknown.length === 0);
  const answeredAction = asText(job.action);
  const id = asText(job.jobId) ?? asText(job.id);
  // The headline says how long it took, if svc knows.
  const endedAt = hasEnded && shown.tookMs === undefined ? job.finishedAt : undefined;
  screen.fields([
    ['Status', isSaid || status === undefined ? undefined : state(status)],
    id === undefined ? ['Service', title] : ['Job', `${id} · ${title}`],
    ['Action', answeredAction === action ? undefined : answeredAction],
    ['Progress', hasEnded ? undefined : describeProgress(job.progress)],
    ['Ended', endedAt ? date(endedAt) : undefined],
  ]);

  const serviceId = (id: unknown) => (id === service ? service : undefined);
  const times = hasEnded || shown.isNew ? TIMES : {};
  // The headline has the message of a job that is done, and the error that of one that failed.
  const message = hasEnded ? { message: asText } : {};
  screen.unknownFields(unreadFields(job, { ...SHOWN, ...times, ...message, serviceId }));
  if (look !== undefined) screen.next([[look, 'check its progress']]);
}

const SHOWN = {
  ...createFieldReaders(JOB, ['jobId', 'id', 'action', 'status', 'state']),
  progress: describeProgress,
};
const TIMES = createFieldReaders(JOB, ['createdAt', 'startedAt', 'finishedAt']);

function showHeadline(screen: Screen, shown: ShownJob) {
  const { answer, status, action, stage, unknown, isNew, isInError, tookMs } = shown;
  if (stage === 'done') {
    const took = tookMs === undefined ? '' : ` (${formatDuration(tookMs)})`;
    const message = asText(answer.message);
    const end = message === undefined ? '.' : `: ${message}`;
    screen.success(`${action} is done${took}${end}`);
  }
  if (stage !== 'running' || unknown.length > 0 || isInError) return;
  const line = `${action} is ${toStatusWords(status ?? 'queued')}.`;
  if (isNew) screen.line(line);
  else screen.warning(line);
}

/** Says how much of a job is done: `59%`; undefined for what is no such number. */
export function describeProgress(progress: unknown): string | undefined {
  const isShare = typeof progress === 'number' && progress >= 0 && progress <= 100;
  return isShare ? `${Math.round(progress)}%` : undefined;
}
