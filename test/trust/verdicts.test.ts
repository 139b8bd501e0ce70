import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOfDeployment } from '../../src/commands/deployments/inspect.ts';
import { judgeStaging } from '../../src/commands/domains/staging.ts';
import { jobFailure, stateOf } from '../../src/commands/wp/job.ts';
import type { CliError } from '../../src/errors.ts';
import { asObject, type JsonObject } from '../../src/json/values.ts';
import { readGlobals } from '../../src/kit/globals.ts';
import { judgeOrder } from '../../src/orders/send.ts';
import type { Answer } from '../../src/service/call.ts';
import { conclude } from '../../src/service/judged-errors.ts';
import { judge, judgeDeployment } from '../../src/service/verdict.ts';
import { assumeFrom } from '../../src/spec/assumptions.ts';
import type { DeploymentLookup, DnsRecord } from '../../src/spec/types.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';

// What an answer to a change says of itself decides, wherever it says it. Each try judges it as the command does, without
// a request; `answers.test.ts` has whole command lines.

const assume = assumeFrom(new Map());

const RECORDS: readonly DnsRecord[] = [
  { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 3600 },
  { subdomain: '', type: 'MX', value: 'mail.example.net', ttl: 3600, priority: 10 },
];

/** What a command makes of an answer. */
type Made = { readonly error: CliError | undefined; readonly tick: boolean };

type Path = readonly (string | number)[];

/** The places of a list such as `items.0 data.result`. */
function paths(list: string): readonly Path[] {
  return list.split(' ').map((path) => path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)));
}

/** A command that changes something, and an answer that says that all is well. */
interface Change {
  readonly name: string;
  readonly good: JsonObject;
  /** The places that svc knows, besides those of every answer. */
  readonly places: readonly Path[];
  /** Exit code of trouble in any other place, if it is not 8. */
  readonly doubtful?: 12;
  readonly judged: (answer: JsonObject) => Made;
}

const GLOBALS = readGlobals(new Map(), {});
const JOB = { assume, service: 's1', action: 'backup', globals: GLOBALS };
const AWAITED = { id: 'd1', service: 's1', waits: false, failIfNotLive: true };
const PAID = 'payment transaction charge provision';

const SENTENCES = { failed: 'It failed', doubtful: 'Trouble' };

