import type { Answer, AnswerStream, Call, Client } from '../http/call.ts';
import type { Assume } from '../spec/assumptions.ts';
import { OPERATIONS, type Operation } from '../spec/operations.ts';
import type { DeploymentLookup, Job, MetricsHistory, Restart } from '../spec/types.ts';

/** Bytes that a metrics answer may have where it is held. */
const METRICS_MAX_BYTES = 256 * 1024 * 1024;

/** Operation 6, as a call: queues a managed action. */
export function actionCall(serviceId: string, action: string, params: Readonly<Record<string, unknown>>): Call {
  return { operation: OPERATIONS.runAction, path: { id: serviceId }, body: { action, params } };
}

/** Operation 6: queues a managed action and answers the job. */
export function runAction(client: Client, call: Call): Promise<Answer<Job>> {
  return client.call(call);
}

/** The job of a managed action, at the assumed path `job.path`. */
export function getJob(client: Client, assume: Assume, serviceId: string, jobId: string): Promise<Answer<Job>> {
  const operation: Operation = {
    name: 'getJob',
    method: 'GET',
    path: assume('job.path'),
    credentials: 'token_or_session',
    retry: 'read',
  };
  return client.call({ operation, path: { id: serviceId, jobId } });
}

/** The range of operation 7: two ISO 8601 instants and a bucket size in seconds. */
export interface MetricsRange {
  readonly start: string;
  readonly end: string;
  readonly stepSeconds: number;
}

/** Operation 7: usage points of a service, in time buckets. */
export function getMetricsHistory(
  client: Client,
  assume: Assume,
  serviceId: string,
  range: MetricsRange,
  stream?: AnswerStream,
): Promise<Answer<MetricsHistory>> {
  return client.call({
    operation: OPERATIONS.getMetricsHistory,
    path: { id: serviceId },
    query: [
      [assume('metrics.start'), range.start],
      [assume('metrics.end'), range.end],
      [assume('metrics.step'), String(range.stepSeconds)],
    ],
    showsQuery: true,
    accept: 'object_or_array',
    maxBytes: METRICS_MAX_BYTES,
    stream,
  });
}

/** Operation 8: a deployment, and whether it is live. */
export function getDeployment(
  client: Client,
  serviceId: string,
  deploymentId: string,
  stream?: AnswerStream,
): Promise<Answer<DeploymentLookup>> {
  return client.call({ operation: OPERATIONS.getDeployment, path: { id: serviceId, deploymentId }, stream });
}

/** Operation 9: restarts the live container with its current image. */
export function restartService(client: Client, serviceId: string): Promise<Answer<Restart>> {
  return client.call({ operation: OPERATIONS.restartService, path: { id: serviceId } });
}
