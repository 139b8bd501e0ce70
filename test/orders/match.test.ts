import { describe, expect, test } from 'vitest';
import { accountOfToken } from '../../src/orders/account.ts';
import { findMatch, isSending, type Wanted } from '../../src/orders/match.ts';
import type { OrderEntry, OrderedItem } from '../../src/orders/order.ts';
import { ownerMark } from '../../src/store/lock.ts';
import { machineOf } from '../../src/store/machine.ts';
import { planOf } from './plan.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const MACHINE = machineOf(process, 'here');
const OTHER = { profile: 'home' };
const BARE = accountOfToken('svc_CANARY_0123456789abcdef');
const MARIE = { profile: 'work', email: 'marie@example.com' };
const MARIE_AT_HOME = { profile: 'home', email: 'Marie@example.com' };
const PAUL = { profile: 'work', email: 'paul@example.com' };
const ELSEWHERE = 'https://api.example.org';

const item = (changes: Partial<OrderedItem> = {}): OrderedItem => ({
  ...{ planId: 'a', renew: false, quantity: 1 },
  ...changes,
});

const WANTED: Wanted = { ...planOf(''), fingerprint: 'f1', contents: [item()] };

type Known = Partial<OrderEntry> & { readonly ageHours?: number };

function record({ ageHours = 1, ...others }: Known = {}): OrderEntry {
  const { address, account, contents, fingerprint } = WANTED;
  return {
    ...{ key: 'k1', ownKey: false, state: 'open', summary: '', items: 'a' },
    createdAt: new Date(NOW - ageHours * 3_600_000).toISOString(),
    ...{ address, account, contents, fingerprint },
    ...others,
  };
}

const match = (known: readonly OrderEntry[], wanted: Partial<Wanted> = {}) =>
  findMatch(known, { ...WANTED, ...wanted }, NOW, MACHINE);

/** A process that sends for another second. */
function senderOf(machine: typeof MACHINE): NonNullable<OrderEntry['sender']> {
  return { mark: ownerMark(machine), until: new Date(NOW + 1_000).toISOString() };
}

/** Sent by a process of another machine, which counts as alive. */
const SENDING = { sender: senderOf(machineOf(process, 'there')) };
const CLOSED = { state: 'closed' } as const;
const DOUBTFUL = { state: 'doubtful', orderId: 'ord_1' } as const;
const LABELLED = [item({ label: 'blog' })];
const DOMAIN = item({ planId: undefined, domain: 'a.example' });
/** Its answer could not be printed. */
const UNREAD = { state: 'closed', answer: '{}', account: MARIE } as const;
const MARIES = { account: MARIE };

/** The kind of a match; that of a new order says whether it is in doubt, or another one is. */
function verdict(known: Known, wanted: Partial<Wanted> = {}): string {
  const found = match([record(known)], wanted);
  if (found.kind !== 'new') return found.kind;
  if (found.doubts.length > 0) return 'in doubt';
  if (found.settled !== undefined) return 'settled';
  return found.other === undefined ? 'new' : 'other';
}

