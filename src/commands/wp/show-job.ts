import type { Answer } from '../../api/call.ts';
import { describeUnknownStatus } from '../../api/judged-errors.ts';
import { asWritten, type Result, toResult } from '../../cli/define/define.ts';
import { JOB } from '../../contract/fields/operations.ts';
import type { Job } from '../../contract/types.ts';
import type { CliError } from '../../errors.ts';
import { asText, createFieldReaders, unreadFields } from '../../json/values.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { date, type Screen, state } from '../../terminal/screen.ts';
import {
  findJobId,
  getJobCommand,
  type JobContext,
  judgeJob,
  nameAction,
  toStatusWords,
} from './job.ts';

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
export type ShownJob = ReturnType<typeof viewJob>;

/** Makes the result of a command about a job. A status that svc does not know is a warning. */
export function toJobResult(job: JobContext, end: JobEnd): Result<ShownJob> {
  const { answer, failure } = end;
  const shown = viewJob(job, end);
  const warnings = shown.unknown.map((text) => ({ text, code: 'unknown_status' }));
  return { ...toResult(answer, shown, failure), warnings };
}

function viewJob(job: JobContext, { answer, failure, isNew = false, tookMs }: JobEnd) {
  const judged = judgeJob(answer, job.assume);
  const id = findJobId(answer.value);
  return {
    answer: asWritten(answer),
    service: job.service,
    title: job.title,
    action: nameAction(answer.value, job),
    status: judged.status,
    // A contradiction takes the tick away.
    stage: failure?.details.outcome === 'unknown' ? 'unclear' : judged.stage,
    /** The sentence about a status that svc does not know, if no error follows. */
    unknown: failure === undefined ? describeUnknownStatus(judged) : [],
    isNew,
    /** Whether an error follows that says how far it is. */
    isInError: failure?.code === 'still_running',
    tookMs,
    /** The command that looks at a new job. */
    look: isNew && id !== undefined ? getJobCommand(id, job, false) : undefined,
  };
}

/** Shows how far a job is, with all that the answer says of it. */
export function showJob(screen: Screen, shown: ShownJob): void {
  const { answer: job, status, service, title, action, stage, unknown, look } = shown;
  showHeadline(screen, shown);

  const isSaid = stage === 'done' || (stage === 'running' && unknown.length === 0);
  const answeredAction = asText(job.action);
  const id = asText(job.jobId) ?? asText(job.id);
  const hasEnded = stage === 'done' || stage === 'failed';
  screen.fields([
    ['Status', isSaid || status === undefined ? undefined : state(status)],
    id === undefined ? ['Service', title] : ['Job', `${id} · ${title}`],
    ['Action', answeredAction === action ? undefined : answeredAction],
    ['Progress', hasEnded ? undefined : describeProgress(job.progress)],
    ['Ended', hasEnded ? findEnd(shown) : undefined],
  ]);

  const serviceId = (id: unknown) => (id === service ? service : undefined);
  const times = hasEnded || shown.isNew ? TIMES : {};
  // The headline has the message of a job that is done, and the error that of one that failed.
  const message = hasEnded ? { message: asText } : {};
  screen.unknownFields(unreadFields(job, { ...SHOWN, ...times, ...message, serviceId }));
  if (stage === 'running' && look !== undefined) screen.next([[look, 'check its progress']]);
}

const SHOWN = {
  ...createFieldReaders(JOB, ['jobId', 'id', 'action', 'status', 'state']),
  progress: describeProgress,
};
const TIMES = createFieldReaders(JOB, ['createdAt', 'startedAt', 'finishedAt']);

/** Finds when a job ended, where the headline does not say how long it took. */
function findEnd({ answer, tookMs }: ShownJob) {
  const { finishedAt } = answer;
  return tookMs === undefined && finishedAt ? date(finishedAt) : undefined;
}

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
