import type { Globals } from '../../command/globals.ts';
import { sameTarget } from '../../command/next.ts';
import { parseIdentifier } from '../../command/values/identifier.ts';
import { CliError } from '../../errors.ts';
import { asText, isObject, type JsonObject } from '../../json/values.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { Job } from '../../spec/types.ts';
import { refusedBy, type Verdict, verdictOf } from '../shared/verdict.ts';

/** What belongs to a job beside the service's answers. */
export interface JobContext {
  readonly assume: Assume;
  readonly service: string;
  readonly action: string;
  readonly globals: Globals;
}

/** Where an answer may keep its job, which the document does not show. */
const WRAPPERS = ['job', 'data'];

/**
 * The job in an answer: the answer itself where it has the documented `jobId` and a status, else what it wraps, since the
 * status beside that may be the status of the answer.
 */
export function jobIn(answer: JsonObject): JsonObject {
  if (answer['jobId'] !== undefined && statusOf(answer) !== undefined) return answer;
  const inner = WRAPPERS.map((name) => answer[name]).find(isObject);
  const job = inner && jobIn(inner);
  return job !== undefined && (statusOf(job) ?? namedId(job)) !== undefined ? job : answer;
}

/** What a job says of how far it is. */
export function statusOf(job: JsonObject): string | undefined {
  return asText(job['status']) ?? asText(job['state']);
}

/** What the answer to an action says: yes, no or neither. */
export function queuedVerdict(answer: Job): Verdict {
  const job = jobIn(answer);
  const { jobId = job === answer ? undefined : namedId(job) } = answer;
  return verdictOf({ ...answer, jobId, status: answer.status ?? statusOf(job) }, ['jobId', 'status']);
}

/** How far a job is. */
export type Stage = 'running' | 'done' | 'failed';

/** The stage that the status of a job stands for; a word that is not known counts as running. */
export function stageOf(answer: Job, assume: Assume): Stage {
  const status = statusOf(jobIn(answer))?.trim().toLowerCase() ?? '';
  const isAmong = (words: string) => words.toLowerCase().split(/\s+/).includes(status);
  if (status === '') return 'running';
  if (isAmong(assume('job.done'))) return 'done';
  return isAmong(assume('job.failed')) ? 'failed' : 'running';
}

/** The id of a job; `undefined` where there is none that could be asked for. */
export function jobIdOf(answer: Job): string | undefined {
  const id = asText(answer.jobId) ?? namedId(jobIn(answer)) ?? namedId(answer);
  try {
    return id === undefined ? undefined : parseIdentifier(id, 'jobId');
  } catch {
    return undefined;
  }
}

/** The id of a job as it is shown. */
export function namedId(job: JsonObject): string | undefined {
  return asText(job['jobId']) ?? asText(job['id']);
}

/** The command that looks at a job. */
export function lookCommand(id: string, job: JobContext): string {
  return sameTarget(['svc', 'api', jobPath(id, job)], job.globals);
}

function jobPath(id: string, { assume, service }: JobContext): string {
  const values = new Map([
    ['id', service],
    ['jobId', id],
  ]);
  return assume('job.path').replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values.get(name);
    return value === undefined ? whole : encodeURIComponent(value);
  });
}

/** The error that a failed job ends the command with, and one that the service refused to queue. */
export function failureOf(answer: Job, { assume, action }: JobContext, verdict?: Verdict): CliError | undefined {
  if (stageOf(answer, assume) !== 'failed') {
    if (verdict !== 'refused') return undefined;
    return refusedBy(answer, `The service did not queue ${action}`).with({ jobId: jobIdOf(answer) });
  }
  const job = jobIn(answer);
  const said = [job, answer].flatMap(({ message, error, reason }) => [message, error, reason]);
  const words = said.map(asText).find((text) => text !== undefined);
  const ending = words === undefined ? ` (status ${statusOf(job)}).` : `: ${words}`;
  return new CliError('failed', `${action} failed${ending}`, { jobId: jobIdOf(answer) });
}