// biome-ignore format: a table
describe.each<[about: string, rows: ReadonlyArray<readonly [expected: string, known: Known, wanted?: Partial<Wanted>]>]>([
  ['the same order with an unknown outcome is resumed for a day, and left to the user afterwards', [
    ['same', {}],
    ['same', { ageHours: 23.9 }],
    ['same', { ageHours: -2 }],
    ...[24, 24 * 31, 24 * 366, -24, -24 * 366].map((ageHours) => ['in doubt', { ageHours }] as const),
    ['settled', CLOSED],
    ['same', { org: 'acme' }, { org: 'acme' }],
    ['in doubt', {}, { isNew: true }],
    ['in doubt', { ageHours: 50 }, { isNew: true }],
  ]],
  ['the same things at the same place are one order, whoever sends them and however', [
    ...[{ fingerprint: 'f2' }, { org: 'acme' }, { account: OTHER }, { account: BARE }, { account: MARIE_AT_HOME }].flatMap((known) => [
      ['in doubt', known, MARIES] as const,
      ['in doubt', known, { ...MARIES, key: 'mine' }] as const,
      ['in_flight', { ...known, ...SENDING }, MARIES] as const,
      ['in doubt', { ...known, ...SENDING }, { ...MARIES, isNew: true }] as const,
    ]),
    ['in doubt', {}, { org: 'acme' }],
  ]],
  ['another label, organization, person, or key of the user is another order, of which people are told', [
    ['other', { contents: LABELLED }],
    ['new', { contents: LABELLED, ...SENDING }],
    ['other', { org: 'acme' }, { org: 'kola' }],
    ['other', { ownKey: true }, { key: 'mine' }],
    ['same', { ownKey: true }],
    ['new', { account: PAUL }, MARIES],
    ['new', { address: ELSEWHERE }],
  ]],
  ['an order in doubt stops one that has an item of it, whatever else is ordered', [
    [[item({ quantity: 2 })], [item()]],
    [[item()], [item(), ...LABELLED]],
    [[item(), ...LABELLED], [item()]],
    [[DOMAIN], [item({ planId: 'b', domain: 'a.example' })]],
  ].flatMap(([open = [], contents = []]) => [
    ['in doubt', { contents: open, fingerprint: 'f2' }, { contents }] as const,
    ['in_flight', { contents: open, fingerprint: 'f2', ...SENDING }, { contents }] as const,
    ['new', { contents: open, fingerprint: 'f2', ...CLOSED }, { contents }] as const,
  ])],
  ['an order whose answer shows trouble is not sent again, by its key neither, until a person settles it',
    [1, 24 * 2_000].flatMap((ageHours) => [
      ['in doubt', { ...DOUBTFUL, ageHours }] as const,
      ['in doubt', { ...DOUBTFUL, ageHours }, { fingerprint: 'f2' }] as const,
      ['in doubt', { ...DOUBTFUL, ageHours }, { isNew: true }] as const,
      ['unsettled', { ...DOUBTFUL, ageHours }, { key: 'k1' }] as const,
      ['unsettled', { ...DOUBTFUL, ageHours }, { key: 'k1', isResumed: true }] as const,
      ['key_taken', { ...DOUBTFUL, ageHours }, { key: 'k1', fingerprint: 'f2' }] as const,
      ['other', { ...DOUBTFUL, ageHours }, { contents: LABELLED }] as const,
    ])],
  ['the very same request with the same key goes out for another account as well', [
    ['other', { account: OTHER }, { key: 'k1' }],
    ['in doubt', { account: OTHER, fingerprint: 'f2' }, { key: 'k1' }],
    ['in doubt', { account: OTHER, org: 'acme' }, { key: 'k1' }],
  ]],
  ['a key belongs to one order of one address, whatever became of it', [
    ['same', {}, { key: 'k1' }],
    ['same', { ageHours: 48 }, { key: 'k1' }],
    ['same', CLOSED, { key: 'k1' }],
    ['key_taken', { fingerprint: 'f2' }, { key: 'k1' }],
    ['key_taken', { org: 'acme' }, { key: 'k1' }],
    ['key_taken', { fingerprint: 'f2', ...CLOSED }, { key: 'k1' }],
    ['new', { fingerprint: 'f2', address: ELSEWHERE }, { key: 'k1' }],
    ['settled', CLOSED, { key: 'k2' }],
  ]],
  ['a key of an order that is more than a day old is not used again by its account', [
    ['key_used', { ...CLOSED, ownKey: true, ageHours: 720 }, { key: 'k1' }],
    ['key_taken', { ...CLOSED, ownKey: true, ageHours: 720 }, { key: 'k1', fingerprint: 'f2' }],
    ['new', { ...CLOSED, ownKey: true, ageHours: 720 }, { key: 'k1', account: OTHER }],
    ['new', { ...CLOSED, ownKey: true, ageHours: 720 }, { key: 'k1', address: ELSEWHERE }],
    ['new', { ...CLOSED, ownKey: true, ageHours: 720 }, { key: 'k2' }],
  ]],
  ['an order that another process sends or has finished is neither resumed nor placed anew', [
    ['finished', CLOSED, { key: 'k1', isResumed: true }],
    ['same', {}, { key: 'k1', isResumed: true }],
    ['gone', { key: 'k2' }, { key: 'k1', isResumed: true }],
    ['in_flight', SENDING],
    ['in_flight', SENDING, { key: 'k1' }],
    ['in_flight', { ...SENDING, ageHours: 48 }],
    ['key_taken', { ...SENDING, fingerprint: 'f2' }, { key: 'k1' }],
  ]],
  ['an answer that nobody could read is printed for its person and the same request, for a day', [
    ['unprinted', UNREAD, MARIES],
    ['unprinted', UNREAD, { account: MARIE_AT_HOME }],
    ['unprinted', UNREAD, { ...MARIES, key: 'k1' }],
    ['unprinted', UNREAD, { ...MARIES, key: 'k1', isResumed: true }],
    ['settled', UNREAD, { ...MARIES, fingerprint: 'f2' }],
    ['settled', UNREAD, { ...MARIES, org: 'acme' }],
    ['settled', UNREAD, { account: BARE }],
    ['new', UNREAD, { account: PAUL }],
    ['new', UNREAD, { ...MARIES, address: ELSEWHERE }],
    ['settled', UNREAD, { ...MARIES, isNew: true }],
    ['settled', UNREAD, { ...MARIES, key: 'mine' }],
    ['new', { ...UNREAD, ageHours: 24 }, MARIES],
    ['settled', { ...UNREAD, ...SENDING }, MARIES],
    ['settled', { ...UNREAD, answer: undefined }, MARIES],
  ]],
])('%s', (_about, rows) => {
  const all = rows.map(([expected, known, wanted = {}]): [string, Known, Partial<Wanted>] => [expected, known, wanted]);
  test.each(all)('%s: %j, %j', (expected, known, wanted) => {
    expect(verdict(known, wanted)).toBe(expected);
  });
});

