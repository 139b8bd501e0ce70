import { OPERATIONS } from '../../src/contract/operations.ts';
import { parseStrictInstant } from '../../src/json/values.ts';
import { visibleDatabase, visibleService } from '../caller.ts';
import {
  ACTIONS,
  DATABASE_PASSWORD,
  type DeploymentRecord,
  FAILING_ACTION,
  KNOWN_JOB,
} from '../data/services.ts';
import { createBodyReader, type TextRule } from '../fields.ts';
import type { Parts } from '../parts.ts';
import { assumed, GET_JOB, type Route, signedInRoute } from '../route.ts';
import { newId } from '../secrets.ts';
import type { JobRecord } from '../state.ts';
import { createUsageHistory, type UsageRange } from '../usage.ts';
import { notFound, Refusal } from '../web/refusal.ts';

const MAX_POINTS = 10_000;
const NAMES = {
  start: assumed('metrics.start'),
  end: assumed('metrics.end'),
  step: assumed('metrics.step'),
} as const;
const INSTANT: TextRule = {
  findFault: (text) =>
    typeof parseStrictInstant(text) === 'number'
      ? undefined
      : 'must be an ISO 8601 instant such as 2026-03-01T12:00:00Z',
};
const STEP: TextRule = { pattern: /^[1-9]\d{0,8}$/, form: 'a whole number of seconds' };

/** Operations 7, 8 and 9. */
export const SERVICE_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.getMetricsHistory, (parts, request, caller) => {
    const service = visibleService(parts, request.params['id'], caller);
    const range = readRange(request.query);
    const body = {
      serviceId: service.id,
      start: toIsoTime(range.start * 1_000),
      end: toIsoTime(range.end * 1_000),
      step: range.step,
      points: createUsageHistory(service, range, parts.clock.now() / 1_000),
    };
    return { status: 200, body };
  }),

  signedInRoute(OPERATIONS.getDeployment, (parts, request, caller) => {
    const service = visibleService(parts, request.params['id'], caller);
    const id = request.params['deploymentId'] ?? '';
    const record = parts.catalog.deployments.get(id);
    if (record?.serviceId !== service.id) throw notFound('deployment', id);
    const deployment = createDeploymentAnswer(parts, record, service.name);
    return { status: 200, body: { deployment, isLive: record.failure === undefined } };
  }),

  signedInRoute(OPERATIONS.restartService, (parts, request, caller) => {
    const service = visibleService(parts, request.params['id'], caller);
    if (!service.live) {
      const message = `${service.name} has no live container to restart; its last deployment failed.`;
      return { status: 200, body: { success: false, message } };
    }
    const { restarts } = parts.store.state;
    const earlier = restarts.find(({ serviceId }) => serviceId === service.id);
    const times = (earlier?.times ?? 0) + 1;
    const restart = { serviceId: service.id, restartedAt: parts.clock.now(), times };
    parts.store.commit({ restarts: [...restarts.filter((each) => each !== earlier), restart] });
    const message = `${service.name} was restarted with its current image; the database variables were synced first.`;
    return { status: 200, body: { success: true, message } };
  }),
];

function readRange(query: URLSearchParams): UsageRange {
  const fields = createBodyReader(Object.fromEntries(query));
  const start = Date.parse(fields.requiredText(NAMES.start, INSTANT)) / 1_000;
  const end = Date.parse(fields.requiredText(NAMES.end, INSTANT)) / 1_000;
  const step = Number(fields.requiredText(NAMES.step, STEP));
  if (start >= end) fields.fault(NAMES.end, `must be later than ${NAMES.start}`);
  const least = Math.ceil((end - start) / MAX_POINTS);
  if (step < least) {
    fields.fault(NAMES.step, `must be at least ${least} for this range (${MAX_POINTS} points)`);
  }
  fields.refuseIfWrong();
  return { start, end, step };
}

function createDeploymentAnswer(
  parts: Parts,
  record: DeploymentRecord,
  serviceName: string,
): object {
  const createdAt = parts.store.state.startedAt - record.minutesAgo * 60_000;
  const restart = parts.store.state.restarts.find(
    ({ serviceId }) => serviceId === record.serviceId,
  );
  const { id, serviceId, durationSeconds, trigger, sha, message, author, failure } = record;
  return {
    id,
    serviceId,
    serviceName,
    status: failure === undefined ? 'succeeded' : 'failed',
    trigger,
    branch: 'main',
    commit: { sha, message, author },
    image:
      failure?.step === 'build'
        ? null
        : `registry.sandbox.example/${serviceName}:${sha.slice(0, 12)}`,
    failure: failure ?? null,
    createdAt: toIsoTime(createdAt),
    finishedAt: toIsoTime(createdAt + durationSeconds * 1_000),
    durationSeconds,
    lastRestartAt:
      failure === undefined && restart !== undefined ? toIsoTime(restart.restartedAt) : null,
  };
}

