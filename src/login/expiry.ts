import type { CredentialRecord } from '../vault/credentials/records.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days before the end in which svc says so. */
const SOON_DAYS = 7;

/** When a stored token ends, seen from now. */
export interface Expiry {
  /** ISO 8601. */
  readonly at: string;
  /** Whole days that are left; negative once it is past. */
  readonly daysLeft: number;
  readonly isPast: boolean;
  /** Whether it ends within a week. */
  readonly isSoon: boolean;
}

/** When a stored token ends; `undefined` where that is not known. */
export function expiryOf(record: CredentialRecord, nowMs: number): Expiry | undefined {
  const at = Date.parse(record.expiresAt ?? '');
  if (Number.isNaN(at)) return undefined;
  const leftMs = at - nowMs;
  return {
    at: new Date(at).toISOString(),
    daysLeft: daysUntil(at, nowMs),
    isPast: leftMs <= 0,
    isSoon: leftMs > 0 && leftMs < SOON_DAYS * DAY_MS,
  };
}

/**
 * Days until an instant, rounded as where svc says how far away a date is; below two, where that counts hours, the whole
 * days. Negative once it is past.
 */
export function daysUntil(at: number, nowMs: number): number {
  const days = (at - nowMs) / DAY_MS;
  return days < 2 ? Math.floor(days) : Math.round(days);
}

/** A date as people write it, in UTC: `18 Feb 2027`. */
export function dayOf(instant: string): string {
  const [, day, month, year] = new Date(instant).toUTCString().split(' ');
  return `${Number(day)} ${month} ${Number(year)}`;
}

/** The line that a command shows while the stored token is about to end; `undefined` otherwise. */
export function expiryNotice(record: CredentialRecord, nowMs: number, renewal = 'svc login'): string | undefined {
  const expiry = expiryOf(record, nowMs);
  if (!expiry?.isSoon) return undefined;
  const days = expiry.daysLeft === 1 ? '1 day' : `${expiry.daysLeft} days`;
  const when = expiry.daysLeft === 0 ? 'within a day' : `in ${days}`;
  return `The token of profile ${record.profile} expires ${when}, on ${dayOf(expiry.at)}. Renew it with ${renewal}.`;
}

/** What a 401 means for a stored token whose date is past; `undefined` where the date explains nothing. */
export function expiryReason(record: CredentialRecord, nowMs: number): string | undefined {
  const expiry = expiryOf(record, nowMs);
  return expiry?.isPast ? `The token expired on ${dayOf(expiry.at)}.` : undefined;
}
