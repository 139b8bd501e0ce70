import { isIPv6 } from 'node:net';
import { quoted } from '../errors.ts';
import { readTokens, type Token, zoneError } from './zone-tokens.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * The bytes of character strings, put together and read as UTF-8. Throws a usage error where they are not UTF-8: JSON,
 * in which records are sent, has no form for such bytes.
 */
export function readStrings(tokens: readonly Token[]): string {
  const bytes = Buffer.concat(tokens.map(readBytes));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw zoneError(
      tokens[0] ?? { line: 1, column: 1 },
      'the bytes of this text are not UTF-8, so JSON cannot carry them',
    );
  }
}

/** The text of a TXT value that is written as in a zone file, `"one" "two"`; any other value as it is. */
export function unquotedText(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    const tokens = [...readTokens(value)];
    const packed = (text: string) => text.replaceAll(/\s/g, '');
    const isWhole = packed(tokens.map(({ text }) => `"${text}"`).join('')) === packed(value);
    return isWhole && tokens.every(({ kind }) => kind === 'string') ? readStrings(tokens) : value;
  } catch {
    return value;
  }
}

/** The one form in which values of a type are compared: staged, asked for or answered by a nameserver. */
export function comparableValue(type: string, value: string): string {
  if (type === 'TXT') return unquotedText(value);
  if (isIPv6(value) && !value.includes('%')) return new URL(`http://[${value}]`).hostname.slice(1, -1);
  const data = value.toLowerCase().replaceAll(/ +/g, ' ');
  return data.endsWith('.') && !/(^| )\.$/.test(data) ? data.slice(0, -1) : data;
}

/**
 * A name in full, without its last dot: `@` is the origin, and a name without a last dot is below it. Throws a usage
 * error for escapes that the name of a record has no form for, such as a dot or an asterisk that is only a character.
 */
export function readName(token: Token, origin: string): string {
  if (token.kind === 'string') throw zoneError(token, 'a name is expected here, not text in quotes');
  if (token.text === '@') return origin;
  const name = token.text.replace(/\\(\d{3}|.)/gu, (written, code: string) => {
    const char = code.length === 3 ? String.fromCharCode(Number(code)) : code;
    if (/^[A-Za-z_-]$/.test(char) || (code.length === 3 && /^\d$/.test(char))) return char;
    throw zoneError(token, `${quoted(token.text)} has the escape ${written}, and the name of a record cannot have it`);
  });
  if (name === '.') return name;
  if (name.endsWith('.')) return name.slice(0, -1);
  return origin === '.' ? name : `${name}.${origin}`;
}

/** Seconds of a TTL such as `3600`, `1h30m` or `1W`; `undefined` where the word is none. */
export function readTtl(word: string): number | undefined {
  if (/^\d{1,10}$/.test(word)) return Number(word);
  if (!/^(?:\d{1,10}[smhdw]){1,10}$/i.test(word)) return undefined;
  let seconds = 0;
  for (const [, count, unit = ''] of word.matchAll(/(\d+)(\D)/g)) {
    seconds += Number(count) * (UNIT_SECONDS[unit.toLowerCase()] ?? 0);
  }
  return seconds;
}

/** `\DDD` is one byte, `\X` the character itself; everything else is its UTF-8 bytes. */
function readBytes(token: Token): Buffer {
  const pieces = token.text.match(/[^\\]+|\\\d{3}|\\\D|\\/gu) ?? [];
  return Buffer.concat(
    pieces.map((piece) => {
      if (!piece.startsWith('\\')) return Buffer.from(piece);
      const escaped = piece.slice(1);
      if (!/^\d/.test(escaped) && escaped !== '') return Buffer.from(escaped);
      const byte = escaped === '' ? 256 : Number(escaped);
      if (byte > 255)
        throw zoneError(token, 'an escape is \\ with three digits from 000 to 255, or with another character');
      return Buffer.of(byte);
    }),
  );
}
