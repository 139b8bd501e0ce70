import { isUtf8 } from 'node:buffer';
import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { quote, tryOr } from '../errors.ts';

/** A place in a zone file, counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Words and strings keep their escapes; strings lose their quotes. The text of a comment begins
 * behind its semicolon, that of a `fault` says what is wrong with the rest of its line.
 */
export interface Token extends Position {
  readonly kind: 'word' | 'string' | 'comment' | 'fault' | '(' | ')' | 'newline';
  readonly text: string;
}

/** A fault at a place in a zone file. `reason` ends without a full stop. */
export class ZoneFault extends Error {
  readonly line: number;
  /** A fault that changes how the rest of the file reads: nothing can be left out then. */
  isOfWholeFile = false;

  /**
   * @param replacement what to write instead, as it stands in the file
   */
  constructor(place: Position, reason: string, replacement = '') {
    const remedy = replacement === '' ? '' : ` Write: ${replacement}`;
    super(`line ${place.line}, column ${place.column}: ${reason}.${remedy}`);
    this.line = place.line;
  }
}

const BLANKS = /[ \t]+/y;
const IN_WORD = /[^ \t\n;()"\\]+|\\[^\n]/y;
const IN_STRING = /[^"\\\n]+|\\[^\n]/y;

/**
 * Splits a zone file (RFC 1035, section 5.1) into tokens. A quote that is not closed on its line
 * and a final backslash become a `fault`, and the next line is read as usual.
 */
function* readTokens(text: string): Generator<Token> {
  for (const [index, row] of text.split('\n').entries()) {
    if (index > 0) yield { kind: 'newline', text: '', line: index, column: 1 };
    let at = matchAll(BLANKS, row, 0);
    while (at < row.length) {
      const { end, ...token } = readToken(row, at);
      yield { ...token, line: index + 1, column: at + 1 };
      at = matchAll(BLANKS, row, end);
    }
  }
}

function readToken(row: string, start: number): Omit<Token, keyof Position> & { end: number } {
  const char = row.charAt(start);
  if (char === '(' || char === ')') return { kind: char, text: '', end: start + 1 };
  if (char === ';') return { kind: 'comment', text: row.slice(start + 1), end: row.length };

  const isString = char === '"';
  const end = isString ? matchAll(IN_STRING, row, start + 1) : matchAll(IN_WORD, row, start);
  const next = row.charAt(end);
  if (isString && next === '"') {
    return { kind: 'string', text: row.slice(start + 1, end), end: end + 1 };
  }
  if (!isString && next !== '\\') return { kind: 'word', text: row.slice(start, end), end };

  const reason = isString
    ? 'this quote is not closed on its line. Close it, or begin each line with a quote of its own'
    : 'this ends in a backslash that escapes nothing. Remove it';
  return { kind: 'fault', text: reason, end: row.length };
}

/**
 * Returns the end of a run of matches. A repeated expression would exhaust its stack on a long run.
 */
function matchAll(pattern: RegExp, text: string, start: number): number {
  let end = start;
  pattern.lastIndex = start;
  while (pattern.test(text)) end = pattern.lastIndex;
  return end;
}

/**
 * Returns the text of a TXT value in zone file form, `"one" "two"`; returns any other value
 * unchanged.
 */
export function unquoteText(value: string): string {
  const strings = findStrings(value);
  const bytes = Buffer.concat(strings ?? []);
  return strings && isUtf8(bytes) ? bytes.toString() : value;
}

/** Whether a TXT value in zone file form has bytes that are not UTF-8. */
export function hasOtherBytes(value: string): boolean {
  return !isUtf8(Buffer.concat(findStrings(value) ?? []));
}

/** Finds the strings of a TXT value in zone file form; undefined for any other value. */
export function findStrings(value: string): readonly Buffer[] | undefined {
  if (!value.startsWith('"')) return undefined;
  const tokens = [...readTokens(value)];
  const packed = (text: string) => text.replaceAll(/\s/g, '');
  // A comment, a word or a parenthesis between them is no string.
  if (packed(tokens.map(({ text }) => `"${text}"`).join('')) !== packed(value)) return undefined;
  return tryOr(() => tokens.map(readStringBytes), undefined);
}

/** Returns the form in which staged, requested and served values are compared. */
export function toComparableValue(type: string, value: string): string {
  if (type === 'TXT') return unquoteText(value);
  if (isIPv6(value) && !value.includes('%')) {
    return new URL(`http://[${value}]`).hostname.slice(1, -1);
  }
  const data = toAsciiName(value).toLowerCase().replaceAll(/ +/g, ' ');
  return data.endsWith('.') && !/(^| )\.$/.test(data) ? data.slice(0, -1) : data;
}

/**
 * Reads a full name without its final dot. Throws a {@link ZoneFault} for escapes that it cannot
 * have, such as a literal dot.
 */
export function readName(token: Token, origin: string): string {
  if (token.kind === 'string') {
    throw new ZoneFault(token, 'a name is expected here, without quotes');
  }
  if (token.text === '@') return origin;
  if (token.text.endsWith('.@')) {
    throw new ZoneFault(
      token,
      `${quote(token.text)}: @ means the origin only where it stands alone`,
      token.text.slice(0, -2),
    );
  }

  const name = token.text.replace(/\\(\d{3}|.)/gu, (written, code: string, at: number) => {
    const isFirstLabel = at === 0 && /^(?:\.|$)/.test(token.text.slice(written.length));
    return readEscape(token, written, code, isFirstLabel);
  });
  if (name === '.') return name;
  if (name.endsWith('.')) return name.slice(0, -1);
  return origin === '.' ? name : `${name}.${origin}`;
}

/** An escaped asterisk is the same label as a bare one (RFC 4592, section 2.1.1). */
function readEscape(token: Token, written: string, code: string, isFirstLabel: boolean): string {
  const isNumeric = code.length === 3;
  const char = isNumeric ? String.fromCharCode(Number(code)) : code;
  if (char === '*' && isFirstLabel) return char;
  if (isNumeric && /^[A-Za-z0-9-]$/.test(char)) {
    // Route 53 writes octal numbers where RFC 1035 (section 5.1) has decimal ones.
    const octal = String.fromCharCode(Number.parseInt(code, 8));
    const isOctal = /^[0-3][0-7]{2}$/.test(code);
    const second = isOctal ? `, and in an export of Route 53 (octal) ${quote(octal)}` : '';
    throw new ZoneFault(
      token,
      `${quote(token.text)} has the escape ${written}, which in a zone file (decimal) is ${quote(char)}${second}. Write the character itself`,
    );
  }
  if (/^[A-Za-z_-]$/.test(char)) return char;
  throw new ZoneFault(
    token,
    `${quote(token.text)} has the escape ${written}, and the name of a record cannot have it. Write the name without it`,
  );
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};

/** Reads the seconds of a TTL such as `3600`, `1h30m` or `1W`; `undefined` for any other word. */
export function readTtl(word: string): number | undefined {
  if (/^\d{1,10}$/.test(word)) return Number(word);
  if (!/^(?:\d{1,10}[smhdw]){1,10}$/i.test(word)) return undefined;
  let seconds = 0;
  for (const [, count, unit = ''] of word.matchAll(/(\d{1,10})(\D)/g)) {
    seconds += Number(count) * (UNIT_SECONDS[unit.toLowerCase()] ?? 0);
  }
  return seconds;
}

/**
 * Reads the bytes of a character string: `\DDD` is one byte, `\X` the character, anything else
 * UTF-8.
 */
export function readStringBytes(token: Token): Buffer {
  const pieces = token.text.match(/[^\\]+|\\\d{3}|\\\D|\\/gu) ?? [];
  const bytes = pieces.map((piece) => {
    if (!piece.startsWith('\\')) return Buffer.from(piece);
    const escaped = piece.slice(1);
    if (/^\D/.test(escaped)) return Buffer.from(escaped);
    if (escaped !== '' && Number(escaped) <= 255) return Buffer.of(Number(escaped));
    throw new ZoneFault(
      token,
      'an escape is \\ with three digits from 000 to 255, or with another character',
    );
  });
  return Buffer.concat(bytes);
}

/** One line of a zone file, or several within parentheses. */
export class ZoneLine {
  readonly tokens: Token[] = [];
  readonly comments: Token[] = [];
  /** The parentheses that are not closed yet. */
  readonly open: Token[] = [];
  fault: ZoneFault | undefined;

  /** The name of a record; undefined for one that begins with a blank: it has the one before. */
  get owner(): Token | undefined {
    const [first] = this.tokens;
    return first?.column === 1 ? first : undefined;
  }

  /** The tokens behind the name. */
  get words(): readonly Token[] {
    return this.owner === undefined ? this.tokens : this.tokens.slice(1);
  }

  add(token: Token): void {
    if (token.kind === 'newline') return;
    if (token.kind === '(') this.open.push(token);
    else if (token.kind === 'comment') this.comments.push(token);
    else if (token.kind === 'fault') this.refuse(token, token.text);
    else if (token.kind !== ')') this.tokens.push(token);
    else if (this.open.pop() === undefined) {
      this.refuse(token, 'this parenthesis closes nothing. Remove it, or write it in quotes');
    }
  }

  refuse(place: Position, reason: string): void {
    this.fault ??= new ZoneFault(place, reason);
    this.fault.isOfWholeFile = true;
  }
}

/** Puts the tokens of a zone file together to lines. */
export function* readZoneLines(text: string): Generator<ZoneLine> {
  let line = new ZoneLine();
  for (const token of readTokens(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))) {
    line.add(token);
    if (token.kind !== 'newline' || line.open.length > 0) continue;
    yield line;
    line = new ZoneLine();
  }
  const unclosed = line.open.at(-1);
  if (unclosed) line.refuse(unclosed, 'this parenthesis is not closed. Write ) where it ends');
  yield line;
}

/**
 * Writes a name, or data that ends in one, as the DNS does (RFC 5891): labels beyond ASCII become
 * Punycode. What cannot be converted stays as it is.
 */
export function toAsciiName(name: string): string {
  const labels = name.split(/([\s.])/).map((label) => {
    return /[^\x00-\x7f]/.test(label) ? domainToASCII(label) || label : label;
  });
  return labels.join('');
}
