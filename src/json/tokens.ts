/** Limit for nested arrays and objects; deeper ones only serve to break recursive code. */
export const MOST_LEVELS = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Returns the index of the closing quote, or the length of the text if there is none. */
export function endOfString(text: string, start: number): number {
  // A regular expression would overflow the stack on megabytes of escapes.
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (escapes > start && text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote;
  }
  return text.length;
}

/** Accepts any text. */
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

/** Replaces the numbers of JSON text, each given as it is written. */
export function replaceNumbers(text: string, replace: (number: string, at: number) => string): string {
  const stringOrNumber = /"|-?\d[\d.eE+-]*/g;
  let replaced = '';
  let done = 0;
  for (let found = stringOrNumber.exec(text); found !== null; found = stringOrNumber.exec(text)) {
    const [token] = found;
    if (token === '"') {
      stringOrNumber.lastIndex = endOfString(text, found.index + 1) + 1;
      continue;
    }
    const other = replace(token, found.index);
    if (other === token) continue;
    replaced += text.slice(done, found.index) + other;
    done = found.index + token.length;
  }
  return done === 0 ? text : replaced + text.slice(done);
}

/** Turns integers that a JavaScript number would alter into strings of their digits: ids may be that long. */
export function keepLargeIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  return replaceNumbers(text, (number) => (isUnsafeInteger(number) ? `"${number}"` : number));
}

function isUnsafeInteger(number: string): boolean {
  return number.length > 15 && /^-?[1-9]\d*$/.test(number) && !Number.isSafeInteger(Number(number));
}

/** Turns numbers that JavaScript would write differently, such as `5.00` or `1e400`, into strings, so people see them unchanged. */
export function keepNumbers(text: string): string {
  return replaceNumbers(text, (number) => (String(Number(number)) === number ? number : `"${number}"`));
}
