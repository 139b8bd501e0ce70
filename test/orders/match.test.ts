import { describe, expect, test } from 'vitest';
import { accountOfToken } from '../../src/orders/account.ts';
import { findMatch, isSending, type Wanted } from '../../src/orders/match.ts';
import type { OrderEntry, OrderedItem } from '../../src/orders/order.ts';
import { ownerMark } from '../../src/store/lock.ts';
import { machineOf } from '../../src/store/machine.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const HOUR_MS = 3_600_000;
const ADDRESS = 'https://api.example.com';
const ELSEWHERE = 'https://api.example.org';
const MACHINE = machineOf(process, 'here');
const ACCOUNT = { profile: 'work' };
const OTHER = { profile: 'home' };
function item(changes: Partial<OrderedItem> = {}): OrderedItem {
  return { planId: 'a', renew: false, quantity: 1, ...changes };
}

const WANTED: Wanted = {
  address: ADDRESS,
  account: ACCOUNT,
  org: undefined,
  fingerprint: 'f1',
  contents: [item()],
  key: undefined,
  isNew: false,
  isResumed: false,
};

function record(changes: Partial<OrderEntry> & { ageHours?: number } = {}): OrderEntry {
  const { ageHours = 1, ...others } = changes;
  return {
    key: 'k1',
    ownKey: false,
    contents: [item()],
    state: 'open',
    createdAt: new Date(NOW - ageHours * HOUR_MS).toISOString(),
    address: ADDRESS,
    account: ACCOUNT,
    summary: '',
    items: 'a',
    fingerprint: 'f1',
    ...others,
  };
}

const match = (known: readonly OrderEntry[], wanted: Partial<Wanted> = {}) =>
  findMatch(known, { ...WANTED, ...wanted }, NOW, MACHINE);

/** Sent by a process of another machine, which counts as alive. */
const sending = { sender: senderOf(machineOf(process, 'there')) };

/** A process that sends for another second. */
function senderOf(machine: typeof MACHINE): NonNullable<OrderEntry['sender']> {
  return { mark: ownerMark(machine), until: new Date(NOW + 1_000).toISOString() };
}

/** The kind of a match; that of a new order says whether it is in doubt. */
const verdict = (known: OrderEntry, wanted: Partial<Wanted> = {}) => {
  const found = match([known], wanted);
  if (found.kind !== 'new') return found.kind;
  if (found.doubts.length > 0) return 'in doubt';
  return found.other === undefined ? 'new' : 'other';
};

test('the same purchase with an unknown outcome is resumed for a day, and left to the user afterwards', () => {
  expect(verdict(record())).toBe('same');
  expect(verdict(record({ ageHours: 23.9 }))).toBe('same');
  expect(verdict(record({ ageHours: -2 })), 'a clock that was set back').toBe('same');
  for (const ageHours of [24, 24 * 31, 24 * 366, -24, -24 * 366]) {
    expect(verdict(record({ ageHours })), `${ageHours} hours`).toBe('in doubt');
  }
  expect(verdict(record({ state: 'closed' }))).toBe('new');
  expect(verdict(record({ org: 'acme' }), { org: 'acme' })).toBe('same');
});

test('the same things at the same place are one order, whoever sends them and however', () => {
  const theirs: ReadonlyArray<Partial<OrderEntry>> = [
    { fingerprint: 'f2' },
    { org: 'acme' },
    { account: OTHER },
    { account: accountOfToken('svc_CANARY_0123456789abcdef') },
    { account: { profile: 'home', email: 'Marie@example.com' } },
  ];
  for (const change of theirs) {
    const wanted = { account: { ...ACCOUNT, email: 'marie@example.com' } };
    expect(verdict(record(change), wanted), JSON.stringify(change)).toBe('in doubt');
    expect(verdict(record(change), { ...wanted, key: 'mine' }), 'a key of this one alone').toBe('in doubt');
    expect(verdict(record({ ...change, ...sending }), wanted), 'it is being sent').toBe('in_flight');
    expect(verdict(record({ ...change, ...sending }), { ...wanted, isNew: true })).toBe('in doubt');
  }
  expect(verdict(record(), { org: 'acme' })).toBe('in doubt');
});

test('another label, organization, person, or key of the user is another order, of which people are told', () => {
  const paul = { profile: 'work', email: 'paul@example.com' };
  const wanted = { account: { ...ACCOUNT, email: 'marie@example.com' } };
  const labelled = { contents: [item({ label: 'blog' })] };
  expect(verdict(record(labelled))).toBe('other');
  expect(verdict(record({ ...labelled, ...sending })), 'it is not in doubt yet').toBe('new');
  expect(verdict(record({ org: 'acme' }), { org: 'kola' })).toBe('other');
  expect(verdict(record({ ownKey: true }), { key: 'mine' })).toBe('other');
  expect(verdict(record({ ownKey: true })), 'the same command without its key').toBe('same');
  expect(verdict(record({ account: paul }), wanted)).toBe('new');
  expect(verdict(record({ address: ELSEWHERE }))).toBe('new');
});

