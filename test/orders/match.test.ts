import { describe, expect, test } from 'vitest';
import { accountOfToken } from '../../src/orders/account.ts';
import { findMatch, isSending, type Wanted } from '../../src/orders/match.ts';
import type { OrderEntry, OrderedItem } from '../../src/orders/order.ts';
import { ownerMark } from '../../src/store/lock.ts';
import { machineOf } from '../../src/store/machine.ts';
import { planOf } from './plan.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const MACHINE = machineOf(process, 'here');

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

const OTHER = { account: { profile: 'home' } };
const BARE = { account: accountOfToken('svc_CANARY_0123456789abcdef') };
const MARIE = { account: { profile: 'work', email: 'marie@example.com' } };
const MARIE_AT_HOME = { account: { profile: 'home', email: 'Marie@example.com' } };
const PAUL = { account: { profile: 'work', email: 'paul@example.com' } };
const ELSEWHERE = { address: 'https://api.example.org' };
/** Sent by a process of another machine, which counts as alive. */
const SENDING = { sender: senderOf(machineOf(process, 'there')) };
const CLOSED = { state: 'closed' } as const;
const DOUBTFUL = { state: 'doubtful', orderId: 'ord_1', ageHours: 24 * 2_000 } as const;
const LABELLED = [item({ label: 'blog' })];
/** Its answer could not be printed. */
const UNREAD = { state: 'closed', answer: '{}', ...MARIE } as const;
const OLD = { ...CLOSED, ownKey: true, ageHours: 720 };

/** The kind of a match; that of a new order says whether it is in doubt, or another one is. */
function verdict(known: Known, wanted: Partial<Wanted>): string {
  const found = match([record(known)], wanted);
  if (found.kind !== 'new') return found.kind;
  if (found.doubts.length > 0) return 'in doubt';
  if (found.settled !== undefined) return 'settled';
  return found.other === undefined ? 'new' : 'other';
}

type Row = [expected: string, known: Known, wanted?: Partial<Wanted>];

