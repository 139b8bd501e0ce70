import { quoted, usageError } from '../../errors.ts';
import { example } from './choice.ts';

/**
 * Parses a whole number of plain digits, without sign, exponent or leading zero, which JavaScript can hold exactly.
 * Throws a usage error.
 */
export function parseWholeNumber(text: string, field: string, { min, max }: { min: number; max: number }): number {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw usageError(
    `${field} ${quoted(text)} is not a whole number from ${min} to ${max}.`,
    example(field, String(min)),
  );
}

/** Parses the quantity of an ordered item: any that can be written exactly, as the API document shows no bound. Throws a usage error. */
export function parseQuantity(text: string, field: string): number {
  return parseWholeNumber(text, field, { min: 1, max: Number.MAX_SAFE_INTEGER });
}
