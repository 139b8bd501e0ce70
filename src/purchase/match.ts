import type { Machine } from '../store/machine.ts';
import { isAbandoned, ownerMark } from '../store/owner.ts';
import type { PurchaseRecord } from './record.ts';

const HOUR_MS = 3_600_000;
/** How long the same command goes on with an unfinished purchase, and how long a finished one is remembered. */
const RESUME_MS = 24 * HOUR_MS;
/** How long an unfinished purchase is listed. */
const KEEP_OPEN_MS = 30 * 24 * HOUR_MS;
/** Finished purchases that are remembered at most, so that the journal stays small for who buys all day. */
const MOST_CLOSED = 500;

/** A purchase as it is looked for. */
export interface Wanted {
  readonly address: string;
  readonly fingerprint: string;
  /** The key that the user chose. */
  readonly key: string | undefined;
  /** Whether a purchase like an unfinished one is meant as another one. */
  readonly isNew: boolean;
}

/** Why a purchase must not be sent. */
export interface Obstacle {
  /** Another process is sending the same one at this moment; or another purchase has the key. */
  readonly kind: 'in_flight' | 'key_taken';
  readonly record: PurchaseRecord;
}

/** What the journal knows of a wanted purchase. */
export type Match =
  | {
      readonly kind: 'none';
      /** The latest purchase of the same things all the same: finished, too long ago, or under another key. */
      readonly alike?: PurchaseRecord | undefined;
    }
  /** The same one, to be sent again with its key. */
  | { readonly kind: 'same'; readonly record: PurchaseRecord }
  | Obstacle;

/** Whether what was found is in the way. */
export function isObstacle(found: { readonly kind: string }): found is Obstacle {
  return found.kind === 'in_flight' || found.kind === 'key_taken';
}

/** Looks for a purchase: by its key where it has one, else among the unfinished ones of the last day. */
export function findMatch(records: readonly PurchaseRecord[], wanted: Wanted, now: number, machine: Machine): Match {
  const here = records.filter(({ address }) => address === wanted.address);
  const alike = here.findLast(({ fingerprint }) => fingerprint === wanted.fingerprint);
  if (wanted.key !== undefined) {
    const record = here.find(({ key }) => key === wanted.key);
    if (record === undefined) return { kind: 'none', alike };
    return { kind: record.fingerprint === wanted.fingerprint ? 'same' : 'key_taken', record };
  }
  if (wanted.isNew) return { kind: 'none', alike };
  const record = here.findLast(
    ({ state, createdAt, fingerprint }) =>
      state === 'open' && fingerprint === wanted.fingerprint && now - Date.parse(createdAt) < RESUME_MS,
  );
  if (record === undefined) return { kind: 'none', alike };
  return { kind: isInFlight(record, now, machine) ? 'in_flight' : 'same', record };
}

/** The records without those that nobody will ask for any more. */
export function pruned(records: readonly PurchaseRecord[], now: number): readonly PurchaseRecord[] {
  const kept = records.filter(({ state, createdAt }) => {
    const age = now - Date.parse(createdAt);
    return age < (state === 'closed' ? RESUME_MS : KEEP_OPEN_MS);
  });
  const surplus = kept.filter(({ state }) => state === 'closed').slice(0, -MOST_CLOSED);
  return surplus.length === 0 ? kept : kept.filter((record) => !surplus.includes(record));
}

/** Whether a living process, other than this one, is still busy with the purchase. */
function isInFlight({ sender }: PurchaseRecord, now: number, machine: Machine): boolean {
  if (sender === undefined || sender.mark === ownerMark(machine)) return false;
  const leftMs = Date.parse(sender.until) - now;
  return leftMs > 0 && !isAbandoned(sender.mark, 0, Number.POSITIVE_INFINITY, machine);
}
