import { readInstant } from '../json/instant.ts';
import type { CredentialRecord } from './types.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Screens then show the expiry in yellow, and svc warns beside other commands. */
const SOON_DAYS = 14;

/** When a token expires. */
export interface Expiry {
  /** ISO 8601. */
  readonly at: string;
  /** Negative if it is past; rounded as svc rounds distances in time, which it gives in hours below two days. */
  readonly daysLeft: number;
  readonly isPast: boolean;
  /** Whether it expires within two weeks. */
  readonly isSoon: boolean;
}

/** Returns when a token expires; undefined if unknown. */
export function expiryOf(expiresAt: string | undefined, nowMs: number): Expiry | undefined {
  const at = readExpiry(expiresAt);
  if (at === undefined) return undefined;
  const days = (Date.parse(at) - nowMs) / DAY_MS;
  const daysLeft = days < 2 ? Math.floor(days) : Math.round(days);
  return { at, daysLeft, isPast: days <= 0, isSoon: days > 0 && days <= SOON_DAYS };
}

/** As ISO 8601; undefined if the value is not a time. */
export function readExpiry(value: unknown): string | undefined {
  const date = new Date(readInstant(value, { isTime: true }));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Formats a date for people, in UTC: `18 Feb 2027`. Returns text that is no time as it is. */
export function dayOf(instant: string): string {
  const at = readExpiry(instant);
  if (at === undefined) return instant;
  const [, day, month, year] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month} ${Number(year)}`;
}

/** The warning that the stored token expires within two weeks; undefined otherwise. */
export function expiryNotice(record: CredentialRecord, nowMs: number, renewal: string): string | undefined {
  const expiry = expiryOf(record.expiresAt, nowMs);
  if (!expiry?.isSoon) return undefined;
  const days = expiry.daysLeft === 1 ? '1 day' : `${expiry.daysLeft} days`;
  const when = expiry.daysLeft === 0 ? 'within a day' : `in ${days}`;
  return `The token of profile ${record.profile} expires ${when}, on ${dayOf(expiry.at)}. Renew it with ${renewal}.`;
}

/** Explains a 401 by the expiry of the token; undefined if it has not expired. */
export function expiryReason(expiresAt: string | undefined, nowMs: number): string | undefined {
  const expiry = expiryOf(expiresAt, nowMs);
  return expiry?.isPast ? `The token expired on ${dayOf(expiry.at)}.` : undefined;
}
