import { quote, usageError } from '../../errors.ts';
import { type InstantFault, parseStrictInstant, readEpoch, toRfc3339 } from '../../json/values.ts';
import { closest, example } from './text.ts';

const FORM = /^(?:(\d{1,9})w)?(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const UNIT_SECONDS = [604_800, 86_400, 3_600, 60, 1];

const DAY_MS = 86_400_000;

/** A hundred years, so that dates and timers stay valid. */
const MAX_SECONDS = 36_500 * 86_400;

/** Parses `1h30m` into seconds; `bareUnit` takes a number without a unit. Throws a usage error. */
export function parseDuration(
  text: string,
  field: string,
  { bareUnit }: { readonly bareUnit?: 's' } = {},
): number {
  const refuse = (why: string, meant?: string) =>
    usageError(
      `${field} ${quote(text)} ${why}.`,
      `${example(field, meant ?? '15m')} (or 90s, 6h, 7d, 1h30m)`,
    ).withMeantText(text, meant);
  const isBare = /^\d{1,9}$/.test(text);
  if (isBare && bareUnit === undefined) {
    throw refuse('has no unit', Number(text) === 0 ? undefined : `${text}s`);
  }
  const units = FORM.exec(isBare ? `${text}s` : text);
  if (!units || text === '') throw refuse('is not a duration', meantDuration(text));
  const seconds = UNIT_SECONDS.reduce(
    (sum, unit, index) => sum + unit * Number(units[index + 1] ?? 0),
    0,
  );
  if (seconds === 0) throw refuse('is not longer than zero');
  if (seconds > MAX_SECONDS) throw refuse('is longer than 36500 days');
  return seconds;
}

/** Seconds or milliseconds since the epoch, as `date +%s` prints them. */
const EPOCH = /^@?(\d{10}|\d{13})$/;

/**
 * Parses into milliseconds since the epoch: ISO 8601 and other forms of programs, a duration ago,
 * `now`, `today`, `yesterday` (midnight UTC).
 */
export function parseInstant(text: string, field: string, now: number): number {
  if (text === 'now') return now;
  const daysAgo = ['today', 'yesterday'].indexOf(text);
  if (daysAgo >= 0) return now - (now % DAY_MS) - daysAgo * DAY_MS;
  if (/^\d+[wdhms]/.test(text)) return now - parseDuration(text, field) * 1000;

  const epoch = readEpoch(Number(EPOCH.exec(text)?.[1] ?? Number.NaN));
  if (!Number.isNaN(epoch)) return epoch;
  const instant = parseStrictInstant(text);
  if (typeof instant === 'number') return instant;
  const meant = findMeantTime(instant, text, now);
  throw usageError(
    `${field} ${quote(text)} ${FAULTS[instant]}.`,
    meant === undefined ? adviseTime(instant, field) : example(field, meant),
  ).withMeantText(text, meant);
}

const FAULTS: Readonly<Record<InstantFault, string>> = {
  form: 'is not a time',
  date: 'is not a date of the calendar or a time of the day',
  zone: 'has no time zone',
  offset: 'has an offset that does not exist',
};

function adviseTime(fault: InstantFault, field: string): string {
  if (fault === 'offset') return 'Use Z for UTC, or an offset from -12:00 to +14:00.';
  if (fault === 'date') return 'Use a day that the calendar has, and a time up to 23:59:59.';
  return example(field, '2026-03-01T12:00:00Z (or 2026-03-01, 6h for six hours ago, now)');
}

/** Finds the time that was meant, never another one. */
function findMeantTime(fault: InstantFault, text: string, now: number): string | undefined {
  const written = toRfc3339(text) ?? text;
  if (fault === 'zone') return `${written}Z`;
  if (fault === 'date') return findLastDay(written);
  return fault === 'form' ? inOurForm(text, now) : undefined;
}

/** Finds the last day of the month for a later one; undefined if more is wrong. */
function findLastDay(written: string): string | undefined {
  const [, year, month, day, rest = ''] = /^(\d{4})-(\d\d)-(\d\d)(.*)$/.exec(written) ?? [];
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) <= last) return undefined;

  const date = `${year}-${month}-${last}${rest}`;
  return typeof parseStrictInstant(date) === 'number' ? date : undefined;
}

/** Writes a time for the platform: in UTC, with milliseconds only if they are not zero. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Finds what other programs read: `2 days ago`, `monday`, `PT6H`. */
function inOurForm(text: string, now: number): string | undefined {
  const hours = /^\d{1,3}$/.test(text) ? `${text}h` : text;
  const duration = meantDuration(hours.replace(/ ago$/i, ''));
  if (duration !== undefined) return duration;
  const weekday =
    text.length < 3 ? -1 : DAYS.findIndex((day) => day.startsWith(text.toLowerCase()));
  if (weekday < 0) return closest(text, ['now', 'today', 'yesterday'], 2);
  const daysAgo = (new Date(now).getUTCDay() - weekday + 7) % 7;
  return toIso(now - daysAgo * DAY_MS).slice(0, 10);
}

/** The words of units, and how many seconds each has. */
const UNIT_WORDS: readonly (readonly [RegExp, number])[] = [
  [/^s(?:ec(?:ond)?s?)?$/, 1],
  [/^m(?:in(?:ute)?s?)?$/, 60],
  [/^h(?:(?:ou)?rs?)?$/, 3_600],
  [/^d(?:ays?)?$/, 86_400],
  [/^w(?:eeks?)?$/, 604_800],
  [/^mo(?:nths?)?$/, 30 * 86_400],
  [/^y(?:ears?)?$/, 365 * 86_400],
];

/** Finds the duration that was meant in other spellings: `1.5h`, `6 hours`, `-6h`, `PT90M`. */
function meantDuration(text: string): string | undefined {
  const [, count, word = ''] =
    /^(?:-|PT?)?(\d{1,6}(?:[.,]\d{1,3})?) ?([a-z]{1,7})$/i.exec(text) ?? [];
  const unit = UNIT_WORDS.find(([words]) => words.test(word.toLowerCase()))?.[1];
  if (count === undefined || unit === undefined) return undefined;

  const seconds = Math.round(Number(count.replace(',', '.')) * unit);
  for (const [index, size] of UNIT_SECONDS.entries()) {
    if (seconds % size === 0 && seconds >= size) return `${seconds / size}${'wdhms'[index]}`;
  }
  return undefined;
}
