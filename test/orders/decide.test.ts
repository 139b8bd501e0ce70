import { describe, expect, test } from 'vitest';
import {
  type Decision,
  decide,
  isSameDecision,
  type WantedOrder,
} from '../../src/orders/decide.ts';
import { isBeingSent, type OrderEntry } from '../../src/orders/entry.ts';
import { getOwnerMark } from '../../src/store/lock.ts';
import { createMachine } from '../../src/store/machine.ts';
import { draftOf, wantedOf } from './orders.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const MACHINE = createMachine(process, 'here');

const at = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

/** A process that sends for another second. */
function senderOf(machine: typeof MACHINE): NonNullable<OrderEntry['sender']> {
  return { mark: getOwnerMark(machine), until: new Date(NOW + 1_000).toISOString() };
}

/** The order that is wanted, as the journal has it an hour after its first request. */
function entryOf(changes: Partial<OrderEntry> = {}): OrderEntry {
  return { ...draftOf('blog', { key: 'k1' }), state: 'unknown', createdAt: at(1), ...changes };
}

type Change = Partial<OrderEntry> & Partial<Pick<WantedOrder, 'newOrder' | 'isResumed'>>;

function wanted({ newOrder, isResumed = false, ...draft }: Change = {}): WantedOrder {
  return wantedOf(draftOf('blog', { key: 'mine', ...draft }), { newOrder, isResumed });
}

const decideOn = (known: readonly OrderEntry[], change: Change = {}) =>
  decide(known, wanted(change), NOW, MACHINE);

/** The decision in a word; that of a new order says whether the user is told of another one. */
function judge(known: readonly OrderEntry[], change: Change = {}): string {
  const decision = decideOn(known, change);
  if (decision.kind === 'refused') return decision.obstacle;
  if (decision.kind !== 'new' || decision.entry === undefined) return decision.kind;
  return `new, told of ${decision.entry.state}`;
}

const MARIE = { account: { profile: 'work', email: 'marie@example.com' } };
const PAUL = { account: { profile: 'work', email: 'paul@example.com' } };
const HOME = { account: { profile: 'home' } };
const OTHER_BODY = { bodyHash: 'other' };
const ELSEWHERE = { address: 'https://api.example.org' };
const PLACED = { state: 'placed', orderId: 'ord_1', body: undefined } as const;
const FAILED = { ...PLACED, status: 'failed', hasFailed: true };
const CONTRADICTORY = { orderId: 'ord_1' };
/** Sent by a process of another machine, which counts as alive. */
const SENDING = { state: 'sending', sender: senderOf(createMachine(process, 'there')) } as const;

type Row = [what: string, entry: Partial<OrderEntry>, change: Change, expected: string];

describe('the same order with an unknown result', () => {
  test.each<Row>([
    ['within a day', {}, {}, 'again'],
    ['almost a day later', { createdAt: at(23.9) }, {}, 'again'],
    ['a day later', { createdAt: at(24) }, {}, 'second'],
    ['after the clock was set back by a year', { createdAt: at(-24 * 366) }, {}, 'second'],
    ['whose process was killed', { state: 'sending' }, {}, 'again'],
    ['with --new-order, which is about an order that was placed', {}, { newOrder: true }, 'again'],
    ['with its key in --new-order', {}, { newOrder: 'k1' }, 'new, told of unknown'],
    ['whose key the user chose', { ownKey: true }, {}, 'again'],
    ['with a key of the user now', {}, { ownKey: true }, 'second'],
    ['that exists, by an answer that contradicts itself', CONTRADICTORY, {}, 'second'],
  ])('%s', (_what, entry, change, expected) => {
    expect(judge([entryOf(entry)], change)).toBe(expected);
  });
});

