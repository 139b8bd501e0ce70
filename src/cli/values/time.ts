import { quoted, usageError } from '../../errors.ts';
import { type InstantFault, parseStrictInstant } from '../../json/instant.ts';
import { example } from './choice.ts';

const FORM = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const UNIT_SECONDS = [86_400, 3_600, 60, 1];

const DAY_MS = 86_400_000;

/** A hundred years, so that dates and timers stay valid. */
const MAX_SECONDS = 36_500 * 86_400;

/** Seconds of `1h30m`; `bareUnit` takes a number without a unit. Throws a usage error. */
export function parseDuration(
  text: string,
  field: string,
  options: { readonly bareUnit?: 's' } = {},
): number {
  const refuse = (why: string, meant = '15m') =>
    usageError(
      `${field} ${quoted(text)} ${why}.`,
      `${example(field, meant)} (or 90s, 6h, 7d, 1h30m)`,
    );
  const isBare = /^\d{1,9}$/.test(text);
  if (isBare && options.bareUnit === undefined)
    throw refuse('has no unit', Number(text) === 0 ? undefined : `${text}s`);
  const units = FORM.exec(isBare ? `${text}s` : text);
  if (units === null || text === '') throw refuse('is not a duration');
  const seconds = UNIT_SECONDS.reduce(
    (sum, unit, index) => sum + unit * Number(units[index + 1] ?? 0),
    0,
  );
  if (seconds === 0) throw refuse('is not longer than zero');
  if (seconds > MAX_SECONDS) throw refuse('is longer than 36500 days');
  return seconds;
}

/**
 * Milliseconds since the epoch: ISO 8601, a duration ago, `now`, `today`, `yesterday` (midnight
 * UTC).
 */
export function parseInstant(text: string, field: string, now: number): number {
  if (text === 'now') return now;
  const daysAgo = ['today', 'yesterday'].indexOf(text);
  if (daysAgo >= 0) return now - (now % DAY_MS) - daysAgo * DAY_MS;
  if (/^\d+[dhms]/.test(text)) return now - parseDuration(text, field) * 1000;
  const instant = parseStrictInstant(text.replace(/^([^T]*T[^T+-]*[+-]\d\d)(\d\d)$/, '$1:$2'));
  if (typeof instant === 'number') return instant;
  const [why, meant] = faultsIn(text)[instant];
  throw usageError(
    `${field} ${quoted(text)} ${why}.`,
    example(field, inOurForm(text, now) ?? meant),
  );
}

/** For the platform: ISO 8601 in UTC, with milliseconds only if they are not zero. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

function faultsIn(
  text: string,
): Readonly<Record<InstantFault, readonly [why: string, meant: string]>> {
  return {
    form: ['is not a time', '2026-03-01T12:00:00Z (or 2026-03-01, 6h for six hours ago, now)'],
    date: ['is not a date of the calendar or a time of the day', '2026-03-01T12:00:00Z'],
    zone: ['has no time zone', `${text}Z (UTC; or an offset such as +01:00)`],
    offset: ['has an offset that does not exist', `${text.replace(/[+-]\d\d:?\d\d$/, '')}+01:00`],
  };
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** For what other programs read: `2 days ago`, `monday`, `2026-03-01 12:00`. */
function inOurForm(text: string, now: number): string | undefined {
  const [, count, unit = ''] =
    /^(\d{1,6}) ?(second|minute|hour|day|week)s?(?: ago)?$/i.exec(text) ?? [];
  if (count !== undefined)
    return unit === 'week' ? `${Number(count) * 7}d` : `${count}${unit[0]?.toLowerCase()}`;
  const [, date, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)$/.exec(text) ?? [];
  if (date !== undefined) return `${date}T${time?.length === 5 ? `${time}:00` : time}Z`;
  const weekday =
    text.length < 3 ? -1 : DAYS.findIndex((day) => day.startsWith(text.toLowerCase()));
  if (weekday < 0) return undefined;
  const daysAgo = (new Date(now).getUTCDay() - weekday + 7) % 7;
  return toIso(now - daysAgo * DAY_MS).slice(0, 10);
}
