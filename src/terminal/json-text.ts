import { unicodePattern } from '../once.ts';
import { HARMFUL } from './safe-text.ts';

export interface JsonTextOptions {
  /** Lay the value out over lines, indented by two spaces. */
  readonly indent?: boolean;
}

/** Makes valid JSON text safe for a terminal. Numbers stay as written. */
export function formatJson(text: string, { indent = false }: JsonTextOptions = {}): string {
  const safe = escapeJson(text);
  return indent ? Buffer.from(createJsonIndenter()(Buffer.from(safe))).toString() : safe;
}

/** Serializes a value as JSON text that is safe for a terminal. */
export function stringifyDocument(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

const PLAIN_ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** In valid JSON these occur only inside strings, apart from the white space between values. */
const harmful = unicodePattern(`(?![\\n\\r\\t])(?:${HARMFUL})`, 'gu');

/** Escapes harmful characters in valid JSON text as `\uXXXX`; the value stays the same. */
export function escapeJson(text: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return PLAIN_ASCII.test(text)
    ? text
    : text.replace(harmful(), (character) => character.split('').map(escapeUnit).join(''));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Indents the chunks of one valid JSON text, wherever they are cut. */
export function createJsonIndenter(): (bytes: Uint8Array) => Uint8Array {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let justOpened = false;

  const newline = () => `\n${'  '.repeat(depth)}`;
  /** Returns the line break before the first value in a bracket. */
  const enter = () => {
    const lead = justOpened ? newline() : '';
    justOpened = false;
    return lead;
  };
  const outside = (character: string): string => {
    switch (character) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        return '';
      case '{':
      case '[': {
        const lead = enter();
        depth += 1;
        justOpened = true;
        return lead + character;
      }
      case '}':
      case ']': {
        depth -= 1;
        const lead = justOpened ? '' : newline();
        justOpened = false;
        return lead + character;
      }
      case ',':
        return `,${newline()}`;
      case ':':
        return ': ';
      default:
        return enter() + character;
    }
  };
  /** Returns the index after the string, or after the chunk if it ends first. */
  const skipString = (bytes: Uint8Array, from: number): number => {
    let index = from;
    for (; index < bytes.length && inString; index += 1) {
      if (escaped) escaped = false;
      else if (bytes[index] === BACKSLASH) escaped = true;
      else if (bytes[index] === QUOTE) inString = false;
    }
    return index;
  };

  return (bytes) => {
    // Latin-1 keeps one character per byte, without decoding UTF-8.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    let laidOut = '';
    let index = 0;
    while (index < text.length) {
      if (inString) {
        const end = skipString(bytes, index);
        laidOut += text.slice(index, end);
        index = end;
      } else {
        inString = bytes[index] === QUOTE;
        laidOut += outside(text.charAt(index));
        index += 1;
      }
    }
    return Buffer.from(laidOut, 'latin1');
  };
}
