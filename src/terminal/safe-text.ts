import { unicodePattern } from '../once.ts';

/** What Unicode calls ignorable, but for the two selectors that only choose between text and emoji. */
const IGNORABLE = '(?![\\ufe0e\\ufe0f])\\p{Default_Ignorable_Code_Point}';

/**
 * Characters that a terminal obeys, that change the direction of text, or that nobody can see: controls (the newline
 * among them), format and separator characters, lone surrogates, and what is ignorable. The source of a `u` pattern.
 */
export const HARMFUL = `[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|${IGNORABLE}`;

/**
 * What may be shown as it is: letters, marks, numbers, punctuation, symbols and spaces that can be seen. Everything
 * else drives the terminal, hides, or has no agreed look (private use, unassigned).
 */
const ALLOWED = '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}';
const unsafe = unicodePattern(`[^${ALLOWED}]|${IGNORABLE}`, 'gu');
const PLAIN_ASCII = /^[\x20-\x7e]*$/;
const PLAIN_ASCII_LINES = /^[\n\t\x20-\x7e]*$/;

/** Text on one line without anything that drives a terminal or hides: such characters become visible as `\u{..}`. */
export function safeLine(text: string): string {
  return PLAIN_ASCII.test(text) ? text : text.replace(unsafe(), visible);
}

/** Like {@link safeLine}, but newlines and tabs stay. */
export function safeText(text: string): string {
  return PLAIN_ASCII_LINES.test(text) ? text : text.replace(/[^\n\t]+/g, safeLine);
}

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