test('an order in doubt stops one that has an item of it, whatever else is ordered', () => {
  const plan = item();
  const blog = item({ label: 'blog' });
  const domain = item({ planId: undefined, domain: 'a.example' });
  const stopped = [
    [[item({ quantity: 2 })], [plan]],
    [[plan], [plan, blog]],
    [[plan, blog], [plan]],
    [[domain], [item({ planId: 'b', domain: 'a.example' })]],
  ] as const;
  for (const [open, contents] of stopped) {
    const known = record({ contents: open, fingerprint: 'f2' });
    expect(verdict(known, { contents }), JSON.stringify(contents)).toBe('in doubt');
    expect(verdict({ ...known, ...sending }, { contents })).toBe('in_flight');
    expect(verdict({ ...known, state: 'closed' }, { contents }), 'it is over').toBe('new');
    expect(match([{ ...known, state: 'closed' }], { contents })).toMatchObject({ settled: undefined });
  }
});

test('an order whose answer shows trouble is not sent again, by its key neither, until a person settles it', () => {
  const doubtful = record({ state: 'doubtful', orderId: 'ord_1' });
  for (const known of [doubtful, { ...doubtful, createdAt: '2020-01-01T00:00:00.000Z' }]) {
    expect(verdict(known)).toBe('in doubt');
    expect(verdict(known, { fingerprint: 'f2' })).toBe('in doubt');
    expect(verdict(known, { isNew: true })).toBe('in doubt');
    expect(verdict(known, { key: 'k1' })).toBe('unsettled');
    expect(verdict(known, { key: 'k1', isResumed: true })).toBe('unsettled');
    expect(verdict(known, { key: 'k1', fingerprint: 'f2' })).toBe('key_taken');
    expect(verdict(known, { contents: [item({ label: 'blog' })] })).toBe('other');
  }
});

test('the very same request with the same key goes out for another account as well', () => {
  expect(verdict(record({ account: OTHER }), { key: 'k1' })).toBe('other');
  expect(verdict(record({ account: OTHER, fingerprint: 'f2' }), { key: 'k1' })).toBe('in doubt');
  expect(verdict(record({ account: OTHER, org: 'acme' }), { key: 'k1' })).toBe('in doubt');
});

test('of several like it, the latest is meant', () => {
  expect(match([record({ key: 'old' }), record({ key: 'new' })])).toMatchObject({
    kind: 'same',
    entry: { key: 'new' },
  });
});

test('one that is meant as another is another', () => {
  for (const ageHours of [1, 50]) {
    expect(match([record({ ageHours })], { isNew: true })).toMatchObject({ kind: 'new', doubts: [{ key: 'k1' }] });
  }
});

test('a finished purchase of the same things is reported, under whatever name it was sent', () => {
  const settled = (known: OrderEntry, wanted: Partial<Wanted> = {}) => {
    const found = match([record({ key: 'older', state: 'closed' }), known], wanted);
    return found.kind === 'new' ? found.settled?.key : found.kind;
  };
  expect(settled(record({ state: 'closed' }))).toBe('k1');
  expect(settled(record({ state: 'closed', fingerprint: 'f2', account: OTHER }))).toBe('k1');
  expect(settled(record({ state: 'closed', contents: [item({ label: 'blog' })] }))).toBe('older');
  expect(settled(record({ state: 'closed', contents: [item({ planId: 'b' })] }))).toBe('older');
  expect(settled(record({ state: 'closed', ageHours: 24 })), 'a day ago').toBe('older');
});

test('a key belongs to one purchase of one address, whatever became of it', () => {
  const byKey = (known: OrderEntry, key = 'k1') => match([known], { key }).kind;
  expect(byKey(record())).toBe('same');
  expect(byKey(record({ ageHours: 48 })), 'the user asks for it').toBe('same');
  expect(byKey(record({ state: 'closed' }))).toBe('same');
  expect(byKey(record({ fingerprint: 'f2' }))).toBe('key_taken');
  expect(byKey(record({ org: 'acme' }))).toBe('key_taken');
  expect(byKey(record({ fingerprint: 'f2', state: 'closed' }))).toBe('key_taken');
  expect(byKey(record({ fingerprint: 'f2', address: ELSEWHERE }))).toBe('new');
  expect(byKey(record({ state: 'closed' }), 'k2')).toBe('new');
});

