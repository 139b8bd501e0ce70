import { asText, readNumber } from './values.ts';

/** The usual form: a fast path for a million points. */
const PLAIN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Also accepts a space for the `T`, lower case, `+0100`, or no zone. */
const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(Z|[+-]\d\d:?\d\d))?)?$/i;

/** The date of HTTP headers and mail: `Thu, 24 Dec 2026 08:00:00 GMT` (RFC 9110). */
const RFC_9110 = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** A date or an RFC 3339 date-time. Accepts a missing zone, so that the error can ask for it. */
const RFC_3339 = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** `date`: a day or time that does not exist; `zone`: none given; `offset`: out of range. */
export type InstantFault = 'form' | 'date' | 'zone' | 'offset';

/**
 * Reads an RFC 3339 date-time with its zone, or a date (midnight UTC), in milliseconds since the
 * epoch.
 */
export function parseStrictInstant(text: string): number | InstantFault {
  if (!RFC_3339.test(text)) return 'form';
  const local = text.replace(/(?:Z|[+-]\d\d:\d\d)$/, '');
  const localMs = parseInstantText(local);
  // `Date.parse` turns the 30th of February into the 2nd of March, so compare the result with the
  // text.
  const isReal =
    !Number.isNaN(localMs) && new Date(localMs).toISOString().startsWith(local.slice(0, 19));
  if (!isReal) return 'date';
  if (local === text && text.includes('T')) return 'zone';
  const instant = parseInstantText(text);
  return Number.isNaN(instant) ? 'offset' : instant;
}

function parseInstantText(text: string): number {
  if (PLAIN.test(text) || RFC_9110.test(text)) return Date.parse(text);
  const [, date, time = '00:00', zone = 'Z'] = ISO_8601.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  return Date.parse(`${date}T${time}${zone.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
}

/** Instants from 2001 to 2286: ten digits in seconds, thirteen in milliseconds. */
const EARLIEST_MS = 1e12;
const LATEST_MS = 1e13;
/** Larger numbers count milliseconds. */
const MAX_SECONDS = 1e11;
const MAX_MILLISECONDS = 1e14;
const MAX_MICROSECONDS = 1e17;

interface InstantOptions {
  /** Accepts later numbers too, which in other fields are more likely bytes. */
  readonly isTime?: boolean;
}

/** Reads seconds or milliseconds since the epoch, in milliseconds; NaN for other numbers. */
export function readEpoch(value: number, { isTime = false }: InstantOptions = {}): number {
  const ms = toMilliseconds(value, isTime);
  return ms >= EARLIEST_MS && (ms < LATEST_MS || isTime) ? ms : Number.NaN;
}

/** In a field for times, larger numbers are microseconds or nanoseconds. */
function toMilliseconds(value: number, isTime: boolean): number {
  if (value < MAX_SECONDS) return value * 1000;
  if (!isTime || value < MAX_MILLISECONDS) return value;
  return value < MAX_MICROSECONDS ? value / 1e3 : value / 1e6;
}

/** Reads ISO 8601 or an epoch number, in milliseconds since the epoch; NaN for other values. */
export function readInstant(value: unknown, options?: InstantOptions): number {
  const given = typeof value === 'string' ? value.trim() : value;
  const instant = typeof given === 'string' ? parseInstantText(given) : Number.NaN;
  return Number.isNaN(instant) ? readEpoch(readNumber(given), options) : instant;
}

/** An epoch number as ISO 8601, and any other text as it came. */
export function instantText(value: unknown): string | undefined {
  const at = readInstant(value, { isTime: true });
  const isEpoch = !Number.isNaN(readNumber(typeof value === 'string' ? value.trim() : value));
  return isEpoch && !Number.isNaN(new Date(at).getTime())
    ? new Date(at).toISOString()
    : asText(value);
}
