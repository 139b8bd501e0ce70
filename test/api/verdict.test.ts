import { expect, test } from 'vitest';
import {
  type ChangeKind,
  classifyStatus,
  readStatusWords,
  unwrap,
} from '../../src/api/read-answer.ts';
import { judge } from '../../src/api/verdict.ts';
import { createAssume } from '../../src/contract/assumptions.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import type { JsonObject } from '../../src/json/values.ts';

// Whole answers, and what commands make of them: test/trust/answers.test.ts, imagined.test.ts. That
// no other field moves a verdict: test/trust/any-field.test.ts.

const assume = createAssume(new Map());

test.each([
  [
    '',
    'failed',
    'failed payment_failed PAYMENT-FAILED PaymentFailed build_failed timed_out cancelled-by-user insufficient_funds crashed',
  ],
  [
    '',
    'pending',
    'pending pending_payment requires_action requires-confirmation restarting incomplete',
  ],
  ['', 'done', 'done Complete paid order-paid unchanged confirmed synced'],
  [
    '',
    undefined,
    'skipped weird done-ish not-failed unsuccessful without-errors 42 partial partially_failed completed_with_errors',
  ],
  ['+skipped', 'done', 'skipped done'],
  ['not_modified', undefined, 'done'],
  // A word that the user declares is of that kind, whatever svc took it for.
  ['+queued timed_out', 'done', 'queued timed-out'],
])('where SVC_ASSUME adds %j to what is done, %s is: %s', (done, kind, list) => {
  const overrides = new Map(done === '' ? [] : [['job.done', done]]);
  const words = readStatusWords(createAssume(overrides), 'job');
  const statuses = list.split(' ').flatMap((status) => [status, status.replaceAll('-', ' ')]);

  expect(statuses.filter((status) => classifyStatus(status, words) !== kind)).toEqual([]);
});

test.each(['job.failed', 'job.pending', 'job.done'] as const)(
  'a word that the user declares in %s is of that kind, whatever svc takes it for',
  (name) => {
    const declared = createAssume(new Map([[name, 'failed pending done']]));
    const words = readStatusWords(declared, 'job');

    const kinds = ['failed', 'pending', 'done'].map((word) => classifyStatus(word, words));

    expect(new Set(kinds)).toEqual(new Set([name.replace('job.', '')]));
  },
);

test('what is pending of a job and of an order are two rows', () => {
  const own = createAssume(new Map([['job.pending', 'warming']]));
  const classify = (status: string, thing: ChangeKind) =>
    classifyStatus(status, readStatusWords(own, thing));

  expect(classify('warming', 'job')).toBe('pending');
  expect(classify('warming', 'order')).toBeUndefined();
  expect(classify('queued', 'order')).toBe('pending');
});

type Case = readonly [what: string, thing: ChangeKind, answer: JsonObject];

const CASES: Readonly<Record<string, readonly Case[]>> = {
  failed: [
    ['an error', 'restart', { error: 'x' }],
    ['field errors', 'restart', { error: { items: ['is wrong'] } }],
    ['a no', 'restart', { success: false }],
    ['a no as text', 'restart', { success: 'False' }],
    ['a failed state', 'job', { state: 'failed' }],
    ['one failed status of two', 'order', { status: 'failed', payment: { status: 'failed' } }],
    ['an inner status', 'job', { result: { status: 'failed' } }],
    ['an inner no', 'job', { data: { success: false } }],
    ['an inner error', 'restart', { result: { error: 'x' } }],
  ],
  doubtful: [
    ['an error beside a done status', 'job', { status: 'done', error: 'x' }],
    ['an error beside an unknown status', 'job', { status: 'odd', error: 'x' }],
    ['a no beside an order id', 'order', { orderId: 'o', success: false }],
    ['a yes beside a failed status', 'restart', { success: true, status: 'failed' }],
    ['two statuses', 'order', { status: 'paid', payment: { status: 'failed' } }],
    ['an inner failure beside a yes', 'restart', { success: true, job: { status: 'failed' } }],
  ],
  pending: [
    ['a pending status', 'job', { status: 'queued' }],
    ['the worse of two statuses', 'order', { status: 'paid', paymentStatus: 'pending' }],
  ],
  unknown: [
    ['an unknown status beside a yes', 'job', { success: true, status: 'odd' }],
    ['an unknown status beside a done one', 'job', { status: 'done', state: 'odd' }],
  ],
  done: [
    ['a done status', 'job', { status: 'done' }],
    ['a yes', 'restart', { success: 'true' }],
    ['a yes beside any status', 'restart', { success: true, status: 'odd' }],
    ['empty errors', 'job', { status: 'done', error: { a: [null, ' ', 0] } }],
    ['the output of a job', 'job', { status: 'done', result: { error: 'x' }, data: { error: 1 } }],
  ],
  silent: [
    ['no fact', 'order', { orderId: 'o', failed: true }],
    ['an odd yes', 'restart', { success: 'maybe' }],
    ['a status that is no text', 'job', { status: { code: 'failed' } }],
    ['an inner yes', 'restart', { data: { success: true, status: 'done' } }],
    ['an inner error of an unknown operation', 'change', { data: { error: 'x' } }],
  ],
};

