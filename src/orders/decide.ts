import type { Machine } from '../store/machine.ts';
import {
  isBeingSent,
  isKeyFresh,
  isOpen,
  isSameAccount,
  isSameOrder,
  mayBeSameBuyer,
  type OrderEntry,
  wasJustPlaced,
} from './entry.ts';

/** An order that somebody wants to place. */
export interface WantedOrder {
  /** The entry that the journal will have, with the key that the user chose, or a new one. */
  readonly draft: OrderEntry & { readonly body: string };
  /**
   * `--new-order`: `true` places the same order once more; a key goes on beside the order in doubt
   * that has it.
   */
  readonly newOrder: string | true | undefined;
  /** Whether it is an order of the journal that `--resume` names. */
  readonly isResumed: boolean;
  /** The time for which a key is sent again, from its first request on. */
  readonly keyLifetimeMs: number;
}

/** The reasons for which an order must not be sent, whoever agrees to it. */
type Obstacle =
  | 'being_sent'
  | 'contradictory'
  | 'settled'
  | 'not_in_doubt'
  | 'key_of_another'
  | 'key_too_old';

/**
 * A decision about a wanted order, by the journal:
 * - `new`: nothing is in the way. The user is told of `entry`: it is in doubt, or has failed
 * - `again`: `entry` is this order, and is sent again with its key and bytes
 * - `second`: it would be one more beside `entries`, to which only a person or `--new-order` agrees
 * - `refused`: it must not be sent
 */
export type Decision =
  | { readonly kind: 'new'; readonly entry: OrderEntry | undefined }
  | { readonly kind: 'again'; readonly entry: OrderEntry }
  | { readonly kind: 'second'; readonly entries: readonly [OrderEntry, ...OrderEntry[]] }
  | { readonly kind: 'refused'; readonly obstacle: Obstacle; readonly entry: OrderEntry };

/** Decides what becomes of a wanted order. `entries` are those of the journal, the oldest first. */
export function decide(
  entries: readonly OrderEntry[],
  wanted: WantedOrder,
  now: number,
  machine: Machine,
): Decision {
  const { draft, newOrder, isResumed, keyLifetimeMs } = wanted;
  const isSent = (entry: OrderEntry) => isBeingSent(entry, now, machine);

  const withItsKey = entries.findLast(
    (entry) => entry.key === draft.key && isSameAccount(entry, draft),
  );
  if (withItsKey) return decideByKey(withItsKey, wanted, now, isSent(withItsKey));
  if (isResumed) return { kind: 'refused', obstacle: 'settled', entry: draft };

  const open = entries.filter((entry) => isOpen(entry) && mayBeSameBuyer(entry, draft));
  const inTheWay = open.filter((entry) => !isPassed(entry, wanted));
  const twin = inTheWay.find((entry) => entry.bodyHash === draft.bodyHash && isSent(entry));
  if (twin) return { kind: 'refused', obstacle: 'being_sent', entry: twin };

  const inDoubt = inTheWay.filter((entry) => !isSent(entry));
  const same = inDoubt.findLast((entry) => isSameOrder(entry, draft));
  const mayResume = same?.orderId === undefined && !draft.ownKey;
  if (same && mayResume && isKeyFresh(same, keyLifetimeMs, now)) {
    return { kind: 'again', entry: same };
  }

  const isNamedInDoubt = entries.some((entry) => entry.key === newOrder && isOpen(entry));
  if (typeof newOrder === 'string' && !isNamedInDoubt) {
    return { kind: 'refused', obstacle: 'not_in_doubt', entry: { ...draft, key: newOrder } };
  }

  const justPlaced = entries.filter(
    (entry) => isSameOrder(entry, draft) && wasJustPlaced(entry, now),
  );
  const repeated = justPlaced.findLast(({ hasFailed }) => hasFailed !== true);
  // A new key of the user means a new order.
  const isRepeat = repeated !== undefined && newOrder !== true && !draft.ownKey;
  const worstFirst = [isRepeat ? repeated : undefined, same, ...inDoubt.toReversed()];
  const inTheWayOfIt = worstFirst.filter((entry) => entry !== undefined);
  // `same` is one of those in doubt as well; the set has it once.
  const [first, ...others] = new Set(inTheWayOfIt);
  if (first) return { kind: 'second', entries: [first, ...others] };

  const passed = open.findLast((entry) => isPassed(entry, wanted) && !isSent(entry));
  const failed = !repeated && !draft.ownKey ? justPlaced.at(-1) : undefined;
  return { kind: 'new', entry: passed ?? failed };
}

/**
 * Whether the user has said that an order in doubt is another one: by its key, or by a key for each
 * of the two.
 */
function isPassed(entry: OrderEntry, { draft, newOrder }: WantedOrder): boolean {
  return entry.key === newOrder || (entry.ownKey && draft.ownKey);
}

/** Decides by the entry with the key of the wanted order: a key names one order of one account. */
function decideByKey(
  entry: OrderEntry,
  { draft, isResumed, keyLifetimeMs }: WantedOrder,
  now: number,
  isSent: boolean,
): Decision {
  const refuse = (obstacle: Obstacle) => ({ kind: 'refused', obstacle, entry }) as const;
  if (!isSameOrder(entry, draft)) return refuse('key_of_another');
  if (entry.state === 'placed' && isResumed) return refuse('settled');
  if (entry.state !== 'placed' && entry.orderId !== undefined) return refuse('contradictory');
  if (isSent) return refuse('being_sent');
  return isKeyFresh(entry, keyLifetimeMs, now) ? { kind: 'again', entry } : refuse('key_too_old');
}

/** Whether two decisions tell the user the same. */
export function isSameDecision(one: Decision, other: Decision): boolean {
  return describeDecision(one) === describeDecision(other);
}

function describeDecision(decision: Decision): string {
  if (decision.kind === 'new') return decision.kind;
  const entries = decision.kind === 'second' ? decision.entries : [decision.entry];
  return [decision.kind, ...entries.map(({ key, state }) => `${key} ${state}`)].join(' ');
}
