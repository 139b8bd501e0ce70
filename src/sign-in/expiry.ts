import { findField, parseStrictInstant, readInstant, toInstantText } from '../json/values.ts';
import type { CredentialRecord } from './credentials.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** No token ended before 1971, where the zero times of languages are. */
const EARLIEST_END_MS = Date.UTC(1971, 0);
/** Platforms write 9999 for a token without an end. */
const LATEST_END_MS = Date.UTC(2200, 0);
/** svc warns beside other commands so long before a token ends. */
const SOON_DAYS = 14;

/** When a token expires; see {@link judgeExpiry}. */
export type Expiry = NonNullable<ReturnType<typeof judgeExpiry>>;

/** Judges when a token ends: undefined if unknown; `daysLeft` is negative if it is past. */
export function judgeExpiry(expiresAt: string | undefined, nowMs: number) {
  const at = readExpiry(expiresAt);
  if (at === undefined) return undefined;
  const days = (Date.parse(at) - nowMs) / DAY_MS;
  // As svc rounds distances in time, which it gives in hours below two days.
  const daysLeft = days < 2 ? Math.floor(days) : Math.round(days);
  return { at, daysLeft, isPast: days <= 0, isSoon: days > 0 && days <= SOON_DAYS };
}

/**
 * Reads when a token ends, as ISO 8601; undefined if the value is no time, or one that stands for
 * no end, such as the year 1 or 9999.
 */
export function readExpiry(value: unknown): string | undefined {
  const time = readInstant(value, { isTime: true });
  if (Number.isNaN(time) || isEndless(value) || isImpossibleDay(value)) return undefined;
  return new Date(time).toISOString();
}

/** Whether a time is so early or so late that it stands for no end. */
export function isEndless(value: unknown): boolean {
  const time = readInstant(value, { isTime: true });
  return time < EARLIEST_END_MS || time > LATEST_END_MS;
}

/** `Date` turns the 30th of February into a day of March. */
function isImpossibleDay(value: unknown): boolean {
  const [day] = (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.exec(value.trim())) || [];
  return day !== undefined && parseStrictInstant(day) === 'date';
}

/**
 * Finds what says when the token in use ends, for the screen as for the check: the first that is a
 * time, of the answer to operation 11 and of the stored sign-in; else what the answer has instead.
 */
export function findExpiry(
  token: unknown,
  record: Pick<CredentialRecord, 'expiresAt'> | undefined,
): string | undefined {
  const texts = [findField(token, 'expiresAt'), findField(token, 'expires_at'), record?.expiresAt]
    .map(toInstantText)
    .filter((text) => text !== undefined);
  return texts.find((text) => readExpiry(text) !== undefined) ?? texts[0];
}

/** Formats an instant as its day in UTC, `18 Feb 2027`. Returns text that is no time as it is. */
export function formatDay(instant: string): string {
  const at = readExpiry(instant);
  if (at === undefined) return instant;
  const [, day, month, year] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month} ${Number(year)}`;
}

/** Describes a token that expires within two weeks. Returns undefined for others. */
export function describeSoonExpiry(
  record: CredentialRecord,
  nowMs: number,
  renewal: string,
): string | undefined {
  const expiry = judgeExpiry(record.expiresAt, nowMs);
  if (!expiry?.isSoon) return undefined;
  const days = expiry.daysLeft === 1 ? '1 day' : `${expiry.daysLeft} days`;
  const when = expiry.daysLeft === 0 ? 'within a day' : `in ${days}`;
  return `The token of profile ${record.profile} expires ${when}, on ${formatDay(expiry.at)}. Renew it with ${renewal}.`;
}

/** Describes a token that has expired. Returns undefined for others. */
export function describePastExpiry(
  expiresAt: string | undefined,
  nowMs: number,
): string | undefined {
  const expiry = judgeExpiry(expiresAt, nowMs);
  return expiry?.isPast ? `The token expired on ${formatDay(expiry.at)}.` : undefined;
}
