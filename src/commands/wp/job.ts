import type { Globals } from '../../command/globals.ts';
import { parseIdentifier } from '../../command/parse/identifier.ts';
import { sameTarget } from '../../command/same-target.ts';
import { CliError } from '../../errors.ts';
import type { Assume } from '../../spec/assumptions.ts';
import { asText } from '../../spec/read.ts';
import type { Job } from '../../spec/types.ts';
import { refusedBy, type Verdict } from '../shared/verdict.ts';

/** What belongs to a job beside the service's answers. */
export interface JobContext {
  readonly assume: Assume;
  readonly service: string;
  readonly action: string;
  readonly globals: Globals;
}

/** How far a job is. */
export type Stage = 'running' | 'done' | 'failed';

/** The stage that the status of a job stands for; a word that is not known counts as running. */
export function stageOf(job: Job, assume: Assume): Stage {
  const status = asText(job.status)?.trim().toLowerCase() ?? '';
  const isAmong = (words: string) => words.toLowerCase().split(/\s+/).includes(status);
  if (status === '') return 'running';
  if (isAmong(assume('job.done'))) return 'done';
  return isAmong(assume('job.failed')) ? 'failed' : 'running';
}

/** The id of a job; `undefined` where there is none that could be asked for. */
export function jobIdOf(job: Job): string | undefined {
  const id = asText(job.jobId);
  try {
    return id === undefined ? undefined : parseIdentifier(id, 'jobId');
  } catch {
    return undefined;
  }
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
export function failureOf(job: Job, { assume, action }: JobContext, verdict?: Verdict): CliError | undefined {
  if (stageOf(job, assume) !== 'failed') {
    if (verdict !== 'refused') return undefined;
    return refusedBy(job, `The service did not queue ${action}`).with({ jobId: jobIdOf(job) });
  }
  const words = asText(job['message']) ?? asText(job['error']) ?? asText(job['reason']);
  const ending = words === undefined ? ` (status ${asText(job.status)}).` : `: ${words}`;
  return new CliError('failed', `${action} failed${ending}`, { jobId: jobIdOf(job) });
}
