import { indentJson } from '../json/scan.ts';
import { unicodePattern } from '../once.ts';
import { HARMFUL } from './safe-text.ts';

interface JsonTextOptions {
  /** Lay the value out over lines, indented by two spaces. */
  readonly indent?: boolean;
}

/** Makes valid JSON text safe for a terminal. Numbers stay as written. */
export function formatJson(text: string, { indent = false }: JsonTextOptions = {}): string {
  const safe = escapeJson(text);
  return indent ? indentJson(safe) : safe;
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