const CHANGES: readonly Change[] = [
  {
    name: 'an order',
    good: { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' },
    places: paths(`items.0 data.items.0 ${PAID} data.${PAID.replaceAll(' ', ' data.')}`),
    judged(answer) {
      const { verdict, judgement } = judgeOrder(answer, assume);
      return { error: conclude(judgement, SENTENCES), tick: verdict === 'placed' || verdict === 'created' };
    },
  },
  {
    name: 'a staging',
    good: { nameservers: ['ns1.new.example', 'ns2.new.example'], stagedRecords: RECORDS },
    places: paths('stagedRecords.1 items.0'),
    judged(answer) {
      const { failure, isConfirmed } = judgeStaging(answer, { domain: 'example.com', records: RECORDS }, assume);
      return { error: failure, tick: isConfirmed };
    },
  },
  {
    name: 'a job',
    good: { jobId: 'j1', action: 'backup', status: 'completed' },
    places: paths('items.0 records.0 job.result'),
    judged(answer) {
      const state = stateOf(answer, assume);
      const error = jobFailure(answer, state, JOB, true);
      return { error, tick: state.stage === 'done' && error === undefined };
    },
  },
  {
    name: 'a restart',
    good: { success: true },
    places: paths('items.0 data.result'),
    judged(answer) {
      const judgement = judge(answer, 'restart', assume);
      const error = conclude(judgement, { ...SENTENCES, unclear: 'Unclear' });
      return { error, tick: judgement.verdict === 'done' && error === undefined };
    },
  },
  {
    name: 'a deployment under --fail-if-not-live',
    good: { deployment: { id: 'd1' }, isLive: true },
    places: paths('items.0'),
    doubtful: 12,
    judged(value) {
      const met = { status: 200, headers: {}, text: '', requestId: undefined, attempts: 1, outcomeUnknown: false };
      const answer: Answer<DeploymentLookup> = { ...met, value };
      const looked = { answer, judgement: judgeDeployment(value, true, assume), other: undefined };
      const error = failureOfDeployment(AWAITED, looked, GLOBALS);
      return { error, tick: error === undefined };
    },
  },
];

/** Places that svc knows in every answer. */
const KNOWN: readonly Path[] = [[], ...paths('data result order job deployment')];

/** Lays fields into a place of an answer. */
function laid(value: unknown, [key, ...path]: Path, fields: JsonObject): unknown {
  if (key === undefined) return { ...asObject(value), ...fields };
  if (typeof key === 'string') return { ...asObject(value), [key]: laid(asObject(value)[key], path, fields) };
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return [...list.slice(0, key), laid(list[key], path, fields), ...list.slice(key + 1)];
}

const written = (path: Path) => path.join('.').replaceAll(/\.(\d+)/g, '[$1]');

/* The words are written down here a second time: what src/service must make of them. */

const spelled = fc.constantFrom<(word: string) => string>(
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.replaceAll(/[_ ]/g, '-'),
  (word) => word.replaceAll(/[_ ]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (word) => `order_${word}`,
);
const words = (list: string) =>
  fc.tuple(fc.constantFrom(...list.split(' ')), spelled).map(([word, spell]) => spell(word));
const field = (names: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
  fc.tuple(fc.constantFrom(...names.split(' ')), values).map(([name, value]) => ({ [name]: value }));

const STATUS_NAMES = 'status state paymentStatus order_state';
const OWN_WORDS = 'failed failing fails failure error errors rejected declined denied refused conflict payment_failed';
const MORE = 'cancelled canceled aborted killed dead expired timeout timed_out void insufficient partial blocked';
const OTHER_WORDS = `${MORE} partially_completed`;

const something = fc.constantFrom<unknown>('disk full', ['no'], { field: ['is wrong'] }, true, 3, '51', 'E_NO_FUNDS');
const count = fc.constantFrom<unknown>(1, 3, ['a'], [{ id: 1 }]);
const troubleNamed = fc.oneof(
  field('error errors failure failures conflict conflicts failed rejected declined refused denied', something),
  field('errorCode error_message failureReason failed_count conflictDetails rejectedAt errorText', something),
  field('paymentError dnsErrors importFailures', something),
  field('failedRecords rejectedItems deniedHosts failed_plugins', count),
);
const no = fc.constantFrom<unknown>(false, 'false', 'no', 'No');

const troubleInKnown = fc.oneof(
  field(STATUS_NAMES, words(`${OWN_WORDS} ${OTHER_WORDS}`)),
  field('success ok accepted approved successful succeeded isAccepted is_ok', no),
  troubleNamed,
);
const troubleElsewhere = fc.oneof(field(STATUS_NAMES, words(OWN_WORDS)), field('success ok', no), troubleNamed);

const nothing = fc.constantFrom<unknown>(
  ...[null, false, 0, '', [], {}, '0', '00', 'OK', 'SUCCESS', 'none', 'None', 'null', 'n/a', 'false', '-'],
  ...['no errors', '0 errors', [null], { A: [] }, { code: 0, message: 'OK' }],
);
const harmless = fc.oneof(
  field('note description title hint comment', fc.constantFrom('Payment failed: no funds', 'error', 'rejected')),
  field('lastError previousStatus previousFailure last_failed_at lastRejected', something),
  field('history logs attempts previousJob lastRun', fc.constantFrom([{ status: 'failed', error: 'x' }])),
  field('params parameters request input', fc.constantFrom({ failed: ['x'], error: 'true', check: { ok: false } })),
  field('errorTracking failureThreshold conflictResolution failFast errorBudget', something),
  field('rejectedBy declinedBy', fc.constantFrom<unknown>('a person', true, { id: 'u1' })),
  field('errorUrl failurePolicy errorHandler errorPage errorLog errorRate failureLimit failedAttempts', something),
  field('onError onFailure removeOnFail ifConflict rollback_on_failure errorRetries failedRetry', something),
  field('error errors failed rejected conflicts failureReason errorCode failedCount failedRecords', nothing),
  field('region created total ttl tags cancellable refundable invalidatedPaths terrorism lostLinks', something),
  field('deniedHosts failedPlugins rejectedItems', fc.constant('a text is no list')),
);
const harmlessElsewhere = fc.oneof(
  harmless,
  field('status state', words(`${OTHER_WORDS} nonsense pending`)),
  field('accepted approved paid completed verified live valid', no),
  field('skipped missing invalid ignored lost unavailable', count),
);

/** Where svc knows nothing, below a place that it knows or not. */
const ELSEWHERE = ['customer', 'checks', 'zone', 'meta', 'steps', 'volumes'];
const below: fc.Arbitrary<Path> = fc
  .array(fc.tuple(fc.constantFrom(...ELSEWHERE), fc.constantFrom<Path>([], [0])), { minLength: 1, maxLength: 2 })
  .map((steps) => steps.flatMap(([name, index]) => [name, ...index]));

const known = ({ places }: Change) => fc.constantFrom(...KNOWN, ...places);
const elsewhere = (change: Change) => fc.tuple(known(change), below).map(([place, path]): Path => [...place, ...path]);

type Laid = [path: Path, fields: JsonObject];
const several = (fields: fc.Arbitrary<JsonObject>) =>
  fc.array(fields, { minLength: 1, maxLength: 4 }).map((all): JsonObject => Object.assign({}, ...all));

/** Lays fields into the good answers of each change, and checks what its command makes of them. */
function everywhere(
  title: string,
  firstSeed: number,
  anyLaid: (change: Change) => fc.Arbitrary<Laid>,
  check: (made: Made, change: Change, laid: Laid) => void,
) {
  test.each(CHANGES.map((change, index) => ({ change, index, name: change.name })))(`$name: ${title}`, (one) => {
    const { change, index } = one;
    const { numRuns, seed } = tries(6_000, firstSeed + index);
    const property = fc.property(anyLaid(change), (given) =>
      check(change.judged(asObject(laid(change.good, ...given))), change, given),
    );
    fc.assert(property, { numRuns, seed });
    figure('Verdicts', numRuns);
  });
}

const inKnown = (change: Change) => fc.tuple(known(change), troubleInKnown);
everywhere('trouble in a known place is exit 9', 71_001, inKnown, ({ error, tick }) => {
  expect([error?.exitCode, tick]).toEqual([9, false]);
});

const inOther = (change: Change) => fc.tuple(elsewhere(change), troubleElsewhere);
everywhere('trouble anywhere else is a doubt, named by its path', 72_001, inOther, ({ error, tick }, change, given) => {
  const doubtful = change.doubtful === undefined ? [8, 'unknown', false] : [change.doubtful, undefined, false];
  expect([error?.exitCode, error?.details.outcome, tick]).toEqual(doubtful);
  expect(error?.message).toContain(`${written(given[0])}.${Object.keys(given[1])[0]} is `);
});

const inBoth = (change: Change) =>
  fc.oneof(fc.tuple(known(change), several(harmless)), fc.tuple(elsewhere(change), several(harmlessElsewhere)));
everywhere('what is harmless takes neither the tick nor exit 0', 73_001, inBoth, ({ error, tick }) => {
  expect([error?.message, tick]).toEqual([undefined, true]);
});
