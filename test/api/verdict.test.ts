import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf, statusWords } from '../../src/api/status-words.ts';
import { judge } from '../../src/api/verdict.ts';
import { assumeFrom } from '../../src/contract/assumptions.ts';
import { asObject, type JsonObject } from '../../src/json/values.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';

// What commands make of a verdict: test/trust/answers.test.ts.

const assume = assumeFrom(new Map());

test.each([
  [
    '',
    'failed',
    'failed payment_failed PAYMENT-FAILED PaymentFailed finished-with-errors timed_out cancelled-by-user',
  ],
  ['', 'pending', 'pending pending_payment requires_action IN_PROGRESS restarting incomplete'],
  ['', 'done', 'done Complete paid order-paid unchanged'],
  ['', undefined, 'skipped weird done-ish not-failed unsuccessful without-errors 42'],
  ['+skipped', 'done', 'skipped done'],
  ['not_modified', undefined, 'done'],
  // A word that the user declares is of that kind, whatever svc took it for.
  ['+queued timed_out', 'done', 'queued timed-out'],
])('where SVC_ASSUME adds %j to what is done, %s is: %s', (done, kind, list) => {
  const words = statusWords(assumeFrom(new Map(done === '' ? [] : [['job.done', done]])), 'job');
  const statuses = list.split(' ').flatMap((status) => [status, status.replaceAll('-', ' ')]);
  expect(statuses.filter((status) => kindOf(status, words) !== kind)).toEqual([]);
});

test.each<[verdict: string, answers: unknown[]]>([
  [
    'failed',
    [
      { status: { code: 'failed' } },
      { items: { a: { error: 'x' } } },
      { items: { A: [{ staged: false }] } },
      [{ error: 'x' }],
    ],
  ],
  [
    'unknown',
    [
      { success: true, job: { status: 'weird' } },
      { status: 'done', state: 'odd' },
      { success: 'maybe', status: 'done' },
    ],
  ],
  [
    'done',
    [
      { success: true },
      { data: { status: 'done' } },
      { status: 'done', result: '3 errors were corrected' },
    ],
  ],
])('%s: %j', (verdict, answers) => {
  expect(answers.filter((answer) => judge(answer, 'change', assume).verdict !== verdict)).toEqual(
    [],
  );
});

test('a restart that says success: true is done, unless something says failed', () => {
  const said = (more: object) => judge({ success: true, ...more }, 'restart', assume).verdict;
  expect([said({ status: 'weird' }), said({ data: { status: 'failed' } })]).toEqual([
    'done',
    'failed',
  ]);
});

type Path = readonly (string | number)[];

const paths = (list: string): readonly Path[] =>
  list
    .split(' ')
    .map((path) => path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)));

/**
 * What changes something, an answer that says that all is well, and the places that svc knows
 * besides those of all.
 */
const CHANGES = [
  {
    thing: 'order',
    good: { orderId: 'ord_1' },
    places: 'items.0 data.items.0 payment transaction data.charge provision',
  },
  {
    thing: 'staging',
    good: { stagedRecords: [{ type: 'A' }, { type: 'MX' }] },
    places: 'stagedRecords.1 items.0',
  },
  {
    thing: 'job',
    good: { jobId: 'j1', status: 'completed' },
    places: 'items.0 records.0 job.result',
  },
  { thing: 'restart', good: { success: true }, places: 'items.0 data.result' },
  { thing: 'deployment', good: { deployment: { id: 'd1' }, isLive: true }, places: 'items.0' },
] as const;
type Change = (typeof CHANGES)[number];

const KNOWN: readonly Path[] = [[], ...paths('data result order job deployment')];

/** Lays fields into a place of an answer. */
function laid(value: unknown, [key, ...path]: Path, fields: JsonObject): unknown {
  if (key === undefined) return { ...asObject(value), ...fields };
  if (typeof key === 'string')
    return { ...asObject(value), [key]: laid(asObject(value)[key], path, fields) };
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return [...list.slice(0, key), laid(list[key], path, fields), ...list.slice(key + 1)];
}

/* The words are written down here a second time: what src/api must make of them. */

