import type { JobRecord } from '../state/state.ts';

/** The action whose job fails, so that a script can be tried against a failure. */
const FAILING_ACTION = 'fail';
const QUEUED_MS = 600;
const DONE_AFTER_MS = 2_000;

/** A job as it stands now: queued at first, then running, and after two seconds done or failed. */
export function jobAnswer(job: JobRecord, now: number): Readonly<Record<string, unknown>> {
  const age = now - job.createdAt;
  const common = {
    jobId: job.jobId,
    status: 'queued',
    action: job.action,
    serviceId: job.serviceId,
    createdAt: new Date(job.createdAt).toISOString(),
  };
  if (age < QUEUED_MS) return common;
  const started = { ...common, status: 'running', startedAt: new Date(job.createdAt + QUEUED_MS).toISOString() };
  if (age < DONE_AFTER_MS) {
    return { ...started, progress: Math.floor((100 * (age - QUEUED_MS)) / (DONE_AFTER_MS - QUEUED_MS)) };
  }
  const finished = { ...started, finishedAt: new Date(job.createdAt + DONE_AFTER_MS).toISOString() };
  return job.action === FAILING_ACTION
    ? { ...finished, status: 'failed', progress: 100, message: 'The action ended with exit status 1.' }
    : { ...finished, status: 'completed', progress: 100, message: `${job.action} is done.` };
}
