import type { Assume } from '../spec/assumptions.ts';
import { IDEMPOTENCY_HEADER, jobLookup, OPERATIONS } from '../spec/operations.ts';
import type {
  Autopay,
  BodyOf,
  DatabaseLookup,
  DeploymentLookup,
  DnsRecord,
  DomainScan,
  Job,
  Order,
  OrderBody,
  Restart,
  StagedDomain,
  UserLookup,
} from '../spec/types.ts';
import type { Answer, Call, Client } from './call.ts';

/** Operation 11: the authenticated user, the active organization, and the token in use. */
export function getUser(client: Client): Promise<Answer<UserLookup>> {
  return client.call({ operation: OPERATIONS.getUser });
}

/** Operation 6. */
export function actionCall(serviceId: string, action: string, params: Readonly<Record<string, unknown>>): Call {
  const lines = [`${action} may be queued. Look at ${serviceId} in the dashboard before you run it again.`];
  return {
    operation: OPERATIONS.runAction,
    path: { id: serviceId },
    body: { action, params } satisfies BodyOf<'runAction'>,
    doing: `Starting ${action}`,
    settling: { lines },
  };
}

/** Operation 6: queues a managed action. */
export function runAction(client: Client, call: Call): Promise<Answer<Job>> {
  return client.call(call);
}

/** Looks up the job of a managed action at the assumed path `job.path`. */
export function getJob(client: Client, assume: Assume, serviceId: string, jobId: string): Promise<Answer<Job>> {
  return client.call({ operation: jobLookup(assume('job.path')), path: { id: serviceId, jobId } });
}

/** The range of operation 7; `start` and `end` are ISO 8601 instants. */
export interface MetricsRange {
  readonly start: string;
  readonly end: string;
  readonly stepSeconds: number;
}

/** Operation 7: usage points of a service, in time buckets. See {@link Call.isText}. */
export function getMetricsHistory(
  client: Client,
  assume: Assume,
  serviceId: string,
  range: MetricsRange,
  isText = false,
): Promise<Answer<unknown>> {
  return client.call({
    operation: OPERATIONS.getMetricsHistory,
    path: { id: serviceId },
    query: [
      [assume('metrics.start'), range.start],
      [assume('metrics.end'), range.end],
      [assume('metrics.step'), String(range.stepSeconds)],
    ],
    showsQuery: true,
    doing: 'Reading the usage',
    accept: 'object_or_array',
    isText,
    large: 'Ask for a shorter range with --since and --until, or for fewer points with a larger --step.',
  });
}

/** Operation 8: a deployment, and whether it is live. */
export function getDeployment(
  client: Client,
  serviceId: string,
  deploymentId: string,
): Promise<Answer<DeploymentLookup>> {
  return client.call({ operation: OPERATIONS.getDeployment, path: { id: serviceId, deploymentId } });
}

/** Operation 9: restarts the live container with its current image. The command `look` shows whether it did. */
export function restartCall(serviceId: string, look: string): Call {
  return {
    operation: OPERATIONS.restartService,
    path: { id: serviceId },
    doing: `Restarting ${serviceId}`,
    settling: { lines: ['The restart may have happened. Check before you repeat it.'], hint: look },
  };
}

/** Operation 9: sends the call that {@link restartCall} made. */
export function restartService(client: Client, call: Call): Promise<Answer<Restart>> {
  return client.call(call);
}

/** Operation 10: a database; only owners and admins get its credentials. */
export function getDatabase(client: Client, databaseId: string): Promise<Answer<DatabaseLookup>> {
  return client.call({ operation: OPERATIONS.getDatabase, path: { id: databaseId } });
}

/** Operation 3. Sent any number of times, the same key and body make one order. */
export function orderCall(body: OrderBody | Uint8Array, idempotencyKey: string): Call {
  const headers = { [IDEMPOTENCY_HEADER]: idempotencyKey };
  // The command that sends the order says how to settle it, with its key.
  const settling = { lines: [] };
  return { operation: OPERATIONS.createOrder, body, headers, doing: 'Placing the order', settling };
}

/** Operation 3: creates an order and starts its payment. */
export function createOrder(client: Client, call: Call): Promise<Answer<Order>> {
  return client.call(call);
}

/** Operation 12: the automatic renewal status. */
export function getAutopay(client: Client): Promise<Answer<Autopay>> {
  return client.call({ operation: OPERATIONS.getAutopay });
}

/** Operation 4. */
export function scanCall(domain: string) {
  return { operation: OPERATIONS.scanDomain, body: { domain } satisfies BodyOf<'scanDomain'> };
}

/** Operation 4: probes the existing zone of an apex domain; changes nothing. */
export function scanDomain(client: Client, domain: string): Promise<Answer<DomainScan>> {
  return client.call(scanCall(domain));
}

/** What to do if it is unknown whether operation 5 was carried out. */
export const STAGING_MAY_HAVE_HAPPENED =
  'The records may have been staged. Staging switches nothing, so the domain works as before.';

/** Operation 5: stages records on the platform's DNS. The nameservers are switched later, at the registrar. */
export function stagingCall(serviceId: string, domain: string, records: readonly DnsRecord[]) {
  const path = { id: serviceId, domain };
  const lines = [
    STAGING_MAY_HAVE_HAPPENED,
    'No command shows what the platform has staged: ask its support before you run the same command again.',
  ];
  const doing = `Staging the records of ${domain}`;
  return {
    operation: OPERATIONS.stageDomain,
    path,
    body: { records } satisfies BodyOf<'stageDomain'>,
    doing,
    settling: { lines },
  };
}

/** Operation 5: returns the nameservers to set and the staged records. */
export function stageDomain(client: Client, call: ReturnType<typeof stagingCall>): Promise<Answer<StagedDomain>> {
  return client.call(call);
}
