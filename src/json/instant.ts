import { asText, readNumber } from './values.ts';

/** The usual form, which is read fast: there may be a million points. */
const PLAIN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** ISO 8601 as programs print it: a blank for the `T`, a comma, `+01`, UTC, the basic form. */
const ISO_8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)(?: [A-Z]{3,4})?)?$/i;

/** The date of mail, HTTP headers (RFC 9110) and `date -R`. */
const RFC_5322 =
  /^(?:[A-Z][a-z]{2}, ?)?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) (GMT|UTC|Z|[+-]\d{4})$/;

/** The date of `date` and of C, in UTC. */
const DATE_COMMAND =
  /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d) (GMT|UTC|Z) (\d{4})$/;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Writes an instant as RFC 3339 does, or a date; undefined for a text that is neither. A zone that
 * is missing stays missing, and nothing is checked but the form.
 */
export function toRfc3339(text: string): string | undefined {
  if (PLAIN.test(text) || /^\d{4}-\d\d-\d\d$/.test(text)) return text;

  const [, year, month, day, hour, minute = '00', second = '00', fraction, zone] =
    ISO_8601.exec(text) ?? [];
  if (year === undefined) return writeMailDate(text);
  const digits = fraction === undefined ? '' : `.${fraction}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${digits}${writeZone(zone)}`;
}

function writeMailDate(text: string): string | undefined {
  const mailDate = text.replace(DATE_COMMAND, '$2 $1 $5 $3 $4');
  const [, day = '', month = '', year, time, zone] = RFC_5322.exec(mailDate) ?? [];
  const monthNumber = MONTHS.indexOf(month) + 1;
  if (monthNumber === 0) return undefined;
  const date = `${year}-${String(monthNumber).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return `${date}T${time}${writeZone(zone)}`;
}

function writeZone(zone: string | undefined): string {
  if (zone === undefined) return '';
  if (!/^[+-]/.test(zone)) return 'Z';
  const minutes = zone.length > 3 ? zone.slice(-2) : '00';
  return `${zone.slice(0, 3)}:${minutes}`;
}

/** `date`: a day or time that does not exist; `zone`: none given; `offset`: out of range. */
export type InstantFault = 'form' | 'date' | 'zone' | 'offset';

/**
 * Reads an instant with its zone, in a form of {@link toRfc3339}, or a date (midnight UTC), in
 * milliseconds since the epoch.
 */
export function parseStrictInstant(written: string): number | InstantFault {
  const text = toRfc3339(written);
  if (text === undefined) return 'form';

  const local = text.replace(/(?:Z|[+-]\d\d:\d\d)$/, '');
  const localMs = parseInstantText(local);
  // `Date.parse` turns the 30th of February into the 2nd of March, so compare the result with the
  // text.
  const isReal =
    !Number.isNaN(localMs) && new Date(localMs).toISOString().startsWith(local.slice(0, 19));
  if (!isReal) return 'date';
  if (local === text && text.includes('T')) return 'zone';

  const instant = Date.parse(text);
  return Number.isNaN(instant) ? 'offset' : instant;
}

/** Parses an instant whose zone may be missing; it is then UTC. */
function parseInstantText(written: string): number {
  if (PLAIN.test(written)) return Date.parse(written);
  const text = toRfc3339(written);
  if (text === undefined) return Number.NaN;
  const hasZone = !text.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(text);
  return Date.parse(hasZone ? text : `${text}Z`);
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

/** Returns milliseconds; in a field for times, larger numbers are micro- or nanoseconds. */
function toMilliseconds(value: number, isTime: boolean): number {
  if (value < MAX_SECONDS) return value * 1000;
  if (!isTime || value < MAX_MILLISECONDS) return value;
  return value < MAX_MICROSECONDS ? value / 1e3 : value / 1e6;
}

/** Reads ISO 8601 or an epoch number, in milliseconds since the epoch; NaN for other values. */
export function readInstant(value: unknown, options?: InstantOptions): number {
  if (typeof value !== 'string') return readEpoch(readNumber(value), options);
  const text = value.trim();
  const instant = parseInstantText(text);
  return Number.isNaN(instant) ? readEpoch(readNumber(text), options) : instant;
}

/** Writes an epoch number as ISO 8601, and any other text as it came. */
export function toInstantText(value: unknown): string | undefined {
  const number = readNumber(typeof value === 'string' ? value.trim() : value);
  const date = new Date(readEpoch(number, { isTime: true }));
  return Number.isNaN(date.getTime()) ? asText(value) : date.toISOString();
}
