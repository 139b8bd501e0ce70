import { quoted, usageError } from '../../errors.ts';
import { example } from './choice.ts';

/** The smallest and the largest number that is taken; neither below zero. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Reads a whole number in plain digits: no sign, no exponent, no leading zero. Throws a usage error. */
export function parseWholeNumber(text: string, field: string, { min, max }: Bounds): number {
  const value = /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw usageError(
    `${field} ${quoted(text)} is not a whole number from ${min} to ${max}.`,
    example(field, String(min)),
  );
}

/** Reads how many of an item are ordered, 1 to 999. Throws a usage error. */
export function parseQuantity(text: string, field: string): number {
  return parseWholeNumber(text, field, { min: 1, max: 999 });
}
