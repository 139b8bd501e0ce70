import type { Row } from './imagined-answers.ts';

// Answers that deny or contradict what was asked for, by a hand that knows the judge.

const ORDER = { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' };
const JOB = { jobId: 'j1', status: 'queued', action: 'backup' };
const DONE = { jobId: 'j1', status: 'completed', action: 'backup' };
const A = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 3600 };
const MX = { subdomain: '', type: 'MX', value: 'mail.example.net', ttl: 3600, priority: 10 };
const NAMESERVERS = ['ns1.new.example', 'ns2.new.example'];
const STAGED = { nameservers: NAMESERVERS, stagedRecords: [A, MX] };

/** Answers that say no, and nothing else. */
export const FAILED: readonly Row[] = [
  [
    'an order that failed in an envelope',
    'buy',
    { success: true, data: { ...ORDER, status: 'failed' } },
  ],
  ['an order whose number failed', 'buy', { order: { id: 'ord_1', status: 'payment_failed' } }],
  ['an order that was declined', 'buy', { ...ORDER, payment_status: 'DECLINED' }],
  ['an order that failed with an error', 'buy', { ...ORDER, status: 'failed', error: 'no funds' }],
  ['a restart with a failed status', 'restart', { status: 'failed' }],
  ['a restart with success as a text', 'restart', { success: 'false' }],
  ['a restart with an error around it', 'restart', { error: 'x', data: { message: 'no' } }],
  ['a restart with a failed job', 'restart', { job: { status: 'failed' } }],
  ['an action with a failed result', 'run', { jobId: 'j1', result: { status: 'failed' } }],
  ['a staging that was refused', 'stage', { error: { 'records[0]': 'is not valid' } }],
  [
    'a staging with a failed record',
    'stage',
    { ...STAGED, stagedRecords: [A, { ...MX, status: 'failed' }] },
  ],
  [
    'a staging with a record in error',
    'stage',
    { ...STAGED, stagedRecords: [A, { ...MX, error: 'x' }] },
  ],
  [
    'a staging with a refused record',
    'stage',
    { ...STAGED, stagedRecords: [A, { ...MX, success: false }] },
  ],
  ['a staging of nothing', 'stage', { ...STAGED, stagedRecords: [] }],
  [
    'a deployment that is not live and failed',
    'live',
    { deployment: { id: 'latest', status: 'failed', error: 'npm' }, isLive: false },
  ],
];

/** Answers that say yes and no. */
export const IN_DOUBT: readonly Row[] = [
  [
    'an order that is paid and failed',
    'buy',
    { ...ORDER, status: 'paid', paymentStatus: 'failed' },
  ],
  ['an order in an envelope with an error', 'buy', { error: 'timeout', data: ORDER }],
  ['an order with an order that failed', 'buy', { ...ORDER, order: { status: 'failed' } }],
  ['an order with an unknown status and an error', 'buy', { ...ORDER, status: 'odd', error: 'x' }],
  ['an order without an id that failed', 'buy', { status: 'failed' }],
  ['an order with an empty id', 'buy', { ...ORDER, orderId: ' ' }],
  ['an answer that names no order', 'buy', { id: 'ord_1', paymentMethod: 'mobile_money' }],
  ['a restart that says nothing', 'restart', { message: 'ok' }],
  [
    'a restart in an envelope that failed',
    'restart',
    { status: 'failed', data: { success: true } },
  ],
  ['an action with an error beside its status', 'run', { ...JOB, error: 'no worker' }],
  ['an action that names no job', 'run', { action: 'backup' }],
  ['a job that is done and in error', 'job', { ...DONE, error: 'disk full' }],
  ['a staging that only says yes', 'stage', { success: true, nameservers: NAMESERVERS }],
];

/** Reads that were refused with 200. */
export const REFUSED: readonly Row[] = [
  ['an account in an envelope', 'user', { data: { error: 'no access' } }],
  ['an account beside nothing', 'user', { success: false, error: 'no access', user: null }],
  ['usage in an envelope', 'usage', { result: { error: 'no access' } }],
  ['a job', 'job', { error: 'No such job' }],
];

/** Answers that pass for nothing where a check was asked for. */
export const UNTOLD: readonly Row[] = [
  [
    'a deployment that is live and in error',
    'live',
    { deployment: { id: 'latest', error: 'x' }, isLive: true },
  ],
  [
    'a deployment that is not live, and an error',
    'live',
    { deployment: { id: 'latest' }, isLive: false, error: 'x' },
  ],
];

/** Answers without a positive statement. */
export const OPEN: readonly Row[] = [
  ['an order in an envelope without a status', 'buy', { status: 'success', data: ORDER }],
  ['an order with two kinds of words', 'buy', { ...ORDER, status: 'paid_pending' }],
  ['a staging that is still under way', 'stage', { ...STAGED, status: 'pending' }],
  [
    'a staging in another form',
    'stage',
    { ...STAGED, stagedRecords: [{ type: 'A', value: '192.0.2.9' }] },
  ],
];
