import type { CredentialRecord } from '../vault/credentials/records.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days before the expiry from which svc warns. */
const SOON_DAYS = 7;

/** When a stored token expires. */
export interface Expiry {
  /** ISO 8601. */
  readonly at: string;
  /** As {@link daysUntil} counts them. */
  readonly daysLeft: number;
  readonly isPast: boolean;
  /** Whether it expires within a week. */
  readonly isSoon: boolean;
}

/** Returns when a token expires; undefined if unknown. */
export function expiryOf(record: Pick<CredentialRecord, 'expiresAt'>, nowMs: number): Expiry | undefined {
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
 * Days until an instant, negative if it is past: rounded as svc rounds distances in time, which it gives in hours below
 * two days; whole days there.
 */
export function daysUntil(at: number, nowMs: number): number {
  const days = (at - nowMs) / DAY_MS;
  return days < 2 ? Math.floor(days) : Math.round(days);
}

/** Formats a date for people, in UTC: `18 Feb 2027`. */
export function dayOf(instant: string): string {
  const [, day, month, year] = new Date(instant).toUTCString().split(' ');
  return `${Number(day)} ${month} ${Number(year)}`;
}

/** The warning that the stored token expires within a week; undefined otherwise. */
export function expiryNotice(record: CredentialRecord, nowMs: number, renewal = 'svc login'): string | undefined {
  const expiry = expiryOf(record, nowMs);
  if (!expiry?.isSoon) return undefined;
  const days = expiry.daysLeft === 1 ? '1 day' : `${expiry.daysLeft} days`;
  const when = expiry.daysLeft === 0 ? 'within a day' : `in ${days}`;
  return `The token of profile ${record.profile} expires ${when}, on ${dayOf(expiry.at)}. Renew it with ${renewal}.`;
}

/** Explains a 401 by the expiry of the stored token; undefined if the token has not expired. */
export function expiryReason(record: CredentialRecord, nowMs: number): string | undefined {
  const expiry = expiryOf(record, nowMs);
  return expiry?.isPast ? `The token expired on ${dayOf(expiry.at)}.` : undefined;
}
