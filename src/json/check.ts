import { MAX_LEVELS } from './scan.ts';

const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, PLUS, COMMA, MINUS, DOT, ZERO, NINE, COLON] = [0x22, 0x2b, 0x2c, 0x2d, 0x2e, 0x30, 0x39, 0x3a];
const [BRACKET, BACKSLASH, BRACE] = [0x5b, 0x5c, 0x7b];
const TO_CLOSING = 2;

const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const WORD = /true|false|null/y;

/**
 * Checks JSON (RFC 8259) without making its value, which for a million points takes three times as long, and seven times the
 * memory of the text. Throws as `JSON.parse` does, and for more than {@link MAX_LEVELS}.
 */
export function checkJson(text: string): void {
  const open: number[] = [];
  let at = 0;
  do {
    at = behindSpace(text, at);
    const code = text.charCodeAt(at);
    if (code === BRACE || code === BRACKET) {
      open.push(code);
      if (open.length > MAX_LEVELS) throw notJson(at);
      at = behindSpace(text, at + 1);
      if (text.charCodeAt(at) !== code + TO_CLOSING) {
        if (code === BRACE) at = behindName(text, at);
        continue;
      }
    } else {
      at = behindScalar(text, at, code);
    }
    at = behindEnds(text, at, open);
  } while (open.length > 0);
  if (behindSpace(text, at) < text.length) throw notJson(at);
}

/** Goes on behind a value: behind what ends with it, and behind the comma and the name before the next one. */
function behindEnds(text: string, start: number, open: number[]): number {
  for (let at = start; ; ) {
    const last = open.at(-1);
    if (last === undefined) return at;
    at = behindSpace(text, at);
    const code = text.charCodeAt(at);
    at += 1;
    if (code === COMMA) return last === BRACE ? behindName(text, behindSpace(text, at)) : at;
    if (code !== last + TO_CLOSING) throw notJson(at);
    open.pop();
  }
}

function behindSpace(text: string, start: number): number {
  for (let at = start; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== NEWLINE && code !== RETURN && code !== TAB) return at;
  }
}

function behindName(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) throw notJson(start);
  const at = behindSpace(text, behindString(text, start));
  if (text.charCodeAt(at) !== COLON) throw notJson(at);
  return at + 1;
}

function behindScalar(text: string, at: number, code: number): number {
  if (code === QUOTE) return behindString(text, at);
  const isNumber = code === MINUS || isDigit(code);
  return isNumber ? behindNumber(text, at) : behindMatch(text, at, WORD);
}

function behindString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    // Behind the end of the text the code is NaN.
    if (!(code >= SPACE)) throw notJson(at);
    at = code === BACKSLASH ? behindMatch(text, at, ESCAPE) : at + 1;
  }
}

function behindNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  at = text.charCodeAt(at) === ZERO ? at + 1 : behindDigits(text, at);
  if (text.charCodeAt(at) === DOT) at = behindDigits(text, at + 1);
  if (text[at] !== 'e' && text[at] !== 'E') return at;
  const sign = text.charCodeAt(at + 1);
  return behindDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

/** Behind one digit or more. */
function behindDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === start) throw notJson(at);
  return at;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function behindMatch(text: string, at: number, sticky: RegExp): number {
  sticky.lastIndex = at;
  if (!sticky.test(text)) throw notJson(at);
  return sticky.lastIndex;
}

function notJson(at: number): SyntaxError {
  return new SyntaxError(`not JSON at ${at}`);
}
