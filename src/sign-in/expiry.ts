import { readInstant } from '../json/instant.ts';
import type { CredentialRecord } from './types.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** With no more days left, screens show the expiry in yellow, and svc warns beside other commands. */
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
export function expiryOf({ expiresAt }: Pick<CredentialRecord, 'expiresAt'>, nowMs: number): Expiry | undefined {
  const at = readInstant(expiresAt, { isTime: true });
  if (Number.isNaN(new Date(at).getTime())) return undefined;
  const days = (at - nowMs) / DAY_MS;
  const daysLeft = days < 2 ? Math.floor(days) : Math.round(days);
  const isPast = at <= nowMs;
  return { at: new Date(at).toISOString(), daysLeft, isPast, isSoon: !isPast && days <= SOON_DAYS };
}

/** Formats a date for people, in UTC: `18 Feb 2027`. Returns text that is no time as it is. */
export function dayOf(instant: string): string {
  const at = readInstant(instant, { isTime: true });
  if (Number.isNaN(new Date(at).getTime())) return instant;
  const [, day, month, year] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month} ${Number(year)}`;
}

/** The warning that the stored token expires within two weeks; undefined otherwise. */
export function expiryNotice(record: CredentialRecord, nowMs: number, renewal = 'svc login'): string | undefined {
  const expiry = expiryOf(record, nowMs);
  if (!expiry?.isSoon) return undefined;
  const days = expiry.daysLeft === 1 ? '1 day' : `${expiry.daysLeft} days`;
  const when = expiry.daysLeft === 0 ? 'within a day' : `in ${days}`;
  return `The token of profile ${record.profile} expires ${when}, on ${dayOf(expiry.at)}. Renew it with ${renewal}.`;
}

/** Explains a 401 by the expiry of the stored token; undefined if the token has not expired. */
export function expiryReason(record: Pick<CredentialRecord, 'expiresAt'>, nowMs: number): string | undefined {
  const expiry = expiryOf(record, nowMs);
  return expiry?.isPast ? `The token expired on ${dayOf(expiry.at)}.` : undefined;
}
