/** Numbers above this are a point in time, not a duration in seconds. */
const EARLIEST_EPOCH_SECONDS = 1e9;
/** Numbers above this count milliseconds. */
const LATEST_EPOCH_SECONDS = 1e11;

const ISO_8601 = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?( ?(Z|[+-]\d\d:?\d\d))?)?$/i;

/**
 * A point in time in milliseconds since the epoch: an ISO 8601 text (UTC where it names no zone) or an epoch number of
 * seconds or milliseconds, also as text. `undefined` for anything else. More lenient than the reader of metrics: the field
 * is known to say when something ends, in whatever spelling and however late, and only a duration is not an instant.
 */
export function readInstant(value: unknown): number | undefined {
  const number = readNumber(value);
  if (number !== undefined) {
    if (number <= EARLIEST_EPOCH_SECONDS) return undefined;
    return number < LATEST_EPOCH_SECONDS ? number * 1000 : number;
  }
  if (typeof value !== 'string' || !ISO_8601.test(value.trim())) return undefined;
  const text = value.trim().replace(' ', 'T').replaceAll(' ', '');
  const hasZone = !text.includes('T') || /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const instant = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** An instant as ISO 8601; `undefined` where it lies beyond what a date can hold. */
export function isoOf(instant: number | undefined): string | undefined {
  if (instant === undefined) return undefined;
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A finite number, also as text; `undefined` for anything else. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
