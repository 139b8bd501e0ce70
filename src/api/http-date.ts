import { parseStrictInstant } from '../json/instant.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const CLOCK = String.raw`(?<clock>\d\d:\d\d:\d\d)`;
const ZONE = String.raw`(?:GMT|UTC?|Z|(?<hours>[+-]\d\d)(?<minutes>\d\d))`;

/** The three forms of RFC 9110 (5.6.7), which a recipient must read: IMF-fixdate, RFC 850, asctime. */
const FORMS = [
  String.raw`\w{3}, (?<day>\d\d?) (?<month>\w{3}) (?<year>\d{4}) ${CLOCK} ${ZONE}`,
  String.raw`\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) ${CLOCK} ${ZONE}`,
  String.raw`\w{3} (?<month>\w{3}) (?<day>[ \d]\d) ${CLOCK} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`, 'i'));

/** Of years with two digits, those from here on are of the last century. */
const LAST_CENTURY = 70;

/** Reads the date of a header, of a day that exists, in milliseconds since the epoch. */
export function parseHttpDate(text = ''): number | undefined {
  const groups = FORMS.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return undefined;
  const { day = '', month = '', year = '', clock, hours = '+00', minutes = '00' } = groups;

  const monthNumber = MONTHS.indexOf(month.toLowerCase()) + 1;
  const date = `${toFullYear(year)}-${toTwoDigits(monthNumber)}-${toTwoDigits(day)}`;
  const instant = parseStrictInstant(`${date}T${clock}${hours}:${minutes}`);
  if (typeof instant !== 'number') return undefined;

  const weekday = new Date(date).toUTCString().slice(0, 3);
  return text.toLowerCase().startsWith(weekday.toLowerCase()) ? instant : undefined;
}

function toFullYear(year: string): string {
  if (year.length === 4) return year;
  const century = Number(year) < LAST_CENTURY ? '20' : '19';
  return century + year;
}

function toTwoDigits(value: string | number): string {
  return String(value).trim().padStart(2, '0');
}
