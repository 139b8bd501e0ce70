import { quote, usageError } from '../../errors.ts';
import { example } from './choice.ts';

/** Parses plain digits, without sign, exponent or leading zero. Throws a usage error. */
export function parseWholeNumber(
  text: string,
  field: string,
  { min, max }: { min: number; max: number },
): number {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const showsMax = max < Number.MAX_SAFE_INTEGER || value > max;
  const range = showsMax ? ` from ${min} to ${max}` : `, ${min} or more`;
  throw usageError(
    `${field} ${quote(text)} is not a whole number${range}.`,
    example(field, String(min)),
  );
}

/** Parses any number that can be written exactly: the API document shows no bound. */
export function parseQuantity(text: string, field: string): number {
  return parseWholeNumber(text, field, { min: 1, max: Number.MAX_SAFE_INTEGER });
}
