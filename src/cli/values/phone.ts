import { usageError } from '../../errors.ts';
import { unicodePattern } from '../../once.ts';
import { example } from './text.ts';

/** Separators of digits, and the invisible marks that come along from an address book. */
const between = unicodePattern('[\\p{Cf}\\p{Zs}.\\-\u2010-\u2015]', 'gu');

/** Parses a number into bare digits. Throws a usage error, which never repeats them. */
export function parsePhone(text: string, field: string): string {
  const number = text.replace(between(), '');
  if (number.startsWith('+0')) {
    throw usageError(
      `${field} is not a phone number: no country code begins with 0.`,
      example(field, '+237670000042'),
    );
  }
  if (/^\+?[0-9]{6,15}$/.test(number)) return number;
  throw usageError(
    `${field} is not a phone number: an optional + and 6 to 15 digits, with spaces, dots or hyphens between them.`,
    example(field, '+237670000042'),
  );
}

const COUNTRY = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

function parts(number: string): readonly [country: string, digits: string] {
  const country = COUNTRY.exec(number)?.[0] ?? '';
  return [country, number.slice(country.length)];
}

/** Masks all but the country code and, of six digits or more, the last two. */
export function maskPhone(number: string): string {
  const [country, digits] = parts(number);
  const shown = digits.length < 6 ? '' : digits.slice(-2);
  return `${country}${'*'.repeat(digits.length - shown.length)}${shown}`;
}

/** Writes a number so that a wrong digit stands out: `+237 670 000 042`. */
export function formatPhone(number: string): string {
  const [country, digits] = parts(number);
  return `${country} ${digits.replace(/(\d{3})(?=\d\d)/g, '$1 ')}`.trim();
}