const spelled = fc.constantFrom<(word: string) => string>(
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.replaceAll(/[_ ]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (word) => `order-${word}`,
);
const words = (list: string) =>
  fc.tuple(fc.constantFrom(...list.split(' ')), spelled).map(([word, spell]) => spell(word));
const field = (names: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(fc.constantFrom(...names.split(' ')), values)
    .map(([name, value]) => ({ [name]: value }));
const oneOf = (...values: readonly unknown[]) => fc.constantFrom(...values);

const STATUS_NAMES = 'status state paymentStatus order_state';
const OWN_WORDS =
  'failed failing fails failure error errors rejected declined denied refused conflict payment_failed';
const OTHER_WORDS =
  'cancelled aborted killed dead expired timeout timed_out void insufficient partial blocked';

const something = oneOf('disk full', ['no'], { field: ['is wrong'] }, true, 3, '51');
const count = oneOf(1, 3, ['a'], [{ id: 1 }]);
const no = oneOf(false, 'false', 'No');
const troubleNamed = fc.oneof(
  field(
    'error failures conflict failed rejected declined refused denied errorCode failureReason paymentError',
    something,
  ),
  field('failedRecords rejectedItems failed_plugins', count),
);
const troubleInKnown = fc.oneof(
  field(STATUS_NAMES, words(`${OWN_WORDS} ${OTHER_WORDS} partially_completed`)),
  field('success ok accepted approved successful succeeded isAccepted is_ok', no),
  troubleNamed,
);
const troubleElsewhere = fc.oneof(
  field(STATUS_NAMES, words(OWN_WORDS)),
  field('success ok', no),
  troubleNamed,
);

const nothing = oneOf(
  null,
  false,
  0,
  '',
  [],
  {},
  '00',
  'OK',
  'none',
  'n/a',
  '-',
  'no errors',
  [null],
  { A: [] },
);
const harmless = fc.oneof(
  field('lastError previousStatus previousFailure last_failed_at', something),
  field(
    'params parameters request input',
    oneOf({ failed: ['x'], error: 'true', check: { ok: false } }),
  ),
  field(
    'errorTracking failureThreshold conflictResolution errorUrl errorLog failureLimit failedAttempts',
    something,
  ),
  field('onError onFailure removeOnFail ifConflict rollback_on_failure errorRetries', something),
  field(
    'error errors failed rejected conflicts failureReason errorCode failedCount failedRecords',
    nothing,
  ),
  field(
    'region created ttl cancellable refundable invalidatedPaths terrorism lostLinks',
    something,
  ),
);
const harmlessElsewhere = fc.oneof(
  harmless,
  field('status state', words(`${OTHER_WORDS} nonsense pending`)),
  field('accepted approved paid completed verified live valid', no),
  field('skipped missing invalid ignored lost unavailable', count),
);

/** Where svc knows nothing, below a place that it knows or not. */
const step = fc.tuple(
  fc.constantFrom('customer', 'checks', 'zone', 'meta', 'steps'),
  fc.constantFrom<Path>([], [0]),
);
const below = fc.array(step, { minLength: 1, maxLength: 2 }).map((steps): Path => steps.flat(2));
const known = ({ places }: Change) => fc.constantFrom(...KNOWN, ...paths(places));
const elsewhere = (change: Change) =>
  fc.tuple(known(change), below).map((both): Path => both.flat());
const several = (fields: fc.Arbitrary<JsonObject>) =>
  fc
    .array(fields, { minLength: 1, maxLength: 4 })
    .map((all): JsonObject => Object.assign({}, ...all));

test.each(CHANGES)(
  '$thing: trouble has failed in a known place, is a doubt in any other, and is not imagined',
  (change) => {
    const { thing, good } = change;
    const { numRuns, seed } = tries(18_000, 71_001 + CHANGES.indexOf(change));
    const judged = (path: Path, fields: JsonObject) =>
      judge(laid(good, path, fields), thing, assume);
    const inKnown = fc.property(known(change), troubleInKnown, (path, fields) => {
      expect(judged(path, fields).verdict).toBe('failed');
    });
    const inOther = fc.property(elsewhere(change), troubleElsewhere, (path, fields) => {
      const { verdict, doubt } = judged(path, fields);
      const where = [...path, Object.keys(fields)[0]].join('.').replaceAll(/\.(\d+)/g, '[$1]');
      expect([verdict === 'failed', doubt?.path]).toEqual([false, where]);
    });
    const harmlessPlaces = fc.oneof(
      fc.tuple(known(change), several(harmless)),
      fc.tuple(elsewhere(change), several(harmlessElsewhere)),
    );
    const nowhere = fc.property(harmlessPlaces, ([path, fields]) => {
      const { verdict, doubt } = judged(path, fields);
      expect([verdict, doubt]).toEqual([judge(good, thing, assume).verdict, undefined]);
    });
    const settings = { numRuns: Math.ceil(numRuns / 3), seed };
    fc.assert(inKnown, settings);
    fc.assert(inOther, settings);
    fc.assert(nowhere, settings);
    figure('Verdicts', numRuns);
  },
);
