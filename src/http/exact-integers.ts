/** A run of digits that a JavaScript number cannot hold exactly has this many at the least. */
const MAY_BE_UNSAFE = /\d{16}/;

/** A string or an integer of JSON text; a number with a fraction or an exponent is no integer. */
const STRING_OR_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])|-?\d[\d.eE+-]*/gs;

/**
 * Valid JSON text in which every integer that a JavaScript number would alter stands as a string, digit for digit: ids of
 * jobs and orders may be that long.
 */
export function keepLargeIntegers(text: string): string {
  if (!MAY_BE_UNSAFE.test(text)) return text;
  return text.replace(STRING_OR_INTEGER, (token) => (isUnsafeInteger(token) ? `"${token}"` : token));
}

function isUnsafeInteger(token: string): boolean {
  return token.length > 15 && /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
}