test('what another process has finished is not resumed, and not placed anew either', () => {
  const closed = record({ state: 'closed', orderId: 'ord_1' });
  expect(match([closed], { key: 'k1', isResumed: true }).kind).toBe('finished');
  expect(match([record()], { key: 'k1', isResumed: true }).kind).toBe('same');
  expect(match([], { key: 'k1', isResumed: true }).kind, 'somebody has settled it').toBe('gone');
});

test('a purchase that is being sent is in flight, by its key and by its age too', () => {
  expect(match([record(sending)]).kind).toBe('in_flight');
  expect(match([record(sending)], { key: 'k1' }).kind).toBe('in_flight');
  expect(match([record({ ...sending, ageHours: 48 })]).kind).toBe('in_flight');
  expect(match([record({ ...sending, fingerprint: 'f2' })], { key: 'k1' }).kind).toBe('key_taken');
});

test('a key of an order that is more than a day old is not used again by its account, and another one is', () => {
  const used = record({ key: 'row-7', ownKey: true, state: 'closed', ageHours: 24 * 30 });
  expect(match([used], { key: 'row-7' })).toEqual({ kind: 'key_used', entry: used });
  expect(match([used], { key: 'row-7', fingerprint: 'f2' })).toMatchObject({ kind: 'key_taken' });
  expect(match([used], { key: 'row-7', account: OTHER }).kind).toBe('new');
  expect(match([used], { key: 'row-7', address: ELSEWHERE }).kind).toBe('new');
  expect(match([used], { key: 'row-8' }).kind).toBe('new');
});

describe('an order whose answer nobody could read', () => {
  const person = { profile: 'work', email: 'marie@example.com' };
  const left = record({ state: 'closed', answer: '{}', account: person });
  const unread = (changes: Partial<OrderEntry> & { ageHours?: number }, wanted: Partial<Wanted> = {}) =>
    verdict({ ...record(changes), ...left, ...changes }, { account: person, ...wanted });

  test.each<[string, Partial<Wanted>]>([
    ['the same request', {}],
    ['the same person with another profile', { account: { profile: 'home', email: 'Marie@example.com' } }],
    ['its key', { key: 'k1' }],
    ['--resume', { key: 'k1', isResumed: true }],
  ])('is printed for %s', (_what, wanted) => {
    expect(unread({}, wanted)).toBe('unprinted');
  });

  test.each<[string, Partial<OrderEntry>, Partial<Wanted>]>([
    ['another body', {}, { fingerprint: 'f2' }],
    ['another organization', {}, { org: 'acme' }],
    ['a token that may be of anybody', {}, { account: accountOfToken('svc_CANARY_0123456789abcdef') }],
    ['somebody else', {}, { account: { profile: 'home', email: 'paul@example.com' } }],
    ['another address', {}, { address: ELSEWHERE }],
    ['--new-order', {}, { isNew: true }],
    ['a key that was chosen', {}, { key: 'mine' }],
    ['anybody after a day', { createdAt: new Date(NOW - 24 * HOUR_MS).toISOString() }, {}],
    ['anybody while another process prints it', sending, {}],
    ['anybody once it was printed', { answer: undefined }, {}],
  ])('is not printed for %s', (_what, changes, wanted) => {
    expect(unread(changes, wanted)).toBe('new');
  });
});

describe('a process', () => {
  const isAlive = (pid: number) => pid !== 7;
  const here = { ...machineOf(process, 'here'), isAlive };
  const isSent = (sender: OrderEntry['sender'], now = NOW) => isSending(record({ sender }), now, here);

  test('that lives is sending until its time is over', () => {
    const sender = senderOf({ ...here, pid: 8 });
    expect(isSent(sender)).toBe(true);
    expect(isSent(sender, NOW + 1_000)).toBe(false);
    expect(isSent({ ...sender, until: 'never' })).toBe(false);
    expect(isSent(undefined)).toBe(false);
  });

  test('that has ended is not sending, nor is this very one', () => {
    expect(isSent(senderOf({ ...here, pid: 7 }))).toBe(false);
    expect(isSent(senderOf(here))).toBe(false);
  });

  test('of another machine counts as alive until its time is over, even under the number of this one', () => {
    for (const pid of [7, 8, here.pid]) {
      const sender = senderOf({ ...here, hostname: 'there', pid });
      expect([isSent(sender), isSent(sender, NOW + 1_000)]).toEqual([true, false]);
    }
    expect(isSent({ mark: 'of another format', until: senderOf(here).until })).toBe(true);
  });
});
