import { DNS_RECORD } from './fields/dns.ts';
import type { Fields, RecordOf, UncheckedOf } from './fields/field.ts';
import type {
  NAMES,
  OPERATION_FIELDS,
  ORDER_BODY,
  ORDER_ITEM,
  ORGANIZATION,
} from './fields/operations.ts';

/** A class of the retry table (src/api/statuses.ts). */
export type RetryClass = 'start' | 'poll' | 'keyed' | 'read' | 'scan' | 'write';

/** The credentials that an operation takes. */
export type CredentialRule = 'none' | 'token' | 'token_or_session';

/** A request of the API. */
export interface Operation {
  /** The number in the API document, if it is documented. */
  readonly number?: number;
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** Path below the base URL; `{name}` stands for one encoded segment. */
  readonly path: string;
  readonly credentials: CredentialRule;
  readonly retry: RetryClass;
  readonly command?: string;
}

/** Whether a lost answer leaves the outcome unknown. */
export function changesSomething({ retry }: Operation): boolean {
  return retry === 'write' || retry === 'keyed';
}

/** Whether it only looks. */
export function isRead({ retry }: Operation): boolean {
  return retry === 'read' || retry === 'scan';
}

type Row = readonly [
  number: number,
  request: `${Operation['method']} /${string}`,
  retry: RetryClass,
  command: string,
  credentials?: CredentialRule,
];

const ROWS = {
  startDeviceLogin: [1, 'POST /v1/auth/device', 'start', 'login', 'none'],
  pollDeviceLogin: [2, 'POST /v1/auth/device/token', 'poll', 'login', 'none'],
  createOrder: [3, 'POST /v1/checkout', 'keyed', 'buy', 'token'],
  scanDomain: [4, 'POST /v1/domains/import/scan', 'scan', 'domains import'],
  stageDomain: [5, 'POST /v1/services/{id}/domains/{domain}/import', 'write', 'domains add'],
  runAction: [6, 'POST /v1/services/{id}/actions', 'write', 'wp run'],
  getMetricsHistory: [7, 'GET /v1/services/{id}/metrics/history', 'read', 'metrics'],
  getDeployment: [
    8,
    'GET /v1/services/{id}/deployments/{deploymentId}',
    'read',
    'deployments inspect',
  ],
  restartService: [9, 'POST /v1/services/{id}/restart', 'write', 'restart'],
  getDatabase: [10, 'GET /v1/databases/{id}', 'read', 'db inspect'],
  getUser: [11, 'GET /v1/user', 'read', 'whoami'],
  getAutopay: [12, 'GET /v1/billing/autopay', 'read', 'billing autopay'],
} as const satisfies Record<string, Row>;

/** The twelve operations of the API whose shape is documented. */
export const OPERATIONS = Object.fromEntries(
  Object.entries<Row>(ROWS).map(
    ([name, [number, request, retry, command, credentials = 'token_or_session']]) => {
      const [method, path] = request.split(' ');
      return [name, { number, name, method, path, credentials, retry, command }];
    },
  ),
) as { readonly [Name in keyof typeof ROWS]: Required<Operation> };

/** Creates the lookup of a job. The API document does not show it; its path is an assumption. */
export function createJobLookup(path: string): Operation {
  return { name: 'getJob', method: 'GET', path, credentials: 'token_or_session', retry: 'read' };
}

/** The header that selects the organization, by id or slug. */
export const ORG_HEADER = 'X-Service-Org';
/** The header that makes repeating an order safe. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** The cookie of a dashboard browser session. */
export const SESSION_COOKIE = 'svc.session-token';
/** Every token of the platform begins with this. */
export const TOKEN_PREFIX = 'svc_';
/** The domain of the sandbox's databases, below a reserved name (RFC 2606). */
export const SANDBOX_DATABASE_HOSTS = '.db.sandbox.example';
/** Tokens of the sandbox never leave the machine. */
export const SANDBOX_TOKEN_PREFIX = 'svc_sandbox_';
/** How long a token is valid: 90 days. */
export const TOKEN_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;

type Operations = typeof OPERATION_FIELDS;
type AnswerOf<Name extends keyof Operations> = UncheckedOf<Operations[Name]['answer']>;
/** The body of an operation. */
export type BodyOf<Name extends keyof Operations> = Operations[Name] extends {
  readonly body: infer Body extends Fields;
}
  ? RecordOf<Body>
  : never;

// Of an answer, every field is unknown until a reader has checked it.

/** Operation 1. */
export type DeviceStart = AnswerOf<'startDeviceLogin'>;
/** Operation 2. */
export type DeviceToken = AnswerOf<'pollDeviceLogin'>;
/** Operation 3. */
export type Order = AnswerOf<'createOrder'>;
/** Operation 4. */
export type DomainScan = AnswerOf<'scanDomain'>;
/** Operation 5. */
export type StagedDomain = AnswerOf<'stageDomain'>;
/** Operation 6, and the assumed lookup of its job. */
export type Job = AnswerOf<'runAction'>;
/** Operation 8. */
export type DeploymentLookup = AnswerOf<'getDeployment'>;
/** Operation 9. */
export type Restart = AnswerOf<'restartService'>;
/** Operation 10. */
export type DatabaseLookup = AnswerOf<'getDatabase'>;
/** Operation 11. */
export type UserLookup = AnswerOf<'getUser'>;
/** The user in operation 11. */
export type User = UncheckedOf<typeof NAMES>;
/** An organization in operation 11. */
export type Organization = UncheckedOf<typeof ORGANIZATION>;
/** Operation 12. */
export type Autopay = AnswerOf<'getAutopay'>;

/** Operation 3, as a user may have written it. */
export type OrderBody = UncheckedOf<typeof ORDER_BODY>;
/** An item of an order, as a user may have written it. */
export type UncheckedItem = UncheckedOf<typeof ORDER_ITEM>;
/** An item of an order. */
export type OrderItem = RecordOf<typeof ORDER_ITEM>;

/** The seven record types that the platform can hold. */
export const RECORD_TYPES = DNS_RECORD.type.enum;
/** A record type that the platform can hold. */
export type RecordType = (typeof RECORD_TYPES)[number];

/** One DNS record in the form that staging (operation 5) takes. */
export type DnsRecord = RecordOf<typeof DNS_RECORD>;

/** A DNS record of any type. */
export type ZoneRecord = Omit<DnsRecord, 'type'> & { readonly type: string };

/** A zone as the sandbox answers operation 4. */
export type Zone = RecordOf<Operations['scanDomain']['answer']>;
