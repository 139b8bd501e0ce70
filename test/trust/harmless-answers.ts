import type { Row } from './imagined-answers.ts';

// Good answers with names that sound bad, by a hand that knows the judge: envelopes, and fields
// that lists of words took for trouble.

const ORDER = { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' };
const JOB = { jobId: 'j1', status: 'queued', action: 'backup' };
const DONE = { jobId: 'j1', status: 'completed', action: 'backup' };
const A = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 3600 };
const MX = { subdomain: '', type: 'MX', value: 'mail.example.net', ttl: 3600, priority: 10 };
const NAMESERVERS = ['ns1.new.example', 'ns2.new.example'];
const STAGED = { nameservers: NAMESERVERS, stagedRecords: [A, MX] };
const SCAN = {
  apex: 'example.com',
  currentNameservers: NAMESERVERS,
  records: [A, MX],
  warnings: [],
};
const LIVE = { deployment: { id: 'latest', status: 'ready' }, isLive: true };

/** Answers that end with 0, whatever stands beside the documented fields. */
export const HARMLESS: readonly Row[] = [
  ['an order in an envelope', 'buy', { success: true, data: ORDER }],
  ['an order two deep', 'buy', { status: 'success', data: { order: ORDER } }],
  ['an order with an id of its own', 'buy', { order: { id: 'ord_1', total: 5 } }],
  ['an order with a reason', 'buy', { ...ORDER, failureReason: null, declined: false }],
  ['an order with failed attempts', 'buy', { ...ORDER, failedAttempts: 2, failed: 2 }],
  ['an order with a refused discount', 'buy', { ...ORDER, promo: { status: 'rejected' } }],
  ['an order with errors of the mail', 'buy', { ...ORDER, errors: ['The mail bounced'] }],
  ['an order with an error code', 'buy', { ...ORDER, errorCode: 51, errorMessage: 'x' }],
  ['an order with a status of each item', 'buy', { ...ORDER, items: [{ status: 'failed' }] }],
  ['an order with a numeric status', 'buy', { ...ORDER, status: 3 }],
  ['an order with an error of blanks', 'buy', { ...ORDER, error: { items: [' ', null] } }],
  ['an order with success as a text', 'buy', { ...ORDER, success: 'true' }],
  ['an order with an odd success', 'buy', { ...ORDER, success: 'maybe' }],
  ['a free order', 'buy', { ...ORDER, status: 'provisioned' }],
  ['a restart in an envelope', 'restart', { data: { success: true, message: 'ok' } }],
  ['a restart with success as 1', 'restart', { success: 1, status: 'weird' }],
  ['a restart with a health check', 'restart', { success: true, health: { ok: false } }],
  ['a restart with a sync that failed', 'restart', { success: true, databaseSync: 'failed' }],
  ['a restart that has begun', 'restart', { status: 'restarting' }],
  ['an action in an envelope', 'run', { status: 'success', data: JOB }],
  ['an action with a rejected sibling', 'run', { ...JOB, rejected: ['j0'], conflict: true }],
  ['an action with a status that is new', 'run', { ...JOB, status: 'warming' }],
  ['a job in an envelope', 'job', { success: true, data: { job: DONE } }],
  ['a job with an error in its result', 'job', { ...DONE, result: { error: 'none found' } }],
  ['a job with an error in its data', 'job', { ...DONE, data: { error: 'log of errors' } }],
  ['a job with an exit code', 'job', { ...DONE, exitCode: 1, stderr: 'warning' }],
  ['a job with an outcome', 'job', { ...DONE, outcome: 'failure', cancelled: true }],
  ['a staging in an envelope', 'stage', { ok: true, result: STAGED }],
  ['a staging with its zone', 'stage', { ...STAGED, zone: { status: 'failed' }, dryRun: false }],
  [
    'a staging with its SOA',
    'stage',
    { ...STAGED, stagedRecords: [A, MX, { type: 'SOA', value: 'x', name: '@', status: 'failed' }] },
  ],
  ['a live deployment with an old failure', 'live', { ...LIVE, previousStatus: 'failed' }],
  [
    'a live deployment with a failed status',
    'live',
    { ...LIVE, deployment: { id: 'latest', status: 'failed' } },
  ],
  [
    'a scan of a domain without some types',
    'scan',
    { ...SCAN, missing: ['AAAA'], truncated: true },
  ],
  ['an account with an error beside it', 'user', { user: { email: 'a@b.example' }, error: 'slow' }],
];
