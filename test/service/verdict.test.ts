import { expect, test } from 'vitest';
import { kindOf, statusWords } from '../../src/service/status-words.ts';
import { judge } from '../../src/service/verdict.ts';
import { assumeFrom } from '../../src/spec/assumptions.ts';

const assume = assumeFrom(new Map());
const words = statusWords(assume, 'job');

test.each([
  [
    'failed',
    [
      'failed',
      'FAILED',
      'payment_failed',
      'PAYMENT-FAILED',
      'PaymentFailed',
      'refused',
      'declined',
      'void',
      'insufficient_funds',
    ],
  ],
  [
    'failed',
    [
      'finished with errors',
      'partial',
      'partially_completed',
      'timed_out',
      'timed out',
      'TIMEOUT',
      'cancelled by user',
      'Canceled',
    ],
  ],
  [
    'pending',
    [
      'pending',
      'pending_payment',
      'unpaid',
      'requires_action',
      'created',
      'in progress',
      'IN_PROGRESS',
      'awaiting payment',
    ],
  ],
  ['pending', ['restarting', 'queued', 'incomplete']],
  ['done', ['done', 'Complete', 'SUCCESSFUL', 'ok', 'paid', 'payment_complete', 'order-paid', 'unchanged']],
  [
    undefined,
    ['skipped', 'weird', 'done-ish', 'not failed', 'not_done', 'unsuccessful', 'without errors', '', '42', 'réussi'],
  ],
])('%s: %j', (kind, statuses) => {
  expect(Object.fromEntries(statuses.map((status) => [status, kindOf(status, words)]))).toEqual(
    Object.fromEntries(statuses.map((status) => [status, kind])),
  );
});

const verdictOf = (answer: unknown) => judge(answer, 'change', assume).verdict;

test.each([
  [{ success: false, status: 'done' }, 'failed'],
  [{ success: 'false' }, 'failed'],
  [{ ok: false }, 'failed'],
  [{ jobId: 'j', status: 'done', error: 'disk full' }, 'failed'],
  [{ status: 'done', errors: [], failed: 0, rejected: null, error: {} }, 'done'],
  [{ status: 'done', error: 'none', errors: 'null', failed: '0' }, 'done'],
  [{ status: 'done', failed: 2 }, 'failed'],
  [{ success: true, status: 'weird' }, 'unknown'],
  [{ success: true, job: { status: 'weird' } }, 'unknown'],
  [{ success: true, status: 'done' }, 'done'],
  [{ success: 'no', status: 'queued' }, 'failed'],
  [{ success: true, status: 'queued' }, 'pending'],
  [{ success: true, data: { job: { status: 'failed' } } }, 'failed'],
  [{ success: true }, 'done'],
  [{ success: true, status: 'payment_failed' }, 'failed'],
  [{ success: true, paymentStatus: 'failed' }, 'failed'],
  [{ previousStatus: 'failed', status: 'done' }, 'done'],
  [{ status: { code: 'failed' } }, 'failed'],
  [{ job: { status: 'failed' } }, 'failed'],
  [{ data: { status: 'done' } }, 'done'],
  [{ history: [{ status: 'failed' }], status: 'done' }, 'done'],
  [{ status: 'done', items: [{ status: 'done' }, { status: 'refused' }] }, 'failed'],
  [{ status: 'done', items: { a: { error: 'x' } } }, 'failed'],
  [{ success: true, items: { A: [{ staged: false }] } }, 'failed'],
  [{ status: 'done', items: [{ status: 'queued' }] }, 'pending'],
  [{ status: 'done', items: [{ status: 'odd' }] }, 'unknown'],
  [{ status: 'done', state: 'odd' }, 'unknown'],
  [{ status: 'done', result: '3 errors were corrected' }, 'done'],
  [{ status: 'done', outcome: 'failed' }, 'failed'],
  [{ success: 'maybe', status: 'done' }, 'unknown'],
  [{ success: 0 }, 'silent'],
  [{ message: 'hello' }, 'silent'],
  [{}, 'silent'],
  ['done', 'silent'],
  [[{ status: 'done' }, { error: 'x' }], 'failed'],
])('%j is %s', (answer, verdict) => {
  expect(verdictOf(answer)).toBe(verdict);
});

test('a documented success: true decides, unless something says failed', () => {
  const said = (answer: unknown) => judge(answer, 'restart', assume).verdict;
  expect(said({ success: true, status: 'weird' })).toBe('done');
  expect(said({ success: true, status: 'restarting' })).toBe('done');
  expect(said({ success: true, data: { status: 'failed' } })).toBe('failed');
});

test('the element that failed is named', () => {
  const answer = { items: [{ status: 'ok' }, { status: 'failed', domain: 'a.example' }] };
  expect(judge(answer, 'change', assume)).toMatchObject({
    verdict: 'failed',
    status: 'failed',
    path: 'items[1]',
    part: { domain: 'a.example' },
  });
});

test('an assumption that begins with + adds a word; any other replaces them all', () => {
  const added = statusWords(assumeFrom(new Map([['job.done', '+skipped']])), 'job');
  expect([kindOf('skipped', added), kindOf('done', added)]).toEqual(['done', 'done']);
  const replaced = statusWords(assumeFrom(new Map([['job.done', 'skipped not_modified']])), 'job');
  expect([kindOf('skipped', replaced), kindOf('done', replaced), kindOf('not_modified', replaced)]).toEqual([
    'done',
    undefined,
    'done',
  ]);
});

test('a word that the user declares is of that kind, whatever svc took it for', () => {
  const words = statusWords(assumeFrom(new Map([['job.done', '+queued timed_out']])), 'job');
  expect(['queued', 'timed out', 'running', 'dead'].map((word) => kindOf(word, words))).toEqual([
    'done',
    'done',
    'pending',
    'failed',
  ]);
});
