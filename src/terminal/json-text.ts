import { unicodePattern } from '../once.ts';
import { HARMFUL } from './safe-text.ts';

/** How JSON text is passed on. */
export interface JsonTextOptions {
  /** Lays the value out over lines, two spaces deep, for a terminal. */
  readonly indent?: boolean;
}

/** The text of a JSON value that was read already, made safe for a terminal; numbers stay as they were written. */
export function formatJson(text: string, { indent = false }: JsonTextOptions = {}): string {
  const safe = escapeJson(text);
  return indent ? Buffer.from(createJsonIndenter()(Buffer.from(safe))).toString() : safe;
}

/** A value of svc's own as JSON text, safe for a terminal. */
export function stringifyDocument(value: unknown, { indent = false }: JsonTextOptions = {}): string {
  return escapeJson(JSON.stringify(value, null, indent ? 2 : undefined));
}

const PLAIN_ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** What is harmful in a valid JSON text stands inside strings, except for the spaces between its values. */
const harmful = unicodePattern(`(?![\\n\\r\\t])(?:${HARMFUL})`, 'gu');

/** JSON text with what a terminal would obey as `\uXXXX`: the same value. */
export function escapeJson(text: string): string {
  return PLAIN_ASCII.test(text) ? text : text.replace(harmful(), escapeCharacter);
}

function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Lays the bytes of one valid JSON text out over lines, two spaces deep, however they are cut. One closure, long as it is: all its functions share the
 * variables that say where in the text it is, and nothing else can change them.
 */
export function createJsonIndenter(): (bytes: Uint8Array) => Uint8Array {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** Whether a bracket was opened and nothing has come since. */
  let fresh = false;

  const newline = () => `\n${'  '.repeat(depth)}`;
  const enter = () => {
    const lead = fresh ? newline() : '';
    fresh = false;
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
        fresh = true;
        return lead + character;
      }
      case '}':
      case ']': {
        depth -= 1;
        const lead = fresh ? '' : newline();
        fresh = false;
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
  /** The index behind the end of the string, or of the bytes. */
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
    // One character for each byte, so that nothing is decoded and encoded again.
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
