import { OPERATIONS } from '../../spec/operations.ts';
import { GET_JOB } from '../assumed.ts';
import { type Route, signedInRoute } from '../route.ts';
import { fieldsOf } from '../rules/fields.ts';
import { newId } from '../rules/secrets.ts';
import { visibleService } from '../rules/visible.ts';
import type { JobRecord } from '../state/state.ts';
import { notFound, Refusal } from '../web/refusal.ts';

/** Operation 6, and the lookup of its job. Any action name is taken; that of `fail` ends badly. */
export const ACTION_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.runAction, async (parts, request, caller) => {
    const service = visibleService(request.params['id'], caller);
    const fields = fieldsOf(await request.body());
    const action = fields.requiredText('action', { max: 100 });
    fields.object('params');
    fields.refuseIfWrong();
    if (service.kind !== 'wordpress') {
      throw new Refusal(400, `Managed actions are for WordPress services; ${service.name} is of kind ${service.kind}.`);
    }
    const now = parts.clock.now();
    const job = { jobId: newId('job'), serviceId: service.id, action, createdAt: now };
    parts.store.commit({ jobs: [...parts.store.state.jobs, job] });
    return { status: 202, body: jobAnswer(job, now) };
  }),

  signedInRoute(GET_JOB, (parts, request, caller) => {
    const service = visibleService(request.params['id'], caller);
    const jobId = request.params['jobId'] ?? '';
    const job = parts.store.state.jobs.find((each) => each.jobId === jobId && each.serviceId === service.id);
    if (job === undefined) throw notFound('job', jobId);
    return { status: 200, body: jobAnswer(job, parts.clock.now()) };
  }),
];

/** The action whose job fails, so that a script can be tried against a failure. */
const FAILING_ACTION = 'fail';
const QUEUED_MS = 600;
const DONE_AFTER_MS = 2_000;

/** A job as it stands now: queued at first, then running, and after two seconds done or failed. */
function jobAnswer(job: JobRecord, now: number): Readonly<Record<string, unknown>> {
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
