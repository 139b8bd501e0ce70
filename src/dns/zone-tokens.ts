import { isUtf8 } from 'node:buffer';
import { isIPv6 } from 'node:net';
import { type CliError, quoted, usageError } from '../errors.ts';
import { tryRead } from '../once.ts';

/** A place in a zone file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Words and strings keep their escapes; strings lose their quotes. */
export interface Token extends Position {
  readonly kind: 'word' | 'string' | '(' | ')' | 'newline';
  readonly text: string;
}

const BETWEEN = /[ \t]+|;[^\n]*/y;
const IN_WORD = /[^ \t\n;()"\\]+|\\[^\n]/y;
const IN_STRING = /[^"\\\n]+|\\[^\n]/y;

/** A usage error. `message` ends without a full stop. */
export function zoneError(place: Position, message: string): CliError {
  return usageError(`Zone file, line ${place.line}, column ${place.column}: ${message}.`);
}

/**
 * Splits a zone file (RFC 1035, section 5.1) into tokens without comments. Throws a usage error.
 */
export function* readTokens(text: string): Generator<Token> {
  let line = 1;
  let lineStart = 0;
  let at = 0;
  while (at < text.length) {
    const place = { line, column: at - lineStart + 1 };
    const char = text.charAt(at);
    const skipped = matchAll(BETWEEN, text, at);
    if (skipped > at) at = skipped;
    else if (char === '\n') {
      yield { ...place, kind: 'newline', text: '' };
      at += 1;
      line += 1;
      lineStart = at;
    } else if (char === '(' || char === ')') {
      yield { ...place, kind: char, text: '' };
      at += 1;
    } else {
      const end = char === '"' ? endOfString(text, at, place) : endOfWord(text, at, place);
      yield char === '"'
        ? { ...place, kind: 'string', text: text.slice(at + 1, end - 1) }
        : { ...place, kind: 'word', text: text.slice(at, end) };
      at = end;
    }
  }
}

function endOfString(text: string, start: number, place: Position): number {
  const end = matchAll(IN_STRING, text, start + 1);
  if (text.charAt(end) !== '"') throw zoneError(place, 'this quote is not closed on its line');
  return end + 1;
}

function endOfWord(text: string, start: number, place: Position): number {
  const end = matchAll(IN_WORD, text, start);
  if (text.charAt(end) === '\\')
    throw zoneError(place, 'this ends in a backslash that escapes nothing');
  return end;
}

/**
 * Returns the end of a run of matches. A repeated expression would exhaust its stack on a long run.
 */
function matchAll(pattern: RegExp, text: string, start: number): number {
  let end = start;
  do {
    pattern.lastIndex = end;
    if (!pattern.test(text)) return end;
    end = pattern.lastIndex;
  } while (end < text.length);
  return end;
}

/** Joins character strings and decodes them as UTF-8. Throws a usage error for other bytes. */
export function readStrings(tokens: readonly Token[]): string {
  const bytes = Buffer.concat(tokens.map(readBytes));
  if (isUtf8(bytes)) return bytes.toString();
  const place = tokens[0] ?? { line: 1, column: 1 };
  throw zoneError(place, 'the bytes of this text are not UTF-8, so JSON cannot carry them');
}

/** The text of a TXT value in zone file form, `"one" "two"`; returns any other value unchanged. */
export function unquotedText(value: string): string {
  return hasOtherBytes(value) ? value : (bytesInQuotes(value)?.toString() ?? value);
}

/** Whether a TXT value in zone file form has bytes that are not UTF-8. */
export function hasOtherBytes(value: string): boolean {
  const bytes = bytesInQuotes(value);
  return bytes !== undefined && !isUtf8(bytes);
}

/** Undefined unless the value is in zone file form. */
function bytesInQuotes(value: string): Buffer | undefined {
  if (!value.startsWith('"')) return undefined;
  const tokens = tryRead(() => [...readTokens(value)], []);
  const packed = (text: string) => text.replaceAll(/\s/g, '');
  // A comment, a word or a parenthesis between them is no string.
  if (packed(tokens.map(({ text }) => `"${text}"`).join('')) !== packed(value)) return undefined;
  return tryRead(() => Buffer.concat(tokens.map(readBytes)), undefined);
}

/** The form in which staged, requested and served values are compared. */
export function comparableValue(type: string, value: string): string {
  if (type === 'TXT') return unquotedText(value);
  if (isIPv6(value) && !value.includes('%'))
    return new URL(`http://[${value}]`).hostname.slice(1, -1);
  const data = value.toLowerCase().replaceAll(/ +/g, ' ');
  return data.endsWith('.') && !/(^| )\.$/.test(data) ? data.slice(0, -1) : data;
}

/**
 * A full name without its final dot. Throws a usage error for escapes that it cannot have, such as
 * a literal dot.
 */
export function readName(token: Token, origin: string): string {
  if (token.kind === 'string')
    throw zoneError(token, 'a name is expected here, not text in quotes');
  if (token.text === '@') return origin;
  const name = token.text.replace(/\\(\d{3}|.)/gu, (written, code: string) => {
    const char = code.length === 3 ? String.fromCharCode(Number(code)) : code;
    if (/^[A-Za-z_-]$/.test(char) || (code.length === 3 && /^\d$/.test(char))) return char;
    throw zoneError(
      token,
      `${quoted(token.text)} has the escape ${written}, and the name of a record cannot have it`,
    );
  });
  if (name === '.') return name;
  if (name.endsWith('.')) return name.slice(0, -1);
  return origin === '.' ? name : `${name}.${origin}`;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};

/** The seconds of a TTL such as `3600`, `1h30m` or `1W`; `undefined` for any other word. */
export function readTtl(word: string): number | undefined {
  if (/^\d{1,10}$/.test(word)) return Number(word);
  if (!/^(?:\d{1,10}[smhdw]){1,10}$/i.test(word)) return undefined;
  let seconds = 0;
  for (const [, count, unit = ''] of word.matchAll(/(\d{1,10})(\D)/g)) {
    seconds += Number(count) * (UNIT_SECONDS[unit.toLowerCase()] ?? 0);
  }
  return seconds;
}

/** The bytes of a character string: `\DDD` is one byte, `\X` the character, anything else UTF-8. */
function readBytes(token: Token): Buffer {
  const pieces = token.text.match(/[^\\]+|\\\d{3}|\\\D|\\/gu) ?? [];
  const bytes = pieces.map((piece) => {
    if (!piece.startsWith('\\')) return Buffer.from(piece);
    const escaped = piece.slice(1);
    if (/^\D/.test(escaped)) return Buffer.from(escaped);
    if (escaped !== '' && Number(escaped) <= 255) return Buffer.of(Number(escaped));
    throw zoneError(
      token,
      'an escape is \\ with three digits from 000 to 255, or with another character',
    );
  });
  return Buffer.concat(bytes);
}
