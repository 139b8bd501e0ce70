import { indentJson } from '../json/scan.ts';
import { unicodePattern } from '../once.ts';

/** Invisible characters, but for the two selectors that choose between text and emoji. */
const IGNORABLE = '(?![\\ufe0e\\ufe0f])\\p{Default_Ignorable_Code_Point}';

/**
 * The source of a `u` pattern for characters that drive a terminal, turn text around or are
 * invisible; newlines, too.
 */
export const HARMFUL = `[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|${IGNORABLE}`;

/** All but visible letters, marks, numbers, punctuation, symbols and spaces. */
const unsafe = unicodePattern(`[^\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}]|${IGNORABLE}`, 'gu');
/** The source of a `v` pattern for the emoji that Unicode joins; joiners are shown nowhere else. */
export const JOINED_EMOJI = '\\p{RGI_Emoji_ZWJ_Sequence}';

const joinedEmoji = unicodePattern(`(${JOINED_EMOJI})|[^]`, 'gv');
const JOINER = '\u200d';
const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const PLAIN_ASCII_LINES = /^[\n\t\x20-\x7e]*$/;

/** Puts text on one line; unsafe characters become `\u{..}`. */
export function safeLine(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  if (!text.includes(JOINER)) return text.replace(unsafe(), escapeCharacter);
  return text.replace(
    joinedEmoji(),
    (part, joined) => joined ?? part.replace(unsafe(), escapeCharacter),
  );
}

/** Escapes like {@link safeLine}, but keeps newlines and tabs. */
export function safeText(text: string): string {
  return PLAIN_ASCII_LINES.test(text) ? text : text.replace(/[^\n\t]+/g, safeLine);
}

/** Writes `~` for the home folder in the paths of a text. */
export function withTilde(text: string, home: string | undefined): string {
  if (!home || !text.includes(home)) return text;
  const [first = '', ...rest] = text.split(home);
  return rest.reduce((before, after) => {
    const isPath = /^[/\\]/.test(after) && !/[\w./\\-]$/.test(before);
    return before + (isPath ? '~' : home) + after;
  }, first);
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Makes valid JSON text safe for a terminal. Numbers stay as written. */
export function formatJson(text: string, { indent = false } = {}): string {
  const safe = escapeJson(text);
  return indent ? indentJson(safe) : safe;
}

/** Serializes a value as JSON text that is safe for a terminal. */
export function stringifyDocument(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

const JSON_ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** Characters that occur inside strings only in valid JSON. */
const harmful = unicodePattern(`(?![\\n\\r\\t])(?:${HARMFUL})`, 'gu');

/** Escapes harmful characters in valid JSON text as `\uXXXX`; the value stays the same. */
export function escapeJson(text: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON_ASCII.test(text)
    ? text
    : text.replace(harmful(), (character) => character.split('').map(escapeUnit).join(''));
}
