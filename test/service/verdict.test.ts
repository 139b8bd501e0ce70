import { expect, test } from 'vitest';
import { kindOf, statusWords } from '../../src/service/status-words.ts';
import { judge } from '../../src/service/verdict.ts';
import { assumeFrom } from '../../src/spec/assumptions.ts';

// Which names are trouble, and where: test/trust/verdicts.test.ts and test/trust/answers.test.ts.

const assume = assumeFrom(new Map());

// biome-ignore format: a table
test.each([
  ['the words of svc', '', 'failed', 'failed FAILED payment_failed PAYMENT-FAILED PaymentFailed void finished-with-errors partially_completed timed_out TIMEOUT cancelled-by-user'],
  ['the words of svc', '', 'pending', 'pending pending_payment requires_action in-progress IN_PROGRESS awaiting-payment restarting incomplete'],
  ['the words of svc', '', 'done', 'done Complete ok paid payment_complete order-paid unchanged'],
  ['the words of svc', '', undefined, 'skipped weird done-ish not-failed not_done unsuccessful without-errors 42 réussi'],
  ['a word that is added', '+skipped', 'done', 'skipped done'],
  ['words in place of them', 'skipped not_modified', 'done', 'skipped not_modified'],
  ['words in place of them', 'skipped not_modified', undefined, 'done'],
  // A word that the user declares is of that kind, whatever svc took it for.
  ['a word of another kind', '+queued timed_out', 'done', 'queued timed-out'],
  ['a word of another kind', '+queued timed_out', 'pending', 'running'],
  ['a word of another kind', '+queued timed_out', 'failed', 'dead'],
])('%s (%j) are %s: %s', (_what, done, kind, list) => {
  const words = statusWords(assumeFrom(new Map(done === '' ? [] : [['job.done', done]])), 'job');
  const statuses = list.split(' ').flatMap((status) => [status, status.replaceAll('-', ' ')]);
  expect(statuses.filter((status) => kindOf(status, words) !== kind)).toEqual([]);
});

// biome-ignore format: a table
test.each([
  ['failed', [
    { success: false, status: 'done' }, { success: 'false' }, { success: 'no', status: 'queued' }, { jobId: 'j', status: 'done', error: 'disk full' },
    { status: 'done', failed: 2 }, { success: true, data: { job: { status: 'failed' } } }, { success: true, paymentStatus: 'failed' },
    { status: { code: 'failed' } }, { status: 'done', items: [{ status: 'done' }, { status: 'refused' }] }, { status: 'done', items: { a: { error: 'x' } } },
    { success: true, items: { A: [{ staged: false }] } }, { status: 'done', outcome: 'failed' }, [{ status: 'done' }, { error: 'x' }],
  ]],
  ['pending', [{ success: true, status: 'queued' }, { status: 'done', items: [{ status: 'queued' }] }]],
  ['unknown', [
    { success: true, status: 'weird' }, { success: true, job: { status: 'weird' } }, { status: 'done', items: [{ status: 'odd' }] },
    { status: 'done', state: 'odd' }, { success: 'maybe', status: 'done' },
  ]],
  ['done', [
    { status: 'done', errors: [], failed: 0, rejected: null, error: {} }, { status: 'done', error: 'none', errors: 'null', failed: '0' },
    { success: true }, { previousStatus: 'failed', status: 'done' }, { data: { status: 'done' } }, { status: 'done', result: '3 errors were corrected' },
    { history: [{ status: 'failed' }], status: 'done' },
  ]],
  ['silent', [{ success: 0 }, { message: 'hello' }, {}, 'done']],
])('%s: %j', (verdict, answers) => {
  for (const answer of answers as unknown[]) expect([answer, judge(answer, 'change', assume).verdict]).toEqual([answer, verdict]);
});

test('a documented success: true decides, unless something says failed', () => {
  const said = (answer: unknown) => judge(answer, 'restart', assume).verdict;
  expect(['weird', 'restarting'].map((status) => said({ success: true, status }))).toEqual(['done', 'done']);
  expect(said({ success: true, data: { status: 'failed' } })).toBe('failed');
});

test('the element that failed is named', () => {
  const part = { status: 'failed', domain: 'a.example' };
  const said = { verdict: 'failed', status: 'failed', path: 'items[1]', part };
  expect(judge({ items: [{ status: 'ok' }, part] }, 'change', assume)).toMatchObject(said);
});
