import { quoted, usageError } from '../../errors.ts';
import { type InstantFault, parseStrictInstant } from '../../spec/instant.ts';
import { parseDuration } from './duration.ts';
import { example } from './example.ts';

/**
 * Reads an instant, in milliseconds since the epoch: an ISO 8601 date (midnight UTC) or date-time with `Z` or an offset,
 * a duration ago such as `6h`, or `now`. Throws a usage error.
 */
export function parseInstant(text: string, field: string, now: number): number {
  if (text === 'now') return now;
  if (/^\d+[dhms]/.test(text)) return now - parseDuration(text, field) * 1000;
  const instant = parseStrictInstant(text);
  if (typeof instant === 'number') return instant;
  const [fault, way] = explain(instant, text);
  throw usageError(`${field} ${quoted(text)} ${fault}.`, example(field, way));
}

/** An instant in the form the service takes: ISO 8601 in UTC, with milliseconds only where there are any. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

function explain(fault: InstantFault, text: string): readonly [fault: string, way: string] {
  switch (fault) {
    case 'form':
      return ['is not an instant', '2026-03-01T12:00:00Z (or 2026-03-01, 6h for six hours ago, now)'];
    case 'date':
      return ['is not a date of the calendar or a time of the day', '2026-03-01T12:00:00Z'];
    case 'zone':
      return ['has no time zone', `${text}Z (UTC; or an offset such as +01:00)`];
    case 'offset':
      return ['has an offset that does not exist', `${text.slice(0, -6)}+01:00`];
  }
}
