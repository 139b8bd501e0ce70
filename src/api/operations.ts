import type { Assume } from '../contract/assumptions.ts';
import { createJobLookup, IDEMPOTENCY_HEADER, OPERATIONS } from '../contract/operations.ts';
import type {
  Autopay,
  BodyOf,
  DatabaseLookup,
  DeploymentLookup,
  DnsRecord,
  Job,
  OrderBody,
  UserLookup,
} from '../contract/types.ts';
import type { Answer, Call, Client } from './call.ts';

/** Operation 11. */
export function getUser(client: Client): Promise<Answer<UserLookup>> {
  return client.call({ operation: OPERATIONS.getUser });
}

/** Operation 6. */
export function actionCall(
  id: string,
  action: string,
  params: Readonly<Record<string, unknown>>,
): Call {
  return {
    operation: OPERATIONS.runAction,
    path: { id },
    body: { action, params } satisfies BodyOf<'runAction'>,
    doing: `Starting ${action}`,
    settling: {
      lines: [`${action} may be queued. Look at ${id} in the dashboard before you run it again.`],
    },
  };
}

/** Looks up a job, at the assumed path `job.path`. */
export function getJob(
  client: Client,
  assume: Assume,
  serviceId: string,
  jobId: string,
): Promise<Answer<Job>> {
  return client.call({
    operation: createJobLookup(assume('job.path')),
    path: { id: serviceId, jobId },
  });
}

/** The range of operation 7; `start` and `end` are ISO 8601 instants. */
export interface MetricsRange {
  readonly start: string;
  readonly end: string;
  readonly stepSeconds: number;
}

/** Operation 7. */
export function getMetricsHistory(
  client: Client,
  assume: Assume,
  id: string,
  { start, end, stepSeconds, isText = false }: MetricsRange & Pick<Call, 'isText'>,
): Promise<Answer<unknown>> {
  return client.call({
    operation: OPERATIONS.getMetricsHistory,
    path: { id },
    query: [
      [assume('metrics.start'), start],
      [assume('metrics.end'), end],
      [assume('metrics.step'), String(stepSeconds)],
    ],
    showsQuery: true,
    doing: 'Reading the usage',
    accept: 'object_or_array',
    isText,
    large:
      'Ask for a shorter range with --since and --until, or for fewer points with a larger --step.',
  });
}

/** Operation 8. */
export function getDeployment(
  client: Client,
  id: string,
  deploymentId: string,
): Promise<Answer<DeploymentLookup>> {
  return client.call({ operation: OPERATIONS.getDeployment, path: { id, deploymentId } });
}

/** Operation 9. The command `look` shows whether the service was restarted. */
export function restartCall(id: string, look: string): Call {
  return {
    operation: OPERATIONS.restartService,
    path: { id },
    doing: `Restarting ${id}`,
    settling: { lines: ['The restart may have happened. Check before you repeat it.'], hint: look },
  };
}

/** Operation 10: a database; only owners and admins get its credentials. */
export function getDatabase(client: Client, id: string): Promise<Answer<DatabaseLookup>> {
  return client.call({ operation: OPERATIONS.getDatabase, path: { id } });
}

/** Operation 3. Sent any number of times, the same key and body make one order. */
export function orderCall(body: OrderBody | Uint8Array, idempotencyKey: string): Call {
  // Who sends the order says how to settle it, with its key.
  return {
    operation: OPERATIONS.createOrder,
    body,
    headers: { [IDEMPOTENCY_HEADER]: idempotencyKey },
    doing: 'Placing the order',
    settling: { lines: [] },
  };
}

/** Operation 12. */
export function getAutopay(client: Client): Promise<Answer<Autopay>> {
  return client.call({ operation: OPERATIONS.getAutopay });
}

/** Operation 4: changes nothing. */
export function scanCall(domain: string): Call {
  return { operation: OPERATIONS.scanDomain, body: { domain } satisfies BodyOf<'scanDomain'> };
}

/** A sentence for when it is unknown whether operation 5 was carried out. */
export const STAGING_MAY_HAVE_HAPPENED =
  'The records may have been staged. Staging switches nothing, so the domain works as before.';

/** Operation 5. The nameservers are switched later, at the registrar. */
export function stagingCall(id: string, domain: string, records: readonly DnsRecord[]): Call {
  return {
    operation: OPERATIONS.stageDomain,
    path: { id, domain },
    body: { records } satisfies BodyOf<'stageDomain'>,
    doing: `Staging the records of ${domain}`,
    settling: {
      lines: [
        STAGING_MAY_HAVE_HAPPENED,
        'No command shows what the platform has staged: ask its support before you run the same command again.',
      ],
    },
  };
}
