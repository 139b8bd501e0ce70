import { parseStrictInstant } from '../../spec/instant.ts';
import { OPERATIONS } from '../../spec/operations.ts';
import { assumed } from '../assumed.ts';
import { DEPLOYMENTS, type DeploymentRecord } from '../data/deployments.ts';
import type { Parts } from '../parts.ts';
import { type Route, signedInRoute } from '../route.ts';
import { fieldsOf, type TextRule } from '../rules/fields.ts';
import { usageHistory } from '../rules/metrics.ts';
import { visibleService } from '../rules/visible.ts';
import { notFound } from '../web/refusal.ts';

/** Points that one answer may hold. */
const MOST_POINTS = 10_000;
const NAMES = { start: assumed('metrics.start'), end: assumed('metrics.end'), step: assumed('metrics.step') } as const;
const INSTANT: TextRule = {
  findFault: (text) =>
    typeof parseStrictInstant(text) === 'number'
      ? undefined
      : 'must be an ISO 8601 instant such as 2026-03-01T12:00:00Z',
};

/** Operations 7, 8 and 9. */
export const SERVICE_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.getMetricsHistory, (parts, request, caller) => {
    const service = visibleService(request.params['id'], caller);
    const { start, end, step } = readRange(request.query);
    const points = usageHistory(service, start, end, step, parts.clock.now() / 1_000);
    return { status: 200, body: { serviceId: service.id, start: iso(start), end: iso(end), step, points } };
  }),

  signedInRoute(OPERATIONS.getDeployment, (parts, request, caller) => {
    const service = visibleService(request.params['id'], caller);
    const id = request.params['deploymentId'] ?? '';
    const record = DEPLOYMENTS.find((each) => each.id === id && each.serviceId === service.id);
    if (record === undefined) throw notFound('deployment', id);
    return { status: 200, body: { deployment: deploymentAnswer(parts, record, service.name), isLive: record.live } };
  }),

  signedInRoute(OPERATIONS.restartService, (parts, request, caller) => {
    const service = visibleService(request.params['id'], caller);
    if (!service.live) {
      const message = `${service.name} has no live container to restart; its last deployment failed.`;
      return { status: 200, body: { success: false, message } };
    }
    const others = parts.store.state.restarts.filter(({ serviceId }) => serviceId !== service.id);
    parts.store.commit({ restarts: [...others, { serviceId: service.id, restartedAt: parts.clock.now() }] });
    const message = `${service.name} was restarted with its current image; the database variables were synced first.`;
    return { status: 200, body: { success: true, message } };
  }),
];

function readRange(query: URLSearchParams): { start: number; end: number; step: number } {
  const fields = fieldsOf(Object.fromEntries(query));
  const start = Date.parse(fields.requiredText(NAMES.start, INSTANT)) / 1_000;
  const end = Date.parse(fields.requiredText(NAMES.end, INSTANT)) / 1_000;
  const step = Number(
    fields.requiredText(NAMES.step, { pattern: /^[1-9]\d{0,8}$/, form: 'a whole number of seconds' }),
  );
  if (start >= end) fields.fault(NAMES.end, `must be later than ${NAMES.start}`);
  const least = Math.ceil((end - start) / MOST_POINTS);
  if (step < least) fields.fault(NAMES.step, `must be at least ${least} for this range (${MOST_POINTS} points)`);
  fields.refuseIfWrong();
  return { start, end, step };
}

function deploymentAnswer(parts: Parts, record: DeploymentRecord, serviceName: string): object {
  const createdAt = parts.store.state.startedAt - record.minutesAgo * 60_000;
  const restart = parts.store.state.restarts.find(({ serviceId }) => serviceId === record.serviceId);
  const { id, serviceId, status, durationSeconds, trigger, branch, commit, failure, live } = record;
  return {
    id,
    serviceId,
    serviceName,
    status,
    trigger,
    branch,
    commit,
    image: failure?.step === 'build' ? null : `registry.sandbox.example/${serviceName}:${commit.sha.slice(0, 12)}`,
    failure: failure ?? null,
    createdAt: new Date(createdAt).toISOString(),
    finishedAt: new Date(createdAt + durationSeconds * 1_000).toISOString(),
    durationSeconds,
    lastRestartAt: live && restart !== undefined ? new Date(restart.restartedAt).toISOString() : null,
  };
}

function iso(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
