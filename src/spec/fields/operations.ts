import { ACTION_BODY, JOB } from './actions.ts';
import { AUTOPAY, ORDER, ORDER_BODY } from './billing.ts';
import { DATABASE_LOOKUP } from './databases.ts';
import { DOMAIN_SCAN, SCAN_BODY, STAGED_DOMAIN, STAGING_BODY } from './dns.ts';
import type { Fields } from './field.ts';
import { DEVICE_START, DEVICE_START_BODY, DEVICE_TOKEN, DEVICE_TOKEN_BODY } from './login.ts';
import { DEPLOYMENT_LOOKUP, METRICS_HISTORY, METRICS_QUERY, RESTART } from './services.ts';
import { USER_LOOKUP } from './user.ts';

interface OperationFields {
  readonly answer: Fields;
  readonly body?: Fields;
  readonly query?: Fields;
}

/** The fields of the twelve documented operations, by the names in src/spec/operations.ts. */
export const OPERATION_FIELDS = {
  startDeviceLogin: { body: DEVICE_START_BODY, answer: DEVICE_START },
  pollDeviceLogin: { body: DEVICE_TOKEN_BODY, answer: DEVICE_TOKEN },
  createOrder: { body: ORDER_BODY, answer: ORDER },
  scanDomain: { body: SCAN_BODY, answer: DOMAIN_SCAN },
  stageDomain: { body: STAGING_BODY, answer: STAGED_DOMAIN },
  runAction: { body: ACTION_BODY, answer: JOB },
  getMetricsHistory: { query: METRICS_QUERY, answer: METRICS_HISTORY },
  getDeployment: { answer: DEPLOYMENT_LOOKUP },
  restartService: { answer: RESTART },
  getDatabase: { answer: DATABASE_LOOKUP },
  getUser: { answer: USER_LOOKUP },
  getAutopay: { answer: AUTOPAY },
} as const satisfies Record<string, OperationFields>;

/** The Error object of the service. */
export const SERVICE_ERROR = {
  error: { type: 'unknown', meaning: 'a message, or an object with a message for each invalid field' },
} as const satisfies Fields;
