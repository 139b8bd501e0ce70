import { usageError } from '../../errors.ts';
import { example } from './choice.ts';

/**
 * Parses a phone number: an optional `+` and 6 to 15 digits. Returns it without spaces, dots and hyphens. Throws a usage
 * error, which never repeats the number.
 */
export function parsePhone(text: string, field: string): string {
  const number = text.replace(/[ .-]/g, '');
  if (/^\+?[0-9]{6,15}$/.test(number)) return number;
  throw usageError(
    `${field} is not a phone number: an optional + and 6 to 15 digits, with spaces, dots or hyphens between them.`,
    example(field, '+2250700000000'),
  );
}

/** Masks all digits but the last two; all of them if there are fewer than six. */
export function maskPhone(number: string): string {
  const plus = number.startsWith('+') ? '+' : '';
  const digits = number.slice(plus.length);
  const shown = digits.length < 6 ? '' : digits.slice(-2);
  return `${plus}${'*'.repeat(digits.length - shown.length)}${shown}`;
}
