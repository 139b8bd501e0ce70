import { expect, test } from 'vitest';
import { findMatch, pruned, type Wanted } from '../../src/purchase/match.ts';
import type { PurchaseRecord } from '../../src/purchase/record.ts';
import type { Machine } from '../../src/store/machine.ts';
import { ownerMark } from '../../src/store/owner.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const HOUR_MS = 3_600_000;
const ADDRESS = 'https://api.example.com';
const MACHINE: Machine = { pid: 100, uid: 0, hostname: 'here', platform: 'linux', isAlive: (pid) => pid === 200 };
const WANTED: Wanted = { address: ADDRESS, fingerprint: 'f1', key: undefined, isNew: false };

function record(changes: Partial<PurchaseRecord> & { ageHours?: number } = {}): PurchaseRecord {
  const { ageHours = 1, ...others } = changes;
  const createdAt = new Date(NOW - ageHours * HOUR_MS).toISOString();
  return { key: 'k1', state: 'open', createdAt, address: ADDRESS, summary: '', fingerprint: 'f1', ...others };
}

const sentBy = (pid: number, untilMs: number, hostname = 'here') => ({
  mark: ownerMark({ ...MACHINE, pid, hostname }),
  until: new Date(NOW + untilMs).toISOString(),
});

test('the same purchase without a known end is gone on with, for a day', () => {
  const match = (open: PurchaseRecord) => findMatch([open], WANTED, NOW, MACHINE).kind;
  expect(match(record())).toBe('same');
  expect(match(record({ ageHours: 23.9 }))).toBe('same');
  expect(match(record({ ageHours: 24 }))).toBe('none');
  expect(match(record({ ageHours: -2 })), 'a clock that was set back').toBe('same');
  expect(match(record({ fingerprint: 'f2' }))).toBe('none');
  expect(match(record({ address: 'https://api.example.org' }))).toBe('none');
  expect(match(record({ state: 'closed' }))).toBe('none');
});

test('of several like it, the latest is meant', () => {
  const match = findMatch([record({ key: 'old' }), record({ key: 'new' })], WANTED, NOW, MACHINE);
  expect(match).toMatchObject({ kind: 'same', record: { key: 'new' } });
});

test('one that is meant as another is another', () => {
  expect(findMatch([record()], { ...WANTED, isNew: true }, NOW, MACHINE).kind).toBe('none');
});

test('what was bought before, and is not gone on with, is told all the same', () => {
  const alike = (known: PurchaseRecord, wanted: Partial<Wanted> = {}) => {
    const match = findMatch([record({ key: 'older', ageHours: 50 }), known], { ...WANTED, ...wanted }, NOW, MACHINE);
    return match.kind === 'none' ? match.alike?.key : match.kind;
  };
  expect(alike(record({ state: 'closed' }))).toBe('k1');
  expect(alike(record({ ageHours: 25 }))).toBe('k1');
  expect(alike(record(), { isNew: true })).toBe('k1');
  expect(alike(record(), { key: 'mine' })).toBe('k1');
  expect(alike(record({ fingerprint: 'f2' }))).toBe('older');
});

test('a key belongs to one purchase of one address, whatever became of it', () => {
  const match = (known: PurchaseRecord, key = 'k1') => findMatch([known], { ...WANTED, key }, NOW, MACHINE).kind;
  expect(match(record())).toBe('same');
  expect(match(record({ state: 'closed', ageHours: 30 }))).toBe('same');
  expect(match(record({ fingerprint: 'f2' }))).toBe('key_taken');
  expect(match(record({ fingerprint: 'f2', state: 'closed' }))).toBe('key_taken');
  expect(match(record({ fingerprint: 'f2', address: 'https://api.example.org' }))).toBe('none');
  expect(match(record(), 'k2')).toBe('none');
});

test('a purchase that a living process is sending is in flight; a dead one has left it behind', () => {
  const match = (sender: PurchaseRecord['sender']) => findMatch([record({ sender })], WANTED, NOW, MACHINE).kind;
  expect(match(sentBy(200, 1_000))).toBe('in_flight');
  expect(match(sentBy(200, 0)), 'its time is over').toBe('same');
  expect(match(sentBy(300, 1_000)), 'dead').toBe('same');
  expect(match(sentBy(100, 1_000)), 'this very process').toBe('same');
  expect(match(sentBy(300, 1_000, 'there')), 'another machine').toBe('in_flight');
  expect(match({ mark: 'odd', until: 'never' })).toBe('same');
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