describe('the same order that was placed', () => {
  const placed = (hours: number) => ({ ...PLACED, placedAt: at(hours) });

  test.each<Row>([
    ['an hour ago', placed(1), {}, 'second'],
    ['almost a day ago, from its answer on', { ...placed(23.9), createdAt: at(50) }, {}, 'second'],
    ['a day ago', placed(24), {}, 'new'],
    ['in the future, since the clock was set back', placed(-50), {}, 'second'],
    ['with --new-order', placed(1), { newOrder: true }, 'new'],
    ['with a new key of the user', placed(1), { ownKey: true }, 'new'],
    ['and has failed', FAILED, {}, 'new, told of placed'],
    ['by another account', { ...placed(1), ...HOME }, {}, 'new'],
    ['for another organization', { ...placed(1), org: 'acme' }, {}, 'new'],
    ['at another address', { ...placed(1), ...ELSEWHERE }, {}, 'new'],
    ['but with another body', { ...placed(1), ...OTHER_BODY }, {}, 'new'],
  ])('%s', (_what, entry, change, expected) => {
    expect(judge([entryOf(entry)], change)).toBe(expected);
  });

  test('is found behind a later one that failed', () => {
    const known = [entryOf(placed(2)), entryOf({ ...FAILED, key: 'k2', placedAt: at(1) })];

    expect(decideOn(known)).toMatchObject({ kind: 'second', entries: [{ key: 'k1' }] });
  });

  test('is not passed by the key of an order in doubt', () => {
    const known = [entryOf(placed(1)), entryOf({ key: 'k2', ...OTHER_BODY })];

    expect(judge(known, { newOrder: 'k2' })).toBe('second');
  });
});

describe('another order in doubt', () => {
  test.each<Row>([
    ['stops every one of its buyer', OTHER_BODY, {}, 'second'],
    ['stops it with --new-order', OTHER_BODY, { newOrder: true }, 'second'],
    ['is passed by its key', OTHER_BODY, { newOrder: 'k1' }, 'new, told of unknown'],
    ['stops it a year later', { ...OTHER_BODY, createdAt: at(24 * 366) }, {}, 'second'],
    ['of a profile that may be of the same person', HOME, {}, 'second'],
    ['of somebody else', { ...OTHER_BODY, ...PAUL }, MARIE, 'new'],
    ['of another organization', { ...OTHER_BODY, org: 'acme' }, { org: 'kola' }, 'new'],
    ['of an organization that may be the same', { ...OTHER_BODY, org: 'acme' }, {}, 'second'],
    ['at another address', { ...OTHER_BODY, ...ELSEWHERE }, {}, 'new'],
    ['whose key alone the user chose', { ...OTHER_BODY, ownKey: true }, {}, 'second'],
    ['whose answer contradicts itself', { ...OTHER_BODY, ...CONTRADICTORY }, {}, 'second'],
    ['that is on its way', { ...OTHER_BODY, ...SENDING }, {}, 'new'],
  ])('%s', (_what, entry, change, expected) => {
    expect(judge([entryOf(entry)], change)).toBe(expected);
  });

  test('with a key of its own is passed by an order with one', () => {
    const known = [entryOf({ ...OTHER_BODY, ownKey: true })];

    expect(judge(known, { ownKey: true })).toBe('new, told of unknown');
  });

  test('stops it if --new-order names the other of two', () => {
    const known = [entryOf(OTHER_BODY), entryOf({ ...OTHER_BODY, key: 'k2' })];

    expect(decideOn(known, { newOrder: 'k2' })).toMatchObject({
      kind: 'second',
      entries: [{ key: 'k1' }],
    });
  });

  test('that --new-order names must be in doubt', () => {
    expect(judge([entryOf({ ...OTHER_BODY, ...PLACED })], { newOrder: 'k1' })).toBe('not_in_doubt');
    expect(judge([], { newOrder: 'k1' })).toBe('not_in_doubt');
  });

  test('is told together with the same order that was placed', () => {
    const known = [entryOf({ key: 'k2', ...OTHER_BODY }), entryOf({ ...PLACED, placedAt: at(1) })];

    expect(decideOn(known)).toMatchObject({ entries: [{ key: 'k1' }, { key: 'k2' }] });
  });
});

