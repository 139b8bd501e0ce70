import type { Machine } from '../machine.ts';
import { type Account, isSameAccount, isSending, type PurchaseRecord, type Records } from './record.ts';

const HOUR_MS = 3_600_000;
/** How long the same command resumes an unfinished purchase, and how long a finished one is kept. */
const RESUME_MS = 24 * HOUR_MS;
/** How long an unfinished purchase is listed, and not repeated without the user's consent. */
const KEEP_OPEN_MS = 30 * 24 * HOUR_MS;
/** The number of finished purchases kept, so that the journal of a busy buyer stays small. */
const MAX_CLOSED = 500;

/** A purchase to look for. */
export interface Wanted {
  readonly address: string;
  readonly account: Account;
  readonly org: string | undefined;
  readonly fingerprint: string;
  /** The idempotency key that the user chose. */
  readonly key: string | undefined;
  /** Whether to buy again, even if the same purchase is unfinished. */
  readonly isNew: boolean;
  /** Whether to resume an unfinished purchase, which another process may have finished meanwhile. */
  readonly isResumed: boolean;
}

/**
 * Why a purchase must not be sent.
 * - `in_flight`: another process is sending the same one now
 * - `key_taken`: another purchase of the account has the key
 * - `finished`: another process has received the answer
 * - `unresolved`: the same one was sent more than a day ago, and its outcome is unknown
 */
export interface Obstacle {
  readonly kind: 'in_flight' | 'key_taken' | 'finished' | 'unresolved';
  readonly record: PurchaseRecord;
}

/**
 * The journal's record of a wanted purchase: `same` is sent again with its key. `alike` is the latest purchase of the
 * same things that is finished or has another key.
 */
export type Match =
  | { readonly kind: 'none'; readonly alike?: PurchaseRecord | undefined }
  | { readonly kind: 'same'; readonly record: PurchaseRecord }
  | Obstacle;

export function isObstacle<T extends { readonly kind: string }>(found: T | Obstacle): found is Obstacle {
  return ['in_flight', 'key_taken', 'finished', 'unresolved'].includes(found.kind);
}

/** Finds a purchase of the same account: by its key if one is given, else among the unfinished ones. */
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

/** Removes records that are too old, and the oldest finished ones if there are too many. */
export function pruned(records: Records, now: number): Records {
  const kept = records.filter(({ state, createdAt }) => {
    const age = now - Date.parse(createdAt);
    return age < (state === 'closed' ? RESUME_MS : KEEP_OPEN_MS);
  });
  const surplus = kept.filter(({ state }) => state === 'closed').slice(0, -MAX_CLOSED);
  return surplus.length === 0 ? kept : kept.filter((record) => !surplus.includes(record));
}
