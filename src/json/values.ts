import type { Field, Fields, UncheckedOf, Unread } from '../contract/fields/field.ts';
import { tryOr } from '../errors.ts';

/** An object of parsed JSON. */
export type JsonObject = { readonly [name: string]: unknown };

/** Whether a value is an object, and neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns an object, or an empty one for any other value. A documented object has the fields of the
 * table and no other.
 */
export function asObject<F extends Fields>(value: Unread<F> | undefined): UncheckedOf<F>;
export function asObject(value: unknown): JsonObject;
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns an array, or an empty one for any other value. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses JSON; returns undefined for any other text. */
export function parseJson(text: string): unknown {
  return tryOr(() => JSON.parse(text), undefined);
}

/** Returns a non-empty string, or a number as text; undefined for any other value. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A number in the syntax of JSON: no plus sign, no leading zero. */
export const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a number or its text; returns NaN for any other value. */
export function readNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : Number.NaN;
}

/** Returns a boolean; undefined for any other value, `"true"` and 1 included. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Reads a boolean, 1 or 0, or the text `true` or `false`; returns undefined for any other value. */
export function asYesOrNo(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true' || word === 1) return true;
  return word === false || word === 'false' || word === 0 ? false : undefined;
}

/** Finds a field that no type knows; undefined if the value is not an object. */
export function findField(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Returns the fields of an object except the named ones, in their order. */
export function otherFields(value: unknown, named: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(asObject(value)).filter(([name]) => !named.includes(name)),
  );
}

type Reader = (value: unknown) => unknown;
type Readers = Readonly<Record<string, Reader>>;

/** Returns an object; undefined for any other value. */
export const objectOrNothing: Reader = (value) => (isObject(value) ? value : undefined);

/** The readers of the types that are not text: a number may be text, and the other way round. */
const READERS: Partial<Record<Field['type'], Reader>> = {
  boolean: asBoolean,
  object: objectOrNothing,
  array: (value) => (Array.isArray(value) && value.every(isObject) ? value : undefined),
  unknown: (value) => value,
};

/** Creates a reader for each field of a table, or for those named; that of an array reads objects. */
export function createFieldReaders<F extends Fields>(
  fields: F,
  names = Object.keys(fields) as readonly (keyof F & string)[],
): Readers {
  return Object.fromEntries(
    names.map((name) => [name, READERS[fields[name]?.type ?? 'unknown'] ?? asText]),
  );
}

/** Returns the parts of which {@link unreadFields} left something. */
export function unreadParts(parts: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(
    Object.entries(parts).filter(([, fields]) => Object.keys(fields).length > 0),
  );
}

/**
 * Returns the fields without a reader or that their reader refuses, except a known field that is
 * empty or null.
 */
export function unreadFields(value: unknown, readers: Readers): JsonObject {
  const unread = Object.entries(asObject(value)).filter(([name, field]) => {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    return reader === undefined || (field !== null && field !== '' && reader(field) === undefined);
  });
  return Object.fromEntries(unread);
}

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

/** A JSON value that keeps its text, such as `1.10`. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Serves code that writes JSON without {@link toJsonText}. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Writes JSON as `JSON.stringify` does, and {@link RawJson} as its text. */
export function toJsonText(value: unknown): string {
  return write(value, Object.entries);
}

/** Writes JSON with sorted fields: equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  return write(value, (object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function write(
  value: unknown,
  listFields: (object: JsonObject) => ReadonlyArray<[string, unknown]>,
): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, listFields)).join(',')}]`;
  if (value instanceof RawJson) return value.text;
  const hasOwnForm = !isObject(value) || typeof value['toJSON'] === 'function';
  if (hasOwnForm) return JSON.stringify(value) ?? 'null';

  const fields = listFields(value).filter(([, field]) => field !== undefined);
  const texts = fields.map(
    ([name, field]) => `${JSON.stringify(name)}:${write(field, listFields)}`,
  );
  return `{${texts.join(',')}}`;
}