test('of several like it, the latest is meant', () => {
  expect(match([record({ key: 'old' }), record()])).toMatchObject({ kind: 'same', entry: { key: 'k1' } });
});

test('a finished order of the same things is reported, under whatever name it was sent', () => {
  const settled = (known: Known) => {
    const found = match([record({ key: 'older', ...CLOSED }), record({ ...CLOSED, ...known })]);
    return found.kind === 'new' ? found.settled?.key : found.kind;
  };
  expect([{}, { fingerprint: 'f2', account: OTHER }].map(settled)).toEqual(['k1', 'k1']);
  const others = [{ contents: LABELLED }, { contents: [item({ planId: 'b' })] }, { ageHours: 24 }];
  expect(others.map(settled)).toEqual(['older', 'older', 'older']);
});

describe('a process', () => {
  const here = { ...machineOf(process, 'here'), isAlive: (pid: number) => pid !== 7 };
  const isSent = (sender: OrderEntry['sender'], now = NOW) => isSending(record({ sender }), now, here);

  test('that lives is sending until its time is over', () => {
    const sender = senderOf({ ...here, pid: 8 });
    expect([isSent(sender), isSent(sender, NOW + 1_000)]).toEqual([true, false]);
    expect([isSent({ ...sender, until: 'never' }), isSent(undefined)]).toEqual([false, false]);
  });

  test('that has ended is not sending, nor is this very one', () => {
    expect([isSent(senderOf({ ...here, pid: 7 })), isSent(senderOf(here))]).toEqual([false, false]);
  });

  test('of another machine counts as alive until its time is over, even under the number of this one', () => {
    for (const pid of [7, 8, here.pid]) {
      const sender = senderOf({ ...here, hostname: 'there', pid });
      expect([isSent(sender), isSent(sender, NOW + 1_000)]).toEqual([true, false]);
    }
    expect(isSent({ mark: 'of another format', until: senderOf(here).until })).toBe(true);
  });
});
