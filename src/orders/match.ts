import { isDead, ownerMark } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';
import { isOtherPerson, isSamePerson } from './account.ts';
import {
  belongsTo,
  hasAnswerLeft,
  isOld,
  isSameContents,
  isSameRequest,
  type OrderEntries,
  type OrderEntry,
  sharesItem,
} from './order.ts';

/** An order to look for. */
export interface Wanted
  extends Pick<OrderEntry, 'address' | 'account' | 'contents' | 'fingerprint'> {
  readonly org: string | undefined;
  readonly key: string | undefined;
  /** Even if the same order is unfinished. */
  readonly isNew: boolean;
  /** Another process may have finished it meanwhile. */
  readonly isResumed: boolean;
}

/**
 * Why an order must not be sent.
 * - `in_flight`: another process is sending it now
 * - `finished`: another process has the answer
 * - `key_used`: so long ago that the platform may place it again
 * - `unsettled`: it exists, and only a person can say whether it is in order
 */
export type Obstacle =
  | {
      readonly kind: 'in_flight' | 'key_taken' | 'finished' | 'key_used' | 'unsettled';
      readonly entry: OrderEntry;
    }
  | { readonly kind: 'gone' };

/** An order that may be sent, and what the journal knows of it. */
export type OrderStanding =
  | { readonly kind: 'same'; readonly entry: OrderEntry }
  | {
      readonly kind: 'new';
      /** In doubt, and with an item of it; only a person may place a second one. */
      readonly doubts: OrderEntries;
      readonly settled: OrderEntry | undefined;
      readonly other: OrderEntry | undefined;
    };

/** Its answer is there, and the user has not read it: it is printed, and nothing is sent. */
export interface Unprinted {
  readonly kind: 'unprinted';
  readonly entry: OrderEntry;
}

/** What the journal knows of a wanted order. */
export type Match = OrderStanding | Unprinted | Obstacle;

/** False for an order that may be sent. */
export function isObstacle<T extends { readonly kind: string }>(
  found: T | Obstacle,
): found is Obstacle {
  return ['in_flight', 'key_taken', 'finished', 'key_used', 'unsettled', 'gone'].includes(
    found.kind,
  );
}

/**
 * Finds the same order if nobody could read its answer, else the one with its key, else an
 * unfinished one of the same account and body, else those that may be the same order, or a part of
 * it, under another name.
 */
export function findMatch(
  entries: OrderEntries,
  wanted: Wanted,
  now: number,
  machine: Machine,
): Match {
  const unprinted = entries.findLast((entry) => isUnprinted(entry, wanted, now, machine));
  if (unprinted !== undefined) return { kind: 'unprinted', entry: unprinted };
  const keyed = entries.findLast((entry) => entry.key === wanted.key && belongsTo(entry, wanted));
  if (keyed !== undefined) return matchByKey(keyed, wanted, now, machine);
  if (wanted.isResumed) return { kind: 'gone' };
  const near = entries.filter((entry) => entry.address === wanted.address);
  const alike = near.filter((entry) => isAlike(entry, wanted) && !isDistinct(entry, wanted));
  const doubts = alike.filter(({ state }) => state !== 'closed');
  if (!wanted.isNew) {
    const sent = doubts.find((entry) => isSending(entry, now, machine));
    if (sent !== undefined) return { kind: 'in_flight', entry: sent };
    const mine = doubts.findLast((entry) => canResume(entry, wanted, now));
    if (mine !== undefined) return { kind: 'same', entry: mine };
  }
  const isOther = (entry: OrderEntry) =>
    entry.state !== 'closed' &&
    !doubts.includes(entry) &&
    !isOtherPerson(entry.account, wanted.account) &&
    !isSending(entry, now, machine);
  const isRepeated = (entry: OrderEntry) =>
    entry.state === 'closed' &&
    isSameContents(entry.contents, wanted.contents) &&
    !isOld(entry, now);
  return {
    kind: 'new',
    doubts,
    settled: alike.findLast(isRepeated),
    other: near.findLast(isOther),
  };
}

/**
 * Whether the user of the very same order has not read its answer. Another key of theirs means
 * another order.
 */
function isUnprinted(entry: OrderEntry, wanted: Wanted, now: number, machine: Machine): boolean {
  if (!hasAnswerLeft(entry, now) || wanted.isNew || isSending(entry, now, machine)) return false;
  const isMine = entry.address === wanted.address && isSamePerson(entry.account, wanted.account);
  return isMine && isSameRequest(entry, wanted) && (wanted.key ?? entry.key) === entry.key;
}

function matchByKey(entry: OrderEntry, wanted: Wanted, now: number, machine: Machine): Match {
  if (!isSameRequest(entry, wanted)) return { kind: 'key_taken', entry };
  if (entry.state === 'doubtful') return { kind: 'unsettled', entry };
  if (entry.state === 'closed' && wanted.isResumed) return { kind: 'finished', entry };
  if (entry.state === 'closed' && isOld(entry, now)) return { kind: 'key_used', entry };
  return { kind: isSending(entry, now, machine) ? 'in_flight' : 'same', entry };
}

/**
 * Whether another process may be sending it. One of another machine counts as alive until its time
 * is over.
 */
export function isSending({ sender }: OrderEntry, now: number, machine: Machine): boolean {
  if (sender === undefined || !(Date.parse(sender.until) > now)) return false;
  return sender.mark !== ownerMark(machine) && !isDead(sender.mark, machine);
}

function canResume(entry: OrderEntry, wanted: Wanted, now: number): boolean {
  const isMine = belongsTo(entry, wanted) && isSameRequest(entry, wanted);
  return entry.state === 'open' && isMine && wanted.key === undefined && !isOld(entry, now);
}

/** Without an item that svc can tell, two orders are alike if nothing tells them apart. */
function isAlike({ contents }: OrderEntry, wanted: Wanted): boolean {
  return sharesItem(contents, wanted.contents) || isSameContents(contents, wanted.contents);
}

/**
 * Whether an order of the same items is surely another order: by its organization, a key that the
 * user chose for each, or the person who placed it. The very same request with the same key cannot
 * become a second order.
 */
function isDistinct(entry: OrderEntry, wanted: Wanted): boolean {
  const isOtherOrg =
    entry.org !== undefined && wanted.org !== undefined && entry.org !== wanted.org;
  const isRepeat = entry.key === wanted.key && isSameRequest(entry, wanted);
  const hasOtherKey = entry.ownKey && wanted.key !== undefined && entry.key !== wanted.key;
  return isOtherOrg || isRepeat || hasOtherKey || isOtherPerson(entry.account, wanted.account);
}

/** Whether the journal knows an order of the same things that the user was not told of. */
export function tellsMore(found: OrderStanding, told: OrderStanding): boolean {
  const known = new Set(marksOf(told));
  return marksOf(found).some((mark) => !known.has(mark));
}

function marksOf(standing: OrderStanding): readonly string[] {
  const entries =
    standing.kind === 'same' ? [standing.entry] : [...standing.doubts, standing.settled];
  return entries.flatMap((entry) => (entry === undefined ? [] : `${entry.state} ${entry.key}`));
}
