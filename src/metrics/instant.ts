import { readNumber } from './number.ts';

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/** The form that machines write; it needs no work before it is parsed, which counts with a million points. */
const PLAIN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** From 2001 to 2286 an epoch in seconds has ten digits, in milliseconds thirteen. */
const EPOCH_SECONDS_MIN = 1e9;
const EPOCH_SECONDS_MAX = 1e10;

/** The instant that a text in an answer means, in milliseconds since the epoch; UTC where it names no zone; NaN for others. */
function readInstantText(text: string): number {
  if (PLAIN.test(text)) return Date.parse(text);
  const parts = ISO.exec(text);
  if (parts === null) return Number.NaN;
  const [, date = '', time = '00:00', zone = 'Z'] = parts;
  return Date.parse(`${date}T${time}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`);
}

/** The instant that a number in an answer may mean, in seconds or milliseconds since the epoch; NaN for others. */
export function readInstantNumber(value: number): number {
  if (value >= EPOCH_SECONDS_MIN && value < EPOCH_SECONDS_MAX) return value * 1000;
  return value >= EPOCH_SECONDS_MIN * 1000 && value < EPOCH_SECONDS_MAX * 1000 ? value : Number.NaN;
}

/**
 * The instant of any JSON value, in milliseconds since the epoch; NaN for what is none. Stricter than the reader of
 * sign-ins: nobody knows which field is the time, and a measured value, such as a count of bytes, must not pass for one.
 */
export function readInstant(value: unknown): number {
  const time = typeof value === 'string' ? readInstantText(value) : Number.NaN;
  return Number.isNaN(time) ? readInstantNumber(readNumber(value)) : time;
}