describe('a key names one order of one account', () => {
  const keyed = { key: 'k1', ownKey: true };

  test.each<Row>([
    ['it is resumed', {}, keyed, 'again'],
    ['it is sent again after its answer', PLACED, keyed, 'again'],
    ['but not a day after its first request', { createdAt: at(24) }, keyed, 'key_too_old'],
    [
      'nor a day after the first request of one that was placed later',
      { ...PLACED, createdAt: at(24), placedAt: at(1) },
      keyed,
      'key_too_old',
    ],
    ['not for another body', OTHER_BODY, keyed, 'key_of_another'],
    ['not for another organization', { org: 'acme' }, keyed, 'key_of_another'],
    ['not if its answer contradicts itself', CONTRADICTORY, keyed, 'contradictory'],
    ['not beside a process that sends it', SENDING, keyed, 'being_sent'],
    ['another account may have the same key', { ...HOME, ...PLACED }, keyed, 'new'],
  ])('%s', (_what, entry, change, expected) => {
    expect(judge([entryOf(entry)], change)).toBe(expected);
  });

  test.each<Row>([
    ['it goes on', {}, { key: 'k1', isResumed: true }, 'again'],
    ['not a day later', { createdAt: at(24) }, { key: 'k1', isResumed: true }, 'key_too_old'],
    ['not if it is placed by now', PLACED, { key: 'k1', isResumed: true }, 'settled'],
    ['not if it is gone', { key: 'k2' }, { key: 'k1', isResumed: true }, 'settled'],
  ])('by --resume: %s', (_what, entry, change, expected) => {
    expect(judge([entryOf(entry)], change)).toBe(expected);
  });
});

describe('an order on its way', () => {
  test.each<Row>([
    ['is not sent beside its process', SENDING, {}, 'being_sent'],
    ['whoever sends it', { ...SENDING, ...HOME }, {}, 'being_sent'],
    ['however old it is', { ...SENDING, createdAt: at(48) }, {}, 'being_sent'],
    ['with --new-order neither', SENDING, { newOrder: true }, 'being_sent'],
    ['but is passed by its key', SENDING, { newOrder: 'k1' }, 'new'],
  ])('%s', (_what, entry, change, expected) => {
    expect(judge([entryOf(entry)], change)).toBe(expected);
  });

  test('belongs to a process that lives, or is of another machine, until its time is over', () => {
    const here = { ...MACHINE, isAlive: (pid: number) => pid !== 7 };
    const isSent = (other: object, now = NOW) =>
      isBeingSent(entryOf({ sender: senderOf({ ...here, ...other }) }), now, here);

    for (const alive of [{ pid: 8 }, { pid: 7, hostname: 'there' }, { hostname: 'there' }]) {
      expect(isSent(alive)).toBe(true);
      expect(isSent(alive, NOW + 1_000)).toBe(false);
    }
    expect(isSent({ pid: 7 }), 'it has ended').toBe(false);
    expect(isSent({}), 'it is this one').toBe(false);
  });
});

test('of several like it, the latest is resumed', () => {
  expect(decideOn([entryOf({ key: 'old' }), entryOf()])).toMatchObject({
    kind: 'again',
    entry: { key: 'k1' },
  });
});

test.each<[what: string, decision: Decision, isSame: boolean]>([
  ['the same', { kind: 'second', entries: [entryOf()] }, true],
  ['another entry', { kind: 'second', entries: [entryOf({ key: 'k2' })] }, false],
  ['one more', { kind: 'second', entries: [entryOf(), entryOf({ key: 'k2' })] }, false],
  ['one that is placed by now', { kind: 'second', entries: [entryOf(PLACED)] }, false],
  ['another kind', { kind: 'again', entry: entryOf() }, false],
])('two decisions tell a person the same or not: %s', (_what, decision, isSame) => {
  expect(isSameDecision({ kind: 'second', entries: [entryOf()] }, decision)).toBe(isSame);
});
