import { quoted, usageError } from '../../errors.ts';
import { example } from './example.ts';

const FORM = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const UNIT_SECONDS = [86_400, 3_600, 60, 1];

/** A hundred years: dates and timers computed from a duration stay valid. */
const LONGEST_SECONDS = 36_500 * 86_400;

/** How a duration may be written beside the usual forms. */
export interface DurationOptions {
  /** Takes a number without a unit as seconds. */
  readonly bareUnit?: 's';
}

/** Reads a duration such as `90s`, `15m`, `6h`, `7d` or `1h30m`, in seconds; always above zero. Throws a usage error. */
export function parseDuration(text: string, field: string, options: DurationOptions = {}): number {
  const refuse = (why: string, meant = '15m') =>
    usageError(`${field} ${quoted(text)} ${why}.`, `${example(field, meant)} (or 90s, 6h, 7d, 1h30m)`);
  const isBare = /^\d{1,9}$/.test(text);
  if (isBare && options.bareUnit === undefined) throw refuse('has no unit', `${text}s`);
  const units = FORM.exec(isBare ? `${text}s` : text);
  if (units === null || text === '') throw refuse('is not a duration');
  const seconds = UNIT_SECONDS.reduce((sum, unit, index) => sum + unit * Number(units[index + 1] ?? 0), 0);
  if (seconds === 0) throw refuse('is not longer than zero');
  if (seconds > LONGEST_SECONDS) throw refuse('is longer than 36500 days');
  return seconds;
}
