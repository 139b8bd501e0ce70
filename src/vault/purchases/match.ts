import type { Machine } from '../machine.ts';
import type { PurchaseRecord, Records } from './record.ts';
import { type Account, isSameAccount, isSending } from './record.ts';

const HOUR_MS = 3_600_000;
/** How long the same command resumes an unfinished purchase by itself, and how long a finished one is remembered. */
const RESUME_MS = 24 * HOUR_MS;
/** How long an unfinished purchase is listed, and not placed again unasked. */
const KEEP_OPEN_MS = 30 * 24 * HOUR_MS;
/** Finished purchases that are remembered at most, so that the journal of a busy buyer stays small. */
const MOST_CLOSED = 500;

/** A purchase as it is looked for. */
export interface Wanted {
  readonly address: string;
  readonly account: Account;
  readonly org: string | undefined;
  readonly fingerprint: string;
  /** The key that the user chose. */
  readonly key: string | undefined;
  /** Whether a purchase like an unfinished one is meant as another one. */
  readonly isNew: boolean;
  /** Whether an unfinished one is meant, which another process may have finished by now. */
  readonly isResumed: boolean;
}

/** Why a purchase must not be sent. */
export interface Obstacle {
  /**
   * - `in_flight`: another process is sending the same one at this moment
   * - `key_taken`: another purchase of the account has the key
   * - `finished`: another process has the answer by now
   * - `unresolved`: the same one was sent more than a day ago, and its outcome is unknown
   */
  readonly kind: 'in_flight' | 'key_taken' | 'finished' | 'unresolved';
  readonly record: PurchaseRecord;
}

/** What the journal knows of a wanted purchase. */
export type Match =
  | {
      readonly kind: 'none';
      /** The latest purchase of the same things all the same: finished, or under another key. */
      readonly alike?: PurchaseRecord | undefined;
    }
  /** The same one, to be sent again with its key. */
  | { readonly kind: 'same'; readonly record: PurchaseRecord }
  | Obstacle;

/** Whether what was found is in the way. */
export function isObstacle<T extends { readonly kind: string }>(found: T | Obstacle): found is Obstacle {
  return ['in_flight', 'key_taken', 'finished', 'unresolved'].includes(found.kind);
}

/** Looks for a purchase of the same account: by its key where it has one, else among the unfinished ones. */
export function findMatch(records: Records, wanted: Wanted, now: number, machine: Machine): Match {
  const own = records.filter((record) => belongsTo(record, wanted));
  const isAlike = ({ org, fingerprint }: PurchaseRecord) => org === wanted.org && fingerprint === wanted.fingerprint;
  const alike = own.findLast(isAlike);
  const record =
    wanted.key === undefined
      ? own.findLast((one) => !wanted.isNew && one.state === 'open' && isAlike(one))
      : own.find(({ key }) => key === wanted.key);
  if (record === undefined) return { kind: 'none', alike };
  if (!isAlike(record)) return { kind: 'key_taken', record };
  if (wanted.isResumed && record.state === 'closed') return { kind: 'finished', record };
  if (record.sender !== undefined && isSending(record.sender, now, machine)) return { kind: 'in_flight', record };
  const isOld = wanted.key === undefined && now - Date.parse(record.createdAt) >= RESUME_MS;
  return { kind: isOld ? 'unresolved' : 'same', record };
}

/** Whether a purchase was placed at this address by this account. */
export function belongsTo(record: PurchaseRecord, { address, account }: Pick<Wanted, 'address' | 'account'>): boolean {
  return record.address === address && isSameAccount(record.account, account);
}

/** The records without those that nobody will ask for any more. */
export function pruned(records: Records, now: number): Records {
  const kept = records.filter(({ state, createdAt }) => {
    const age = now - Date.parse(createdAt);
    return age < (state === 'closed' ? RESUME_MS : KEEP_OPEN_MS);
  });
  const surplus = kept.filter(({ state }) => state === 'closed').slice(0, -MOST_CLOSED);
  return surplus.length === 0 ? kept : kept.filter((record) => !surplus.includes(record));
}
