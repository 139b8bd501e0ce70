import type { Answer } from '../../api/call.ts';
import { conclude, unknownWord } from '../../api/judged-errors.ts';
import { type Judgement, judge } from '../../api/verdict.ts';
import { answered, asWritten } from '../../cli/define/result.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import { parseIdentifier } from '../../cli/values/identifier.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { JOB } from '../../contract/fields/operations.ts';
import type { Job } from '../../contract/types.ts';
import type { CliError } from '../../errors.ts';
import { asText, createFieldReaders, unreadFields } from '../../json/values.ts';
import { tryRead } from '../../once.ts';
import { commandLine } from '../../shell-line.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { type Screen, state } from '../../terminal/screen.ts';

/** To judge a job, and to name it in commands. */
export interface JobContext {
  readonly assume: Assume;
  readonly service: string;
  readonly action: string | undefined;
  readonly globals: Globals;
}

/** A status within a sentence. */
export function stateWords(status: string): string {
  return status.toLowerCase().replaceAll('_', ' ');
}

/**
 * A job without a status, or with one that svc does not know, is running. `unclear`: the answer
 * neither names a job nor says whether one was queued, or it contradicts itself.
 */
export function stateOf(answer: Answer<Job>, assume: Assume) {
  const judgement = judge(answer, 'job', assume);
  return { judgement, stage: stageOf(answer.value, judgement) };
}

function stageOf(
  job: Job,
  { verdict, status }: Judgement,
): 'running' | 'done' | 'failed' | 'unclear' {
  if (verdict === 'pending' || verdict === 'unknown') return 'running';
  if (verdict === 'failed') return 'failed';
  if (verdict === 'doubtful') return 'unclear';
  // `success: true` alone is about the request that queued the job.
  if (verdict === 'done') return status === undefined ? 'running' : 'done';
  return [job.jobId, job.id, job.status].some((field) => field !== undefined && field !== '')
    ? 'running'
    : 'unclear';
}

/** If it is valid in a request. */
export function jobIdOf(job: Job): string | undefined {
  const id = namedId(job);
  return tryRead(() => (id === undefined ? undefined : parseIdentifier(id, 'jobId')), undefined);
}

function namedId(job: Job): string | undefined {
  return asText(job.jobId) ?? asText(job.id);
}

/** The command that looks at a job, or waits for its end. */
export function jobCommand(
  id: string,
  { service, globals }: JobContext,
  { wait = false } = {},
): string {
  return commandLine(['wp', 'status', id], { service, wait }, globals);
}

/** The action within a sentence. */
export function actionOf(answer: Job | undefined, { action }: Pick<JobContext, 'action'>): string {
  return action ?? asText(answer?.action) ?? 'The action';
}

/**
 * The error of a job that failed, that was not queued, or of which the answer says neither.
 * @param isLook whether the answer is that of the job itself, and not of the request that queued it
 */
export function jobFailure(
  answer: Job,
  { judgement, stage }: ReturnType<typeof stateOf>,
  job: JobContext,
  isLook: boolean,
) {
  const { verdict, status } = judgement;
  const action = actionOf(answer, job);
  const jobId = jobIdOf(answer);
  const hasRun = isLook || (jobId !== undefined && status !== undefined);
  const failed = hasRun ? `${action} did not succeed` : `The platform did not queue ${action}`;
  const doubtful = `The answer about ${action} contradicts itself`;
  // A job that runs has a status that svc does not need to know.
  if (stage !== 'unclear' || verdict === 'doubtful')
    return conclude(judgement, { failed, doubtful })?.with({ jobId });
  const unclear = `The platform does not say whether ${action} was queued`;
  const hint = 'Check the service in the dashboard before you repeat the command.';
  return conclude(
    { ...judgement, verdict: 'silent' },
    { failed, doubtful, unclear },
    { lines: [], hint },
  );
}

interface Found {
  readonly answer: Answer<Job>;
  readonly failure: CliError | undefined;
  readonly id: string | undefined;
  /** Queued just now, and not waited for. */
  readonly isNew?: boolean;
  /** In milliseconds from the request until the job was done, if svc waited. */
  readonly tookMs?: number | undefined;
}

/** See {@link jobResult}. */
export type JobSeen = ReturnType<typeof jobResult>['value'];

/** The result of a command about a job. A status that svc does not know is a warning. */
export function jobResult(job: JobContext, { answer, failure, id, isNew = false, tookMs }: Found) {
  const { stage, judgement } = stateOf(answer, job.assume);
  const [unknown] = failure === undefined ? unknownWord(judgement) : [];
  const seen = {
    answer: asWritten(answer),
    service: job.service,
    action: actionOf(answer.value, job),
    status: judgement.status,
    // A contradiction takes the tick away.
    stage: failure?.details.outcome === 'unknown' ? 'unclear' : stage,
    isKnown: unknown === undefined,
    isNew,
    tookMs,
    look: isNew && id !== undefined ? jobCommand(id, job) : undefined,
  };
  const warnings = unknown === undefined ? [] : [{ text: unknown, code: 'unknown_status' }];
  return { ...answered(answer, seen, failure), warnings };
}

/** Shows how far a job is, with all that the answer says of it. */
export function showJob(screen: Screen, seen: JobSeen): void {
  const { answer: job, status, service, action, stage, isKnown, isNew, tookMs, look } = seen;
  const isRunning = stage === 'running' && isKnown;
  const line = `${action} is ${stateWords(status ?? 'queued')}.`;
  const took = tookMs === undefined ? '' : ` (${formatDuration(tookMs)})`;
  if (stage === 'done') screen.success(`${action} is done${took}.`);
  else if (isRunning && isNew) screen.line(line);
  else if (isRunning) screen.warning(line);
  const isSaid = stage === 'done' || isRunning;
  const named = asText(job.action);
  screen.fields([
    ['Status', isSaid || status === undefined ? undefined : state(status)],
    ['Job', namedId(job)],
    ['Service', service],
    ['Action', named === action ? undefined : named],
  ]);
  const read = tookMs === undefined || isRunning ? READ : READ_OF_ENDED;
  const serviceId = (id: unknown) => (id === service ? service : undefined);
  // The error that follows has the message of a failed job.
  screen.unknownFields(
    unreadFields(job, { ...read, serviceId, ...(stage === 'failed' && { message: asText }) }),
  );
  if (stage === 'running' && look !== undefined) screen.next([[look, 'check its progress']]);
}

const READ = createFieldReaders(JOB, ['jobId', 'id', 'action', 'status', 'state']);
const READ_OF_ENDED = {
  ...READ,
  ...createFieldReaders(JOB, ['createdAt', 'startedAt', 'finishedAt', 'progress']),
};