describe.each<[about: string, rows: Row[]]>([
  [
    'the same order with an unknown outcome is resumed for a day, and left to the user afterwards',
    [
      ['same', { ageHours: 23.9 }],
      ['in doubt', { ageHours: 24 }],
      ['in doubt', { ageHours: -24 * 366 }],
      ['settled', CLOSED],
      ['in doubt', {}, { isNew: true }],
    ],
  ],
  [
    'the same things at the same place are one order, whoever sends them and however',
    [
      ...[{ fingerprint: 'f2' }, { org: 'acme' }, OTHER, BARE, MARIE_AT_HOME].flatMap(
        (known): Row[] => [
          ['in doubt', known, { ...MARIE, key: 'mine' }],
          ['in_flight', { ...known, ...SENDING }, MARIE],
        ],
      ),
      ['in doubt', SENDING, { isNew: true }],
      ['in doubt', {}, { org: 'acme' }],
    ],
  ],
  [
    'another label, organization, person, or key of the user is another order, of which people are told',
    [
      ['other', { contents: LABELLED }],
      ['new', { contents: LABELLED, ...SENDING }],
      ['other', { org: 'acme' }, { org: 'kola' }],
      ['other', { ownKey: true }, { key: 'mine' }],
      ['same', { ownKey: true }],
      ['new', PAUL, MARIE],
    ],
  ],
  [
    'an order in doubt stops one that has an item of it, whatever else is ordered',
    [
      [[item({ quantity: 2 })], [item()]],
      [[item(), ...LABELLED], [item()]],
    ].flatMap(([contents = [], wanted = []]): Row[] => [
      ['in doubt', { contents, fingerprint: 'f2' }, { contents: wanted }],
      ['in_flight', { contents, fingerprint: 'f2', ...SENDING }, { contents: wanted }],
      ['new', { contents, fingerprint: 'f2', ...CLOSED }, { contents: wanted }],
    ]),
  ],
  [
    'an order whose answer contradicts itself is not sent again, by its key neither, until a person settles it',
    [
      ['in doubt', DOUBTFUL],
      ['in doubt', DOUBTFUL, { isNew: true }],
      ['unsettled', DOUBTFUL, { key: 'k1', isResumed: true }],
      ['key_taken', DOUBTFUL, { key: 'k1', fingerprint: 'f2' }],
    ],
  ],
  [
    'a key belongs to one order of one account and address; a day after its answer it is not used again',
    [
      ['other', OTHER, { key: 'k1' }],
      ['in doubt', { ...OTHER, fingerprint: 'f2' }, { key: 'k1' }],
      ['same', { ageHours: 48 }, { key: 'k1' }],
      ['same', CLOSED, { key: 'k1' }],
      ['key_taken', { org: 'acme' }, { key: 'k1' }],
      ['key_taken', { fingerprint: 'f2', ...CLOSED }, { key: 'k1' }],
      ['key_used', OLD, { key: 'k1' }],
      ['new', { ...OLD, ...OTHER }, { key: 'k1' }],
      ['new', { ...OLD, ...ELSEWHERE }, { key: 'k1' }],
    ],
  ],
  [
    'an order that another process sends or has finished is neither resumed nor placed anew',
    [
      ['finished', CLOSED, { key: 'k1', isResumed: true }],
      ['gone', { key: 'k2' }, { key: 'k1', isResumed: true }],
      ['in_flight', { ...SENDING, ageHours: 48 }],
      ['in_flight', SENDING, { key: 'k1' }],
    ],
  ],
  [
    'an answer that nobody could read is printed for its person and the same request, for a day',
    [
      ['unprinted', UNREAD, MARIE_AT_HOME],
      ['unprinted', UNREAD, { ...MARIE, key: 'k1', isResumed: true }],
      ['settled', UNREAD, { ...MARIE, fingerprint: 'f2' }],
      ['settled', UNREAD, BARE],
      ['new', UNREAD, PAUL],
      ['new', UNREAD, { ...MARIE, ...ELSEWHERE }],
      ['settled', UNREAD, { ...MARIE, isNew: true }],
      ['settled', UNREAD, { ...MARIE, key: 'mine' }],
      ['new', { ...UNREAD, ageHours: 24 }, MARIE],
      ['settled', { ...UNREAD, ...SENDING }, MARIE],
    ],
  ],
])('%s', (_about, rows) => {
  test.each<Row>(rows)('%s: %j, %j', (expected, known, wanted = {}) => {
    expect(verdict(known, wanted)).toBe(expected);
  });
});

test('of several like it, the latest is meant', () => {
  expect(match([record({ key: 'old' }), record()])).toMatchObject({
    kind: 'same',
    entry: { key: 'k1' },
  });
});

test('a finished order is reported if it is of the same things, under whatever name, and not a day old', () => {
  const settled = (known: Known) => {
    const found = match([record({ key: 'older', ...CLOSED }), record({ ...CLOSED, ...known })]);
    return found.kind === 'new' ? found.settled?.key : found.kind;
  };
  const known = [
    { fingerprint: 'f2', ...OTHER },
    { contents: [item({ planId: 'b' })] },
    { ageHours: 24 },
  ];
  expect(known.map(settled)).toEqual(['k1', 'older', 'older']);
});

test('a process that lives, or is of another machine, is sending until its time is over', () => {
  const here = { ...MACHINE, isAlive: (pid: number) => pid !== 7 };
  const isSent = (other: object, now = NOW) =>
    isSending(record({ sender: senderOf({ ...here, ...other }) }), now, here);
  for (const alive of [{ pid: 8 }, { pid: 7, hostname: 'there' }, { hostname: 'there' }]) {
    expect([isSent(alive), isSent(alive, NOW + 1_000)]).toEqual([true, false]);
  }
  expect([isSent({ pid: 7 }), isSent({})], 'it has ended; it is this one').toEqual([false, false]);
});