for (const [verdict, cases] of Object.entries(CASES)) {
  test.each(cases)(`%s is ${verdict} (%s)`, (_what, thing, answer) => {
    expect(judge({ value: answer, wrappers: [] }, thing, assume).verdict).toBe(verdict);
  });
}

test.each([
  ['an error', { error: 'x' }],
  ['a no', { success: false }],
  ['a failed status', { status: 'failed' }],
])('%s of the envelope counts against what it wraps, a yes does not count for it', (_what, no) => {
  const wrap = (envelope: JsonObject) =>
    unwrap({ ...envelope, data: { jobId: 'j1', action: 'backup' } }, OPERATIONS.runAction);

  expect(judge(wrap(no), 'job', assume).verdict).toBe('failed');
  expect(judge(wrap({ success: true, status: 'done' }), 'job', assume).verdict).toBe('silent');
});

test('a status beside a wrapper confirms nothing, and a failed one counts', () => {
  const judgeBeside = (paymentStatus: string) =>
    judge(
      unwrap({ paymentStatus, data: { orderId: 'o' } }, OPERATIONS.createOrder),
      'order',
      assume,
    ).verdict;

  expect(judgeBeside('paid')).toBe('silent');
  expect(judgeBeside('failed')).toBe('doubtful');
});

test.each([
  ['the answer itself', { orderId: 'o', data: { orderId: 'p' } }, { orderId: 'o' }],
  ['what data holds', { success: true, data: { orderId: 'o' } }, { orderId: 'o' }],
  ['two deep', { data: { order: { orderId: 'o' } } }, { orderId: 'o' }],
  ['the one with the id', { provider: 'p', order: { orderId: 'o' } }, { orderId: 'o' }],
  ['an order with an id', { status: 'ok', data: { order: { id: 'o' } } }, { orderId: 'o' }],
  ['the one before an order with an id', { orderId: 'o', order: { id: 'p' } }, { orderId: 'o' }],
])('an order is read from %s', (_what, answer, order) => {
  expect(unwrap(answer, OPERATIONS.createOrder).value).toMatchObject(order);
});

test('of two objects with as many documented fields the outer one counts', () => {
  const answer = { jobId: 'j1', job: { jobId: 'j2' } };

  expect(unwrap(answer, OPERATIONS.runAction).value).toEqual(answer);
});

test.each([
  ['a wrapper', { data: { id: 'x', provider: 'p' } }],
  ['an item', { items: { id: 'x' }, provider: 'p' }],
])('the id of %s is no id of an order', (_what, answer) => {
  expect(unwrap(answer, OPERATIONS.createOrder).value).not.toHaveProperty('orderId');
});

test('what stands beside a wrapper is laid under what it wraps, but for what is about the request', () => {
  const answer = {
    status: 'success',
    state: 'ready',
    total: 5,
    status_url: 'x',
    data: { jobId: 'j1', status: 'queued' },
  };

  expect(unwrap(answer, OPERATIONS.runAction).value).toEqual({
    total: 5,
    status_url: 'x',
    jobId: 'j1',
    status: 'queued',
  });
});

test('of a field that stands in an answer and beside it, the one of the answer counts', () => {
  const deployment = { id: 'dep_1', status: 'live' };
  const answer = { message: 'ok', data: { deployment, message: 'Deployed.' } };

  const { value } = unwrap(answer, OPERATIONS.getDeployment);

  expect(value).toMatchObject({ deployment, message: 'Deployed.' });
});

test('a field that is called __proto__ gives an answer no other fields', () => {
  const answer = JSON.parse('{"orderId": "o", "__proto__": {"status": "failed"}}');

  const { verdict } = judge(unwrap(answer, OPERATIONS.createOrder), 'order', assume);

  expect(verdict).toBe('silent');
});
