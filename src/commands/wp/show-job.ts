import type { CliError } from '../../errors.ts';
import { asObject, asText, readersOf, unreadFields, withoutParts } from '../../json/values.ts';
import { option } from '../../kit/parameters.ts';
import { answered, asWritten, type Result } from '../../kit/result.ts';
import { parseIdentifier } from '../../kit/values/identifier.ts';
import { parseDuration } from '../../kit/values/time.ts';
import type { Answer } from '../../service/call.ts';
import { unknownWord } from '../../service/judged-errors.ts';
import { JOB } from '../../spec/fields/actions.ts';
import type { Job } from '../../spec/types.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { type Screen, state } from '../../terminal/screen.ts';
import {
  actionOf,
  type JobContext,
  jobCommand,
  jobIn,
  namedId,
  type Stage,
  stateOf,
  stateWords,
  statusOf,
} from './job.ts';

/** How long a command waits for a job unless it is told. */
export const WAIT_SECONDS = 600;

/** For the commands that wait for a job. */
export const WAIT_TIMEOUT = { waitTimeout: option('duration', 'wait at most this long (default: 10m)', parseDuration) };

/** Reads the id of a job that was typed. */
export function parseJobId(text: string): string {
  return parseIdentifier(text, 'The job id');
}

/** What is known of a job. */
export interface JobSeen {
  readonly answer: Job;
  readonly service: string;
  readonly action: string;
  readonly stage: Stage;
  /** Whether svc knows the word of its status. */
  readonly isKnown: boolean;
  /** Whether it was queued just now, and not waited for. */
  readonly isNew: boolean;
  /** From the request until the job was done, in milliseconds, if svc waited. */
  readonly tookMs: number | undefined;
  /** The command that shows a new job, if the answer names it. */
  readonly look: string | undefined;
}

interface Found {
  readonly answer: Answer<Job>;
  readonly failure: CliError | undefined;
  readonly id: string | undefined;
  readonly isNew?: boolean;
  readonly tookMs?: number | undefined;
}

/** Returns the result of a command about a job. A status that svc does not know is a warning. */
export function jobResult(job: JobContext, { answer, failure, id, isNew = false, tookMs }: Found): Result<JobSeen> {
  const { stage, judgement } = stateOf(answer.value, job.assume);
  const [unknown] = failure === undefined ? unknownWord(judgement) : [];
  const seen: JobSeen = {
    answer: asWritten(answer),
    service: job.service,
    action: actionOf(answer.value, job),
    // Trouble in the answer takes the tick away.
    stage: failure?.details.outcome === 'unknown' ? 'unclear' : stage,
    isKnown: unknown === undefined,
    isNew,
    tookMs,
    look: isNew && id !== undefined ? jobCommand('status', id, job) : undefined,
  };
  const warnings = unknown === undefined ? [] : [{ text: unknown, code: 'unknown_status' }];
  return { ...answered(answer, seen, failure), warnings };
}

/** Shows how far a job is, with all that the answer says of it. */
export function showJob(
  screen: Screen,
  { answer, service, action, stage, isKnown, isNew, tookMs, look }: JobSeen,
): void {
  const job = jobIn(answer);
  const status = statusOf(job);
  const isRunning = stage === 'running' && isKnown;
  const line = `${action} is ${stateWords(status ?? 'queued')}.`;
  if (stage === 'done')
    screen.success(`${action} is done${tookMs === undefined ? '' : ` (${formatDuration(tookMs)})`}.`);
  else if (isRunning && isNew) screen.success(line);
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
  screen.rest(unreadFields(job, { ...read, serviceId, ...(stage === 'failed' && { message: asText }) }));
  screen.rest(asObject(withoutParts(answer, new Set([job]))));
  if (stage === 'running' && look !== undefined) screen.next([[look, 'check its progress']]);
}

const READ = readersOf(JOB, ['jobId', 'id', 'action', 'status', 'state']);
/** The duration stands for the times of a job that svc waited for. */
const READ_OF_ENDED = { ...READ, ...readersOf(JOB, ['createdAt', 'startedAt', 'finishedAt', 'progress']) };
