import type { Clock } from '../clock.ts';
import type { Assume } from '../contract/assumptions.ts';
import {
  type Autopay,
  type BodyOf,
  createJobLookup,
  type DatabaseLookup,
  type DeploymentLookup,
  type DnsRecord,
  IDEMPOTENCY_HEADER,
  type Job,
  OPERATIONS,
  type Operation,
  type OrderBody,
  type UserLookup,
} from '../contract/operations.ts';
import type { CliError, Hint, Settling } from '../errors.ts';
import type { Send } from '../http/send.ts';
import type { Unwrapped } from './read-answer.ts';
import type { Redactor } from './redact.ts';
import type { FailedAttempt } from './retry.ts';

/** One use of an operation. */
export interface Call {
  readonly operation: Operation;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: ReadonlyArray<readonly [name: string, value: string]>;
  /** Whether svc made the values itself, so that `--debug` may show them. */
  readonly showsQuery?: boolean;
  /** A value for `toJsonText`, or bytes to send unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Limit for the answer; 10 MiB by default. */
  readonly maxBytes?: number;
  /** Allows an answer of 128 MiB, and says how to ask for less. */
  readonly largeAnswerHint?: string;
  /** The form of the answer, by default a JSON object; `anything` need not be JSON at all. */
  readonly accept?: 'object' | 'object_or_array' | 'anything';
  /** Whether only the text is needed: of an object or array in JSON, whose value is not built. */
  readonly isText?: boolean;
  /** Shown while people wait; by default the host that is asked. */
  readonly doing?: string;
  readonly settling?: Settling;
  readonly onFirstAttempt?: () => void;
}

/** A 2xx answer of the API. */
export interface Answer<T = unknown> extends Unwrapped {
  readonly operation: Operation;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The value without a wrapper; undefined for text that is not JSON (`accept: 'anything'`). */
  readonly value: T;
  /** The body as it came. */
  readonly text: string;
  readonly requestId: string | undefined;
  readonly attempts: number;
  /** Whether an earlier attempt may have been carried out. */
  readonly outcomeUnknown: boolean;
}

/** Sends calls with a sign-in, and repeats failed attempts. */
export interface Client {
  /** @throws CliError for every answer that is not 2xx and every network failure. */
  call<T = unknown>(call: Call): Promise<Answer<T>>;
  /**
   * The request that `call` would send, without credentials; its body is a value for `toJsonText`.
   */
  preview(call: Call): {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: unknown;
  };
}

/** The pace that several clients share. */
export interface Gate {
  /** Waits until the next request may be sent. Returns what to call once it has ended. */
  enter(changes: boolean): Promise<() => void>;
  /** Returns whether the attempt counts, if the gate now pauses. */
  failed(failure: FailedAttempt, changes: boolean): 'free' | 'counted' | undefined;
}

/** The options of a client that differ from those of its siblings. */
export interface ClientOverrides {
  readonly gate?: Gate;
  /** Waiting and watching have limits of their own. */
  readonly deadlinePerCall?: boolean;
  /** Milliseconds for all requests and waits together; 90 s by default. */
  readonly deadlineMs?: number;
  readonly retry?: boolean;
}

/** A token, or the session of a dashboard, which goes into a cookie. */
export interface ClientCredential {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  readonly source: string;
}

/** The bytes of the heap (see `Runtime`), and how many answers share it. */
export interface Memory {
  readonly heapLimit: () => number;
  readonly answers: number;
}

/** The parts of a client. Times are in milliseconds. */
export interface ClientOptions extends ClientOverrides {
  readonly baseUrl: string;
  readonly send: Send;
  readonly credential: ClientCredential | undefined;
  readonly org?: string | undefined;
  readonly userAgent: string;
  readonly clock: Clock;
  /** Returns a number between 0 and 1, which spreads the waits. */
  readonly random: () => number;
  readonly retry: boolean;
  readonly signal: AbortSignal;
  readonly allowHttp?: boolean;
  /** The file that `NODE_EXTRA_CA_CERTS` names. */
  readonly extraAuthorities?: string | undefined;
  readonly redactor?: Redactor;
  readonly memory?: Memory;
  readonly debug?: ((line: string) => void) | undefined;
  readonly show?: ((call: Call) => ShownCall) | undefined;
  readonly explain401?:
    | (() => { readonly message?: string; readonly hint?: Hint } | undefined)
    | undefined;
  readonly explainMissing?: () => CliError;
}

/** A call that people see while they wait for its answer. */
export interface ShownCall {
  retry(text: () => string): void;
  stop(): void;
}

/** The request that an error is about. */
export interface ErrorContext
  extends Pick<ClientOptions, 'credential' | 'explain401' | 'extraAuthorities'> {
  readonly operation: Operation;
  readonly url: URL;
}

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
    largeAnswerHint:
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
