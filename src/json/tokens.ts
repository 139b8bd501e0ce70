/** Arrays and objects inside one another that are read at most; deeper ones only serve to break recursive code. */
export const MOST_LEVELS = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const STRING_OR_NUMBER = /["\d-]/g;
const NUMBER = /-?\d[\d.eE+-]*/y;

/** Where a string of JSON text ends: the index of its closing quote, or the length of the text without one. */
export function endOfString(text: string, start: number): number {
  // A loop: an expression would keep its place on the stack for every escape, and megabytes of them overflow it.
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Whether text, which need not be JSON, nests deeper than {@link MOST_LEVELS}. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > MOST_LEVELS) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

/** JSON text with something else in place of its numbers, which are given as they are written. */
export function replaceNumbers(text: string, replace: (number: string, at: number) => string): string {
  let replaced = '';
  let done = 0;
  let at = indexOfNext(text, 0);
  while (at !== -1) {
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    let end = at + 1;
    if (number !== undefined) {
      end = at + number.length;
      const other = replace(number, at);
      if (other !== number) {
        replaced += text.slice(done, at) + other;
        done = end;
      }
    } else if (text.charCodeAt(at) === QUOTE) end = endOfString(text, at + 1) + 1;
    at = indexOfNext(text, end);
  }
  return done === 0 ? text : replaced + text.slice(done);
}

function indexOfNext(text: string, from: number): number {
  STRING_OR_NUMBER.lastIndex = from;
  return STRING_OR_NUMBER.exec(text)?.index ?? -1;
}

/** A run of digits that a JavaScript number cannot hold exactly has this many at the least. */
const MAY_BE_UNSAFE = /\d{16}/;

/**
 * JSON text in which every integer that a JavaScript number would alter stands as a string, digit for digit: ids of jobs
 * and orders may be that long.
 */
export function keepLargeIntegers(text: string): string {
  if (!MAY_BE_UNSAFE.test(text)) return text;
  return replaceNumbers(text, (number) => (isUnsafeInteger(number) ? `"${number}"` : number));
}

function isUnsafeInteger(number: string): boolean {
  return number.length > 15 && /^-?[1-9]\d*$/.test(number) && !Number.isSafeInteger(Number(number));
}

/**
 * Valid JSON text in which every number that JavaScript would write in another way, such as `5.00` or `1e400`, stands as a
 * string: what people see is what the service wrote.
 */
export function keepNumbers(text: string): string {
  return replaceNumbers(text, (number) => (String(Number(number)) === number ? number : `"${number}"`));
}
