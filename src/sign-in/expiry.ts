import { parseStrictInstant, readInstant } from '../json/instant.ts';
import type { CredentialRecord } from './types.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The zero times of languages are before 1971, and no token ended then. */
const EARLIEST_END_MS = Date.UTC(1971, 0);
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

/**
 * Reads an end as ISO 8601; undefined if the value is not a time, or the zero of some language,
 * such as the year 1, which means that there is no end.
 */
export function readExpiry(value: unknown): string | undefined {
  const date = new Date(readInstant(value, { isTime: true }));
  if (Number.isNaN(date.getTime()) || isZeroTime(value) || isImpossibleDay(value)) return undefined;
  return date.toISOString();
}

/** Whether a time is so early that it stands for none. */
export function isZeroTime(value: unknown): boolean {
  return readInstant(value, { isTime: true }) < EARLIEST_END_MS;
}

/** `Date` turns the 30th of February into a day of March. */
function isImpossibleDay(value: unknown): boolean {
  const [day] = (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.exec(value.trim())) || [];
  return day !== undefined && parseStrictInstant(day) === 'date';
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
