import { readInstant } from '../json/instant.ts';
import type { CredentialRecord } from './types.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** svc then warns beside other commands. */
const SOON_DAYS = 14;

/** When a token expires; see {@link expiryOf}. */
export type Expiry = NonNullable<ReturnType<typeof expiryOf>>;

/** Undefined if unknown; `daysLeft` is negative if it is past. */
export function expiryOf(expiresAt: string | undefined, nowMs: number) {
  const at = readExpiry(expiresAt);
  if (at === undefined) return undefined;
  const days = (Date.parse(at) - nowMs) / DAY_MS;
  // As svc rounds distances in time, which it gives in hours below two days.
  const daysLeft = days < 2 ? Math.floor(days) : Math.round(days);
  return { at, daysLeft, isPast: days <= 0, isSoon: days > 0 && days <= SOON_DAYS };
}

/** As ISO 8601; undefined if the value is not a time. */
export function readExpiry(value: unknown): string | undefined {
  const date = new Date(readInstant(value, { isTime: true }));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** In UTC: `18 Feb 2027`. Returns text that is no time as it is. */
export function dayOf(instant: string): string {
  const at = readExpiry(instant);
  if (at === undefined) return instant;
  const [, day, month, year] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month} ${Number(year)}`;
}

/** Undefined unless the token expires within two weeks. */
export function expiryNotice(
  record: CredentialRecord,
  nowMs: number,
  renewal: string,
): string | undefined {
  const expiry = expiryOf(record.expiresAt, nowMs);
  if (!expiry?.isSoon) return undefined;
  const days = expiry.daysLeft === 1 ? '1 day' : `${expiry.daysLeft} days`;
  const when = expiry.daysLeft === 0 ? 'within a day' : `in ${days}`;
  return `The token of profile ${record.profile} expires ${when}, on ${dayOf(expiry.at)}. Renew it with ${renewal}.`;
}

/** Undefined if it has not expired. */
export function expiryReason(expiresAt: string | undefined, nowMs: number): string | undefined {
  const expiry = expiryOf(expiresAt, nowMs);
  return expiry?.isPast ? `The token expired on ${dayOf(expiry.at)}.` : undefined;
}
