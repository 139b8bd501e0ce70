import { readNumber } from '../json/values.ts';

/** The form that machines write; it needs no work before it is parsed, which counts with a million points. */
const PLAIN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** What services write: also with a space for the `T`, small letters, `+0100`, or no zone. */
const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(Z|[+-]\d\d:?\d\d))?)?$/i;

/** A date, or a date-time as RFC 3339 writes it; the seconds may be missing, and so may the zone, to be asked for. */
const RFC_3339 = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Why a text is not an instant: its form, a day or a time that does not exist, no zone, or an offset that no clock has. */
export type InstantFault = 'form' | 'date' | 'zone' | 'offset';

/**
 * The instant of an RFC 3339 date-time with its zone, or of a date (midnight UTC), in milliseconds since the epoch, or
 * what is wrong with the text. Cuts off what is finer than a millisecond.
 */
export function parseStrictInstant(text: string): number | InstantFault {
  if (!RFC_3339.test(text)) return 'form';
  const local = text.replace(/(?:Z|[+-]\d\d:\d\d)$/, '');
  const localMs = parseInstantText(local);
  // `Date.parse` turns the 30th of February into the 2nd of March; only what comes back as written was a real date.
  const isReal = !Number.isNaN(localMs) && new Date(localMs).toISOString().startsWith(local.slice(0, 19));
  if (!isReal) return 'date';
  if (local === text && text.includes('T')) return 'zone';
  const instant = parseInstantText(text);
  return Number.isNaN(instant) ? 'offset' : instant;
}

/** The instant of an ISO 8601 text, UTC where it names no zone; NaN for others. */
function parseInstantText(text: string): number {
  if (PLAIN.test(text)) return Date.parse(text);
  const [, date, time = '00:00', zone = 'Z'] = ISO_8601.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  return Date.parse(`${date}T${time}${zone.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
}

/** In milliseconds since the epoch, numbers of ten digits in seconds and of thirteen in milliseconds: 2001 to 2286. */
const EARLIEST_MS = 1e12;
const LATEST_MS = 1e13;
/** Larger numbers count milliseconds. */
const LARGEST_SECONDS = 1e11;

/** How strictly the value of an answer is read. */
export interface InstantOptions {
  /** Takes later numbers too, for a field that is known to be a time. In others they are rather a count of bytes. */
  readonly isTime?: boolean;
}

/** The instant that a number of seconds or milliseconds since the epoch is, in milliseconds; NaN for others. */
export function readEpoch(value: number, { isTime = false }: InstantOptions = {}): number {
  const ms = value < LARGEST_SECONDS ? value * 1000 : value;
  return ms >= EARLIEST_MS && (ms < LATEST_MS || isTime) ? ms : Number.NaN;
}

/** The instant of a JSON value, in milliseconds since the epoch: an ISO 8601 text or an epoch number; NaN for others. */
export function readInstant(value: unknown, options?: InstantOptions): number {
  const given = typeof value === 'string' ? value.trim() : value;
  const instant = typeof given === 'string' ? parseInstantText(given) : Number.NaN;
  return Number.isNaN(instant) ? readEpoch(readNumber(given), options) : instant;
}
