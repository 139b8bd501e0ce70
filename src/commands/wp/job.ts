import { type Globals, sameTarget } from '../../command/globals.ts';
import { parseIdentifier } from '../../command/values/identifier.ts';
import { CliError } from '../../errors.ts';
import { asText, isObject, type JsonObject } from '../../json/values.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { Job } from '../../spec/types.ts';
import { refusedBy, type Verdict, verdictOf } from '../shared/verdict.ts';

export interface JobContext {
  readonly assume: Assume;
  readonly service: string;
  readonly action: string;
  readonly globals: Globals;
}

/** Undocumented fields in which an answer may wrap its job. */
const WRAPPERS = ['job', 'data'];

/** Returns the answer itself if it has the documented `jobId` and a status, or else the job that it wraps, if any. */
export function jobIn(answer: JsonObject): JsonObject {
  if (answer['jobId'] !== undefined && statusOf(answer) !== undefined) return answer;
  const inner = WRAPPERS.map((name) => answer[name]).find(isObject);
  const job = inner && jobIn(inner);
  return job !== undefined && (statusOf(job) ?? namedId(job)) !== undefined ? job : answer;
}

export function statusOf(job: JsonObject): string | undefined {
  return asText(job['status']) ?? asText(job['state']);
}

/** Writes a status within a sentence. */
export function stateWords(status: string): string {
  return status.toLowerCase().replaceAll('_', ' ');
}

export function queuedVerdict(answer: Job): Verdict {
  const job = jobIn(answer);
  const { jobId = job === answer ? undefined : namedId(job) } = answer;
  return verdictOf({ ...answer, jobId, status: answer.status ?? statusOf(job) }, ['jobId', 'status']);
}

export type Stage = 'running' | 'done' | 'failed';

/** Returns the stage of a job. An unknown status counts as running. */
export function stageOf(answer: Job, assume: Assume): Stage {
  const status = statusOf(jobIn(answer))?.trim().toLowerCase() ?? '';
  const isAmong = (words: string) => words.toLowerCase().split(/\s+/).includes(status);
  if (status === '') return 'running';
  if (isAmong(assume('job.done'))) return 'done';
  return isAmong(assume('job.failed')) ? 'failed' : 'running';
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

/** Returns the id of a job as the service wrote it. */
export function namedId(job: JsonObject): string | undefined {
  return asText(job['jobId']) ?? asText(job['id']);
}

/** Returns the command that shows the job. */
export function lookCommand(id: string, { assume, service, globals }: JobContext): string {
  const values = { id: encodeURIComponent(service), jobId: encodeURIComponent(id) };
  const path = assume('job.path').replaceAll('{id}', values.id).replaceAll('{jobId}', values.jobId);
  return sameTarget(['svc', 'api', path], globals);
}

/** Returns the error for a job that failed, or that the service refused to queue. */
export function failureOf(answer: Job, { assume, action }: JobContext, verdict?: Verdict): CliError | undefined {
  if (stageOf(answer, assume) !== 'failed') {
    if (verdict !== 'refused') return undefined;
    return refusedBy(answer, `The service did not queue ${action}`).with({ jobId: jobIdOf(answer) });
  }
  const job = jobIn(answer);
  const said = [job, answer].flatMap(({ message, error, reason }) => [message, error, reason]);
  const words = said.map(asText).find((text) => text !== undefined);
  const ending = words === undefined ? ` (status ${statusOf(job)}).` : `: ${words}`;
  return new CliError('failed', `The action "${action}" failed${ending}`, { jobId: jobIdOf(answer) });
}
