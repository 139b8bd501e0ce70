import { ACTION_BODY, JOB } from './actions.ts';
import { AUTOPAY, ORDER, ORDER_BODY } from './billing.ts';
import { DATABASE_LOOKUP } from './databases.ts';
import { DOMAIN_SCAN, SCAN_BODY, STAGED_DOMAIN, STAGING_BODY } from './dns.ts';
import type { Fields } from './field.ts';
import { DEVICE_START, DEVICE_START_BODY, DEVICE_TOKEN, DEVICE_TOKEN_BODY } from './login.ts';
import { DEPLOYMENT_LOOKUP, METRICS_HISTORY, METRICS_QUERY, RESTART } from './services.ts';
import { USER_LOOKUP } from './user.ts';

interface OperationFields {
  /** Its heading. */
  readonly title: string;
  readonly area: string;
  readonly answer: Fields;
  readonly body?: Fields;
  readonly query?: Fields;
}

/** The twelve documented operations, by the names in src/spec/operations.ts. */
export const OPERATION_FIELDS = {
  startDeviceLogin: {
    title: 'Start a device login',
    area: 'Authentication',
    body: DEVICE_START_BODY,
    answer: DEVICE_START,
  },
  pollDeviceLogin: {
    title: 'Poll a device login',
    area: 'Authentication',
    body: DEVICE_TOKEN_BODY,
    answer: DEVICE_TOKEN,
  },
  createOrder: { title: 'Create an order and start payment', area: 'Billing', body: ORDER_BODY, answer: ORDER },
  scanDomain: { title: "Scan a domain's current DNS", area: 'Domains', body: SCAN_BODY, answer: DOMAIN_SCAN },
  stageDomain: {
    title: "Move a domain's DNS to the platform",
    area: 'Domains',
    body: STAGING_BODY,
    answer: STAGED_DOMAIN,
  },
  runAction: { title: 'Run a managed action', area: 'WordPress', body: ACTION_BODY, answer: JOB },
  getMetricsHistory: {
    title: 'Get resource usage history',
    area: 'Services',
    query: METRICS_QUERY,
    answer: METRICS_HISTORY,
  },
  getDeployment: { title: 'Get a deployment', area: 'Services', answer: DEPLOYMENT_LOOKUP },
  restartService: { title: 'Restart a service', area: 'Services', answer: RESTART },
  getDatabase: { title: 'Get a database', area: 'Databases', answer: DATABASE_LOOKUP },
  getUser: { title: 'Get the authenticated user', area: 'User', answer: USER_LOOKUP },
  getAutopay: { title: 'Get automatic renewal status', area: 'Billing', answer: AUTOPAY },
} as const satisfies Record<string, OperationFields>;

/** The Error object of the API. */
export const SERVICE_ERROR = {
  error: { type: 'unknown', meaning: 'a message, or an object with a message for each invalid field' },
} as const satisfies Fields;

/** The Error object of operation 2. */
export const POLL_ERROR = {
  error: {
    type: 'string',
    enum: [
      'authorization_pending',
      'slow_down',
      'temporarily_unavailable',
      'access_denied',
      'expired_token',
      'invalid_grant',
    ],
    meaning: 'why there is no token',
  },
} as const satisfies Fields;
