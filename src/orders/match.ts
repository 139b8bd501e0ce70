import type { Machine } from '../store/machine.ts';
import { type Account, isOtherPerson, isSameAccount } from './account.ts';
import { type Contents, isSamePlace } from './contents.ts';
import type { OrderEntries, OrderEntry } from './order.ts';
import { isSending } from './sender.ts';

const DAY_MS = 24 * 3_600_000;
/** Finished orders to keep, so that the journal of a busy buyer stays small. */
const MAX_CLOSED = 500;

/** An order to look for. */
export interface Wanted extends Contents {
  readonly address: string;
  readonly account: Account;
  readonly org: string | undefined;
  readonly fingerprint: string;
  /** The idempotency key that the user chose, or that of the order to resume. */
  readonly key: string | undefined;
  /** Whether to buy again, even if the same order is unfinished. */
  readonly isNew: boolean;
  /** Whether to resume an unfinished order, which another process may have finished meanwhile. */
  readonly isResumed: boolean;
}

/**
 * Why an order must not be sent.
 * - `in_flight`: another process is sending the same one now
 * - `key_taken`: another order of the account has the key
 * - `finished`: another process has received the answer
 * - `key_used`: it was placed with this key so long ago that the platform may place it again
 */
interface Obstacle {
  readonly kind: 'in_flight' | 'key_taken' | 'finished' | 'key_used';
  readonly record: OrderEntry;
}

/** The order to resume is no longer in the journal. */
interface Gone {
  readonly kind: 'gone';
}

/** An order that may be sent, and what the journal knows of it. */
export type OrderStanding =
  /** It is sent again with its key. */
  | { readonly kind: 'same'; readonly record: OrderEntry }
  | {
      readonly kind: 'new';
      /** Orders whose outcome is unknown, and which may be this very order; only a person may place a second one. */
      readonly doubts: OrderEntries;
      /** The latest finished order of the same things. */
      readonly settled: OrderEntry | undefined;
      /** The latest other order at the address whose outcome is unknown. */
      readonly other: OrderEntry | undefined;
    };

/** The journal's answer to a wanted order. */
export type Match = OrderStanding | Obstacle | Gone;

/** Whether the order must not be sent. */
export function isObstacle<T extends { readonly kind: string }>(found: T | Obstacle | Gone): found is Obstacle | Gone {
  return ['in_flight', 'key_taken', 'finished', 'key_used', 'gone'].includes(found.kind);
}

/**
 * Finds what the journal knows of an order: the one with its key if it has one, else an unfinished one of the same
 * account and body, else those that may be the same order under another name.
 */
export function findMatch(records: OrderEntries, wanted: Wanted, now: number, machine: Machine): Match {
  const isSent = ({ sender }: OrderEntry) => sender !== undefined && isSending(sender, now, machine);
  const keyed = records.find((record) => record.key === wanted.key && belongsTo(record, wanted));
  if (keyed !== undefined) {
    if (!isSameOrder(keyed, wanted)) return { kind: 'key_taken', record: keyed };
    if (wanted.isResumed && keyed.state === 'closed') return { kind: 'finished', record: keyed };
    return { kind: isSent(keyed) ? 'in_flight' : 'same', record: keyed };
  }
  if (wanted.isResumed) return { kind: 'gone' };

  const near = records.filter((record) => isSamePlace(record.address, wanted.address));
  const alike = near.filter((record) => record.things === wanted.things && !isDistinct(record, wanted));
  const doubts = alike.filter(({ state }) => state === 'open');
  if (!wanted.isNew) {
    const record = doubts.find(isSent);
    if (record !== undefined) return { kind: 'in_flight', record };
    const mine = doubts.findLast((one) => canResume(one, wanted, now));
    if (mine !== undefined) return { kind: 'same', record: mine };
  }
  const isOther = (one: OrderEntry) =>
    one.state === 'open' && !doubts.includes(one) && !isOtherPerson(one.account, wanted.account) && !isSent(one);
  return {
    kind: 'new',
    doubts,
    settled: alike.findLast(({ state }) => state === 'closed'),
    other: near.findLast(isOther),
  };
}

/** Whether an order was placed at this address by this account. */
export function belongsTo(record: OrderEntry, { address, account }: Pick<Wanted, 'address' | 'account'>): boolean {
  return record.address === address && isSameAccount(record.account, account);
}

/** Whether the platform may have forgotten the key. Looks both ways: the clock may have been set. */
export function isOld({ createdAt }: OrderEntry, now: number): boolean {
  return Math.abs(now - Date.parse(createdAt)) >= DAY_MS;
}

function isSameOrder({ org, fingerprint }: OrderEntry, wanted: Wanted): boolean {
  return org === wanted.org && fingerprint === wanted.fingerprint;
}

function canResume(record: OrderEntry, wanted: Wanted, now: number): boolean {
  const isMine = belongsTo(record, wanted) && isSameOrder(record, wanted);
  return isMine && wanted.key === undefined && !isOld(record, now);
}

/**
 * Whether an order of the same things is surely another order: by its label, its organization, a key that the user
 * chose for each, or the person who placed it. The very same request with the same key cannot become a second order.
 */
function isDistinct(record: OrderEntry, wanted: Wanted): boolean {
  const isOtherOrg = record.org !== undefined && wanted.org !== undefined && record.org !== wanted.org;
  const isRepeat = record.key === wanted.key && record.address === wanted.address && isSameOrder(record, wanted);
  const hasOtherKey = record.ownKey && wanted.key !== undefined && record.key !== wanted.key;
  return (
    record.labelled !== wanted.labelled ||
    isOtherOrg ||
    isRepeat ||
    hasOtherKey ||
    isOtherPerson(record.account, wanted.account)
  );
}

/** Finds why an order cannot have the key of one that has left the journal; undefined if it can. */
export function findUsed(records: OrderEntries, wanted: Wanted): Obstacle | undefined {
  const record = records.findLast((one) => one.key === wanted.key && belongsTo(one, wanted));
  return record && { kind: isSameOrder(record, wanted) ? 'key_used' : 'key_taken', record };
}

/**
 * Sorts out finished orders that are more than a day old, and the oldest if there are too many. An unfinished one stays
 * until somebody knows what became of it.
 */
export function sortOut(
  records: OrderEntries,
  now: number,
): { readonly kept: OrderEntries; readonly leaving: OrderEntries } {
  const isPast = (record: OrderEntry) => record.state === 'closed' && isOld(record, now);
  const recent = records.filter((record) => record.state === 'closed' && !isPast(record));
  const surplus = new Set(recent.slice(0, -MAX_CLOSED));
  const leaving = records.filter((record) => isPast(record) || surplus.has(record));
  return { kept: records.filter((record) => !leaving.includes(record)), leaving };
}
