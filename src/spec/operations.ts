/** A row of the retry table (src/service/retry.ts). */
export type RetryClass = 'start' | 'poll' | 'keyed' | 'read' | 'scan' | 'write';

export type CredentialRule = 'none' | 'token' | 'token_or_session';

export interface Operation {
  /** The number in the service's document, if the operation is documented. */
  readonly number?: number;
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** Path below the base URL; `{name}` stands for one encoded segment. */
  readonly path: string;
  readonly credentials: CredentialRule;
  readonly retry: RetryClass;
  /** The command that uses it, for the documentation and a test. */
  readonly command?: string;
}

/** Whether a lost answer leaves the outcome unknown. */
export function changesSomething({ retry }: Operation): boolean {
  return retry === 'write' || retry === 'keyed';
}

/** The twelve operations of the service whose shape is documented. */
export const OPERATIONS = {
  startDeviceLogin: {
    number: 1,
    name: 'startDeviceLogin',
    method: 'POST',
    path: '/v1/auth/device',
    credentials: 'none',
    retry: 'start',
    command: 'login',
  },
  pollDeviceLogin: {
    number: 2,
    name: 'pollDeviceLogin',
    method: 'POST',
    path: '/v1/auth/device/token',
    credentials: 'none',
    retry: 'poll',
    command: 'login',
  },
  createOrder: {
    number: 3,
    name: 'createOrder',
    method: 'POST',
    path: '/v1/checkout',
    credentials: 'token',
    retry: 'keyed',
    command: 'buy',
  },
  scanDomain: {
    number: 4,
    name: 'scanDomain',
    method: 'POST',
    path: '/v1/domains/import/scan',
    credentials: 'token_or_session',
    retry: 'scan',
    command: 'domains import',
  },
  stageDomain: {
    number: 5,
    name: 'stageDomain',
    method: 'POST',
    path: '/v1/services/{id}/domains/{domain}/import',
    credentials: 'token_or_session',
    retry: 'write',
    command: 'domains add',
  },
  runAction: {
    number: 6,
    name: 'runAction',
    method: 'POST',
    path: '/v1/services/{id}/actions',
    credentials: 'token_or_session',
    retry: 'write',
    command: 'wp run',
  },
  getMetricsHistory: {
    number: 7,
    name: 'getMetricsHistory',
    method: 'GET',
    path: '/v1/services/{id}/metrics/history',
    credentials: 'token_or_session',
    retry: 'read',
    command: 'metrics',
  },
  getDeployment: {
    number: 8,
    name: 'getDeployment',
    method: 'GET',
    path: '/v1/services/{id}/deployments/{deploymentId}',
    credentials: 'token_or_session',
    retry: 'read',
    command: 'deployments inspect',
  },
  restartService: {
    number: 9,
    name: 'restartService',
    method: 'POST',
    path: '/v1/services/{id}/restart',
    credentials: 'token_or_session',
    retry: 'write',
    command: 'restart',
  },
  getDatabase: {
    number: 10,
    name: 'getDatabase',
    method: 'GET',
    path: '/v1/databases/{id}',
    credentials: 'token_or_session',
    retry: 'read',
    command: 'db inspect',
  },
  getUser: {
    number: 11,
    name: 'getUser',
    method: 'GET',
    path: '/v1/user',
    credentials: 'token_or_session',
    retry: 'read',
    command: 'whoami',
  },
  getAutopay: {
    number: 12,
    name: 'getAutopay',
    method: 'GET',
    path: '/v1/billing/autopay',
    credentials: 'token_or_session',
    retry: 'read',
    command: 'billing autopay',
  },
} as const satisfies Record<string, Operation>;

/** The header that selects the organization, by id or slug. */
export const ORG_HEADER = 'X-Service-Org';
/** The header that makes repeating a purchase safe. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** The cookie of a dashboard browser session. */
export const SESSION_COOKIE = 'svc.session-token';
export const TOKEN_PREFIX = 'svc_';
/** Hosts of the sandbox's databases: below a reserved name (RFC 2606), so that there are none. */
export const SANDBOX_DATABASE_HOSTS = '.db.sandbox.example';
/** Tokens of the sandbox never leave the machine. */
export const SANDBOX_TOKEN_PREFIX = 'svc_sandbox_';
export const TOKEN_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000;
