import type { JsonObject } from '../../src/json/values.ts';

// Answers that a platform of the API document may give, written from that document alone, by a hand
// that had not read the judge. Which command meets them: `COMMANDS`.

const A = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 3600 };
const MX = { subdomain: '', type: 'MX', value: 'mail.example.net', ttl: 3600, priority: 10 };
const NAMESERVERS = ['ns1.new.example', 'ns2.new.example'];
const ORDER = { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' };
const JOB = { jobId: 'j1', status: 'queued', action: 'backup' };
const DONE = { jobId: 'j1', status: 'completed', action: 'backup' };
const STAGED = { nameservers: NAMESERVERS, stagedRecords: [A, MX] };
const RESTART = '/v1/services/s1/restart';
const DEPLOYMENT = 'GET /v1/services/s1/deployments/latest';

/** A line that is typed, the request that meets the answer, and what stdin holds. */
export interface Command {
  readonly line: string;
  readonly request: string;
  readonly stdin?: unknown;
}

/** What is typed, and the request that meets the answer. */
export const COMMANDS = {
  buy: {
    line: 'buy --plan plan_1 --network mtn --phone +237670000042 --yes',
    request: 'POST /v1/checkout',
  },
  'api checkout': {
    line: 'api -X POST --input - /v1/checkout --yes',
    request: 'POST /v1/checkout',
    stdin: { items: [{ planId: 'plan_1' }] },
  },
  restart: { line: 'restart s1', request: `POST ${RESTART}` },
  'api restart': { line: `api -X POST ${RESTART}`, request: `POST ${RESTART}` },
  run: { line: 'wp run backup --service s1', request: 'POST /v1/services/s1/actions' },
  job: { line: 'wp status j1 --service s1', request: 'GET /v1/services/s1/actions/j1' },
  stage: {
    line: 'domains add example.com --service s1 --import --records - --yes',
    request: 'POST /v1/services/s1/domains/example.com/import',
    stdin: [A, MX],
  },
  scan: { line: 'domains import example.com', request: 'POST /v1/domains/import/scan' },
  live: {
    line: 'deployments inspect latest --service s1 --fail-if-not-live',
    request: DEPLOYMENT,
  },
  deployment: { line: 'deployments inspect latest --service s1', request: DEPLOYMENT },
  database: { line: 'db inspect db_1', request: 'GET /v1/databases/db_1' },
  user: { line: 'whoami', request: 'GET /v1/user' },
  autopay: { line: 'billing autopay', request: 'GET /v1/billing/autopay' },
  usage: { line: 'metrics s1', request: 'GET /v1/services/s1/metrics/history' },
} as const satisfies Record<string, Command>;

/** One answer: what it is in words, the command that meets it, and its body. */
export type Row = readonly [what: string, command: keyof typeof COMMANDS, answer: JsonObject];

/** Good answers of a platform that says more than its document. */
export const HARMLESS: readonly Row[] = [
  [
    'an order with its items',
    'buy',
    { ...ORDER, items: [{ planId: 'plan_1', status: 'pending', price: 12_000 }], total: 12_000 },
  ],
  ['an order with empty lists', 'buy', { ...ORDER, errors: [], warnings: null }],
  ['an order without an error', 'buy', { ...ORDER, error: null, success: true }],
  ['an order with an empty error', 'buy', { ...ORDER, error: '' }],
  [
    'an order with advice',
    'buy',
    { ...ORDER, message: 'If the payment failed, dial *126# and try again.' },
  ],
  [
    'an order with addresses to return to',
    'buy',
    { ...ORDER, failureUrl: 'https://example.com/failed', cancelUrl: 'https://example.com/no' },
  ],
  ['an order with a count of retries', 'buy', { ...ORDER, retries: { failed: 0, attempts: 1 } }],
  [
    'an order that replaces one that failed',
    'buy',
    { ...ORDER, previousOrder: { orderId: 'ord_0', status: 'failed', error: 'timeout' } },
  ],
  ['an order with a check that was not made', 'buy', { ...ORDER, fraudCheck: { success: false } }],
  [
    'an order with a member since long',
    'buy',
    { ...ORDER, customer: { status: 'suspended_once', blocked: false } },
  ],
  ['an order through svc api', 'api checkout', { ...ORDER, invoice: { status: 'unpaid' } }],
  ['a restart without an error', 'restart', { success: true, message: 'ok', error: null }],
  [
    'a restart after a crash',
    'restart',
    { success: true, message: '0 errors', previous: { exitCode: 137, status: 'crashed' } },
  ],
  [
    'a restart beside another service that is down',
    'restart',
    { success: true, services: [{ name: 'redis', status: 'failed' }] },
  ],
  [
    'a restart with warnings',
    'restart',
    { success: true, warnings: ['The health check failed once'] },
  ],
  [
    'a restart through svc api',
    'api restart',
    { success: true, incident: { status: 'failed', error: 'disk' } },
  ],
  [
    'an action whose last run failed',
    'run',
    { ...JOB, lastRun: { status: 'failed', error: 'disk full' } },
  ],
  ['an action with its params', 'run', { ...JOB, params: { error: 'log', success: false } }],
  ['an action that can be cancelled', 'run', { ...JOB, status: 'running', cancelled: false }],
  ['an action in a queue with failures', 'run', { ...JOB, queue: { failed: 3, length: 9 } }],
  ['a job with a summary', 'job', { ...DONE, result: { failed: 0, skipped: 2 } }],
  [
    'a job with a step that was done again',
    'job',
    { ...DONE, steps: [{ name: 'dump', status: 'failed', retried: true }] },
  ],
  ['a job without an error', 'job', { ...DONE, error: null }],
  ['a job with its output', 'job', { ...DONE, output: 'Error: 1 plugin is out of date' }],
  ['a staging that skipped nothing', 'stage', { ...STAGED, skipped: [], failed: [] }],
  ['a staging without errors', 'stage', { ...STAGED, errors: {}, conflicts: [] }],
  [
    'a staging that is still to be verified',
    'stage',
    { ...STAGED, verification: { status: 'pending', verified: false } },
  ],
  [
    'a staging whose records have ids',
    'stage',
    {
      ...STAGED,
      stagedRecords: [
        { id: 'r1', ...A },
        { id: 'r2', ...MX, proxied: false },
      ],
    },
  ],
  [
    'a live deployment with a check that failed',
    'live',
    { deployment: { id: 'latest', status: 'ready', checks: [{ status: 'failed' }] }, live: true },
  ],
  [
    'a scan without an error',
    'scan',
    {
      apex: 'example.com',
      currentNameservers: NAMESERVERS,
      records: [A],
      warnings: [],
      error: null,
      failedLookups: 0,
    },
  ],
];

/** Answers to a change that say by a documented field or the status that it failed. */
export const FAILED: readonly Row[] = [
  ['an order that failed', 'buy', { ...ORDER, status: 'failed' }],
  ['an order whose payment failed', 'buy', { ...ORDER, payment: { status: 'failed' } }],
  ['an order whose payment status is failed', 'buy', { ...ORDER, paymentStatus: 'failed' }],
  ['an order that was cancelled', 'buy', { ...ORDER, state: 'cancelled' }],
  ['a restart without success', 'restart', { success: false, message: 'The image is gone' }],
  ['a restart with an error', 'restart', { error: 'No such container' }],
  ['a restart through svc api', 'api restart', { success: false }],
  ['an action that failed at once', 'run', { ...JOB, status: 'failed' }],
  ['a job that failed', 'job', { ...DONE, status: 'failed' }],
  ['a job whose state is failed', 'job', { jobId: 'j1', state: 'failed' }],
  ['a staging without one record', 'stage', { nameservers: NAMESERVERS, stagedRecords: [A] }],
  ['a deployment that is not live', 'live', { deployment: { id: 'latest' }, live: false }],
];

/** Answers to a change after which nobody knows. */
export const IN_DOUBT: readonly Row[] = [
  // Without its id an order may exist, whatever else the answer says.
  ['an order that was not made', 'buy', { error: 'Card declined' }],
  ['an order without success', 'buy', { success: false, message: 'Not enough money' }],
  ['an order beside an error', 'buy', { ...ORDER, error: 'The payment was refused' }],
  ['an order beside no success', 'buy', { ...ORDER, success: false }],
  ['an order through svc api beside an error', 'api checkout', { ...ORDER, error: 'x' }],
  ['a restart with success and an error', 'restart', { success: true, error: 'No container' }],
  ['a staging without its records', 'stage', { nameservers: NAMESERVERS }],
];

/** Answers to a read that are an error and nothing else. */
export const REFUSED: readonly Row[] = [
  ['an account', 'user', { error: 'Down for maintenance' }],
  ['renewals', 'autopay', { error: 'Down for maintenance' }],
  ['a database', 'database', { error: { id: 'is not yours' } }],
  ['usage', 'usage', { error: 'Down for maintenance' }],
  ['a deployment', 'deployment', { error: 'Down for maintenance' }],
  ['a scan', 'scan', { error: 'The lookup failed' }],
];

/** Answers that let nobody tell whether the deployment is live. */
export const UNTOLD: readonly Row[] = [
  ['nothing about live', 'live', { deployment: { id: 'latest' } }],
  ['live beside an error', 'live', { deployment: { id: 'latest' }, live: true, error: 'x' }],
];

/** Answers that are no failure, and nothing that deserves a tick. */
export const OPEN: readonly Row[] = [
  ['an order that waits', 'buy', { ...ORDER, status: 'pending' }],
  ['an order with an unknown status', 'buy', { ...ORDER, status: 'zorgle' }],
  ['an order without a status', 'buy', ORDER],
];
