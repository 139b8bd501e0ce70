import { parseStrictInstant } from '../json/instant.ts';

/** The year of RFC 850 has two digits; those from here on are of the last century. */
const LAST_CENTURY = 70;

const RFC_850 = /^(\w{3})\w{3,6}, (\d\d-\w{3}-)(\d\d)(?= )/;
const ASCTIME = /^(\w{3}) (\w{3}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})$/;

/**
 * Reads the date of a header, of a day that exists, in milliseconds since the epoch: the three forms
 * of RFC 9110 (5.6.7), of which the first is the date of mail.
 */
export function parseHttpDate(text = ''): number | undefined {
  const mailDate = text
    .replace(RFC_850, (_, weekday, dayAndMonth, year) => {
      const century = Number(year) < LAST_CENTURY ? '20' : '19';
      return `${weekday}, ${dayAndMonth.replaceAll('-', ' ')}${century}${year}`;
    })
    .replace(ASCTIME, '$1, $3 $2 $5 $4 GMT');
  const instant = parseStrictInstant(mailDate);
  if (typeof instant !== 'number') return undefined;

  const weekday = new Date(instant).toUTCString().slice(0, 3);
  return mailDate.startsWith(weekday) ? instant : undefined;
}
