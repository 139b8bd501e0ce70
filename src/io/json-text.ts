import { unicodePattern } from '../once.ts';
import { createJsonIndenter } from './json-indent.ts';
import { HARMFUL } from './safe-text.ts';

/** How JSON text is passed on. */
export interface JsonTextOptions {
  /** Lays the value out over lines, two spaces deep, for a terminal. */
  readonly indent?: boolean;
}

/** The text of a JSON value that was read already, made safe for a terminal; numbers stay as they were written. */
export function formatJson(text: string, { indent = false }: JsonTextOptions = {}): string {
  const safe = escapeJson(text);
  return indent ? Buffer.from(createJsonIndenter().push(Buffer.from(safe))).toString() : safe;
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
