import { expect, test } from 'vitest';
import { machineOf } from '../../../src/vault/machine.ts';
import { findMatch, pruned, type Wanted } from '../../../src/vault/purchases/match.ts';
import type { PurchaseRecord } from '../../../src/vault/purchases/record.ts';
import { accountOfToken, senderHere } from '../../../src/vault/purchases/record.ts';

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
  key: undefined,
  isNew: false,
  isResumed: false,
};

function record(changes: Partial<PurchaseRecord> & { ageHours?: number } = {}): PurchaseRecord {
  const { ageHours = 1, ...others } = changes;
  return {
    key: 'k1',
    state: 'open',
    createdAt: new Date(NOW - ageHours * HOUR_MS).toISOString(),
    address: ADDRESS,
    account: ACCOUNT,
    summary: '',
    fingerprint: 'f1',
    ...others,
  };
}

const match = (known: readonly PurchaseRecord[], wanted: Partial<Wanted> = {}) =>
  findMatch(known, { ...WANTED, ...wanted }, NOW, MACHINE);

/** Sent by a process of another machine, which counts as alive. */
const sending = { sender: { ...senderHere(MACHINE, NOW + 1_000), host: 'there' } };

test('the same purchase with an unknown outcome is resumed for a day, and left to the user afterwards', () => {
  expect(match([record()]).kind).toBe('same');
  expect(match([record({ ageHours: 23.9 })]).kind).toBe('same');
  expect(match([record({ ageHours: 24 })]).kind).toBe('unresolved');
  expect(match([record({ ageHours: -2 })]).kind, 'a clock that was set back').toBe('same');
  expect(match([record({ fingerprint: 'f2' })]).kind).toBe('none');
  expect(match([record({ org: 'acme' })]).kind).toBe('none');
  expect(match([record({ org: 'acme' })], { org: 'acme' }).kind).toBe('same');
  expect(match([record({ address: ELSEWHERE })]).kind).toBe('none');
  expect(match([record({ state: 'closed' })]).kind).toBe('none');
});

test('a purchase of another account does not match, not even by its key', () => {
  for (const account of [
    OTHER,
    accountOfToken('svc_CANARY_0123456789abcdef'),
    { ...ACCOUNT, email: 'paul@example.com' },
  ]) {
    const wanted = { account: { ...ACCOUNT, email: 'marie@example.com' } };
    expect(match([record({ account })], wanted)).toEqual({ kind: 'none', alike: undefined });
    expect(match([record({ account })], { ...wanted, key: 'k1' })).toEqual({ kind: 'none', alike: undefined });
    expect(match([record({ account, fingerprint: 'f2' })], { ...wanted, key: 'k1' }).kind).toBe('none');
  }
});

test('of several like it, the latest is meant', () => {
  expect(match([record({ key: 'old' }), record({ key: 'new' })])).toMatchObject({
    kind: 'same',
    record: { key: 'new' },
  });
});

test('one that is meant as another is another', () => {
  expect(match([record()], { isNew: true }).kind).toBe('none');
  expect(match([record({ ageHours: 50 })], { isNew: true }).kind).toBe('none');
});

test('an earlier purchase that is not resumed is reported', () => {
  const alike = (known: PurchaseRecord, wanted: Partial<Wanted> = {}) => {
    const found = match([record({ key: 'older', state: 'closed' }), known], wanted);
    return found.kind === 'none' ? found.alike?.key : found.kind;
  };
  expect(alike(record({ state: 'closed' }))).toBe('k1');
  expect(alike(record(), { isNew: true })).toBe('k1');
  expect(alike(record(), { key: 'mine' })).toBe('k1');
  expect(alike(record({ fingerprint: 'f2' }))).toBe('older');
  expect(alike(record({ account: OTHER }))).toBe('older');
});

test('a key belongs to one purchase of one address, whatever became of it', () => {
  const byKey = (known: PurchaseRecord, key = 'k1') => match([known], { key }).kind;
  expect(byKey(record())).toBe('same');
  expect(byKey(record({ ageHours: 48 })), 'the user asks for it').toBe('same');
  expect(byKey(record({ state: 'closed' }))).toBe('same');
  expect(byKey(record({ fingerprint: 'f2' }))).toBe('key_taken');
  expect(byKey(record({ org: 'acme' }))).toBe('key_taken');
  expect(byKey(record({ fingerprint: 'f2', state: 'closed' }))).toBe('key_taken');
  expect(byKey(record({ fingerprint: 'f2', address: ELSEWHERE }))).toBe('none');
  expect(byKey(record(), 'k2')).toBe('none');
});

test('what another process has finished is not resumed, and not placed anew either', () => {
  const closed = record({ state: 'closed', orderId: 'ord_1' });
  expect(match([closed], { key: 'k1', isResumed: true }).kind).toBe('finished');
  expect(match([record()], { key: 'k1', isResumed: true }).kind).toBe('same');
});

test('a purchase that is being sent is in flight, by its key and by its age too', () => {
  expect(match([record(sending)]).kind).toBe('in_flight');
  expect(match([record(sending)], { key: 'k1' }).kind).toBe('in_flight');
  expect(match([record({ ...sending, ageHours: 48 })]).kind).toBe('in_flight');
  expect(match([record({ ...sending, fingerprint: 'f2' })], { key: 'k1' }).kind).toBe('key_taken');
});

test('finished purchases are remembered for a day and unfinished ones for a month', () => {
  const records = [
    record({ key: 'a', ageHours: 24 * 30 }),
    record({ key: 'b', ageHours: 24 * 29 }),
    record({ key: 'c', ageHours: 24, state: 'closed' }),
    record({ key: 'd', ageHours: 23, state: 'closed' }),
  ];
  expect(pruned(records, NOW).map(({ key }) => key)).toEqual(['b', 'd']);
});

test('of very many finished purchases the latest 500 are remembered, and every unfinished one', () => {
  const closed = Array.from({ length: 600 }, (_, index) => record({ key: `c${index}`, state: 'closed' }));
  const kept = pruned([record({ key: 'open' }), ...closed], NOW);
  expect([kept.length, kept[0]?.key, kept[1]?.key, kept.at(-1)?.key]).toEqual([501, 'open', 'c100', 'c599']);
});
