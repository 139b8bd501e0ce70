import { quoted, usageError } from '../../errors.ts';
import { parseDuration } from './duration.ts';
import { example } from './example.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?$/;
const OFFSET = /^[+-](?:[01]\d|2[0-3]):[0-5]\d$/;

/**
 * Reads an instant, in milliseconds since the epoch: an ISO 8601 date (midnight UTC) or date-time with `Z` or an offset,
 * a duration ago such as `6h`, or `now`. What is finer than a millisecond is cut off. Throws a usage error.
 */
export function parseInstant(text: string, field: string, now: number): number {
  if (text === 'now') return now;
  if (/^\d+[dhms]/.test(text)) return now - parseDuration(text, field) * 1000;
  const instant = DATE.test(text) ? readDateTime(`${text}T00:00:00Z`) : readDateTime(text);
  if (typeof instant === 'number') return instant;
  throw usageError(`${field} ${quoted(text)} ${instant.fault}.`, example(field, instant.way));
}

/** An instant in the form the service takes: ISO 8601 in UTC, with milliseconds only where there are any. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

function readDateTime(text: string): number | { fault: string; way: string } {
  const parts = DATE_TIME.exec(text);
  if (parts === null) {
    return { fault: 'is not an instant', way: '2026-03-01T12:00:00Z (or 2026-03-01, 6h for six hours ago, now)' };
  }
  const [, date = '', minutes = '', seconds = '00', fraction = '', zone] = parts;
  const local = `${date}T${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const localMs = Date.parse(local);
  // `Date.parse` turns the 30th of February into the 2nd of March; only what comes back as written was a real date.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== local) {
    return { fault: 'is not a date of the calendar or a time of the day', way: '2026-03-01T12:00:00Z' };
  }
  if (zone === undefined) return { fault: 'has no time zone', way: `${text}Z (UTC; or an offset such as +01:00)` };
  if (zone === 'Z') return localMs;
  if (!OFFSET.test(zone)) return { fault: 'has an offset that does not exist', way: `${text.slice(0, -6)}+01:00` };
  const [hours = 0, rest = 0] = zone.slice(1).split(':').map(Number);
  const offsetMs = (hours * 60 + rest) * 60_000;
  return zone.startsWith('-') ? localMs + offsetMs : localMs - offsetMs;
}