function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Operation 6, and the lookup of its job. */
export const ACTION_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.runAction, async (parts, request, caller) => {
    const service = visibleService(parts, request.params['id'], caller);
    const fields = createBodyReader(await request.body());
    const action = fields.requiredText('action', { max: 100 });
    fields.object('params');
    if (action !== '' && !ACTIONS.has(action)) {
      fields.fault('action', `is not a known action. Use one of ${[...ACTIONS.keys()].join(', ')}`);
    }
    fields.refuseIfWrong();
    if (service.kind !== 'wordpress') {
      throw new Refusal(
        400,
        `Managed actions are for WordPress services; ${service.name} is of kind ${service.kind}.`,
      );
    }
    const now = parts.clock.now();
    const job = { jobId: newId('job'), serviceId: service.id, action, createdAt: now };
    parts.store.commit({ jobs: [...parts.store.state.jobs, job] });
    return { status: 202, body: createJobAnswer(job, now) };
  }),

  signedInRoute(GET_JOB, (parts, request, caller) => {
    const service = visibleService(parts, request.params['id'], caller);
    const jobId = request.params['jobId'] ?? '';
    const { jobs, startedAt } = parts.store.state;
    const job = [...jobs, createKnownJob(startedAt)].find(
      (each) => each.jobId === jobId && each.serviceId === service.id,
    );
    if (job === undefined) throw notFound('job', jobId);
    return { status: 200, body: createJobAnswer(job, parts.clock.now()) };
  }),
];

/**
 * A job that every sandbox has, so that examples can name it: a cache that was flushed an hour
 * before the start.
 */
function createKnownJob(startedAt: number): JobRecord {
  return {
    jobId: KNOWN_JOB.id,
    serviceId: KNOWN_JOB.service,
    action: 'cache.flush',
    createdAt: startedAt - 3_600_000,
  };
}

const QUEUED_MS = 600;

/** A job is queued at first, then running, and after the time of its action completed or failed. */
function createJobAnswer(job: JobRecord, now: number): object {
  const age = now - job.createdAt;
  const doneAfterMs = 1_000 * (ACTIONS.get(job.action) ?? 2);
  const { jobId, action, serviceId } = job;
  const queued = {
    jobId,
    status: 'queued',
    action,
    serviceId,
    createdAt: toIsoTime(job.createdAt),
  };
  if (age < QUEUED_MS) return queued;
  const started = { ...queued, status: 'running', startedAt: toIsoTime(job.createdAt + QUEUED_MS) };
  if (age < doneAfterMs) {
    return {
      ...started,
      progress: Math.floor((100 * (age - QUEUED_MS)) / (doneAfterMs - QUEUED_MS)),
    };
  }
  const finished = {
    ...started,
    finishedAt: toIsoTime(job.createdAt + doneAfterMs),
    progress: 100,
  };
  return action === FAILING_ACTION
    ? { ...finished, status: 'failed', message: 'The action ended with exit status 1.' }
    : { ...finished, status: 'completed', message: 'The action ended with exit status 0.' };
}

const DATABASE_AGE_MS = 97 * 24 * 60 * 60 * 1000;

/** Operation 10. Credentials are for the owners and admins of the chosen organization. */
export const DATABASE_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.getDatabase, (parts, request, caller) => {
    const found = visibleDatabase(parts, request.params['id'], caller);
    const { id, name, engine, version, sizeBytes, service, connectionUrl, username } = found;
    const credentialsIncluded = caller.organization.role !== 'member';
    const createdAt = toIsoTime(parts.store.state.startedAt - DATABASE_AGE_MS);
    const body = {
      database: { id, name, engine, version, status: 'available', sizeBytes, createdAt },
      plan: { id: 'plan_db_small', name: 'Database Small' },
      service: { id: service.id, kind: service.kind, name: service.name },
      credentialsIncluded,
      ...(credentialsIncluded && { connectionUrl, username, password: DATABASE_PASSWORD }),
    };
    return { status: 200, body };
  }),
];
