import { OPERATIONS } from '../../spec/operations.ts';
import { GET_JOB } from '../assumed.ts';
import { type Route, signedInRoute } from '../route.ts';
import { fieldsOf } from '../rules/fields.ts';
import { jobAnswer } from '../rules/jobs.ts';
import { newId } from '../rules/secrets.ts';
import { visibleService } from '../rules/visible.ts';
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
