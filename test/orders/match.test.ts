import { expect, test } from 'vitest';
import { accountOfToken } from '../../src/orders/account.ts';
import { findMatch, findUsed, sortOut, type Wanted } from '../../src/orders/match.ts';
import type { OrderEntry } from '../../src/orders/order.ts';
import { senderHere } from '../../src/orders/sender.ts';
import { machineOf } from '../../src/store/machine.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const HOUR_MS = 3_600_000;
const ADDRESS = 'https://api.example.com';
const ELSEWHERE = 'https://api.example.org';
const MACHINE = machineOf(process, 'here');
const ACCOUNT = { profile: 'work' };
const OTHER = { profile: 'home' };
const WANTED: Wanted = {
  address: ADDRESS,
  account: ACCOUNT,
  org: undefined,
  fingerprint: 'f1',
  things: '1 × a',
  labelled: '1 × a',
  key: undefined,
  isNew: false,
  isResumed: false,
};

function record(changes: Partial<OrderEntry> & { ageHours?: number } = {}): OrderEntry {
  const { ageHours = 1, ...others } = changes;
  return {
    key: 'k1',
    ownKey: false,
    things: '1 × a',
    labelled: '1 × a',
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
const sending = { sender: { ...senderHere(MACHINE, NOW + 1_000), host: 'there' } };

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
  expect(verdict(record({ labelled: '1 × b' }))).toBe('other');
  expect(verdict(record({ things: '2 × a' }))).toBe('other');
  expect(verdict(record({ things: '2 × a', ...sending })), 'it is not in doubt yet').toBe('new');
  expect(verdict(record({ org: 'acme' }), { org: 'kola' })).toBe('other');
  expect(verdict(record({ ownKey: true }), { key: 'mine' })).toBe('other');
  expect(verdict(record({ ownKey: true })), 'the same command without its key').toBe('same');
  expect(verdict(record({ account: paul }), wanted)).toBe('new');
  expect(verdict(record({ address: ELSEWHERE }))).toBe('new');
});

test('the very same request with the same key goes out for another account as well', () => {
  expect(verdict(record({ account: OTHER }), { key: 'k1' })).toBe('other');
  expect(verdict(record({ account: OTHER, fingerprint: 'f2' }), { key: 'k1' })).toBe('in doubt');
  expect(verdict(record({ account: OTHER, org: 'acme' }), { key: 'k1' })).toBe('in doubt');
});

test.each([
  ['http://localhost:4750/v1', 'http://127.0.0.1:4750/v1', true],
  ['http://[::1]:4750', 'http://localhost:4750', true],
  ['http://localhost', 'http://127.0.0.1:80', true],
  ['https://api.example.com.', ADDRESS, true],
  ['http://localhost:4750', 'http://localhost:4751', false],
  ['http://localhost:4750/a', 'http://localhost:4750/b', false],
  ['http://127.0.0.2:4750', 'http://127.0.0.1:4750', false],
  [ADDRESS, ELSEWHERE, false],
])('%s and %s are one place: %s', (address, other, isOne) => {
  expect(verdict(record({ address }), { address: other })).toBe(isOne ? 'in doubt' : 'new');
});

test('of several like it, the latest is meant', () => {
  expect(match([record({ key: 'old' }), record({ key: 'new' })])).toMatchObject({
    kind: 'same',
    record: { key: 'new' },
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
  expect(settled(record({ state: 'closed', labelled: '1 × b' }))).toBe('older');
  expect(settled(record({ state: 'closed', things: '1 × b' }))).toBe('older');
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

test('finished purchases leave the journal after a day, and unfinished ones when somebody settles them', () => {
  const records = [
    record({ key: 'a', ageHours: 24 * 400 }),
    record({ key: 'b', ageHours: -24 * 400 }),
    record({ key: 'c', ageHours: 24, state: 'closed' }),
    record({ key: 'd', ageHours: 23, state: 'closed' }),
    record({ key: 'e', ageHours: -24, state: 'closed' }),
  ];
  const { kept, leaving } = sortOut(records, NOW);
  expect(kept.map(({ key }) => key)).toEqual(['a', 'b', 'd']);
  expect(leaving.map(({ key }) => key)).toEqual(['c', 'e']);
});

test('of very many finished purchases the journal keeps the latest 500, and every unfinished one', () => {
  const closed = Array.from({ length: 600 }, (_, index) => record({ key: `c${index}`, state: 'closed' }));
  const { kept, leaving } = sortOut([record({ key: 'open' }), ...closed], NOW);
  expect([leaving.length, leaving.at(-1)?.key]).toEqual([100, 'c99']);
  expect([kept.length, kept[0]?.key, kept[1]?.key, kept.at(-1)?.key]).toEqual([501, 'open', 'c100', 'c599']);
});

test('a key of an order that has left the journal is not used again, by its account', () => {
  const used = record({ key: 'row-7', ownKey: true, state: 'closed', ageHours: 24 * 30 });
  const wanted = { ...WANTED, key: 'row-7' };
  expect(findUsed([used], wanted)).toEqual({ kind: 'key_used', record: used });
  expect(findUsed([used], { ...wanted, fingerprint: 'f2' })).toMatchObject({ kind: 'key_taken' });
  expect(findUsed([used], { ...wanted, account: OTHER })).toBeUndefined();
  expect(findUsed([used], { ...wanted, address: ELSEWHERE })).toBeUndefined();
  expect(findUsed([used], { ...wanted, key: 'row-8' })).toBeUndefined();
});
