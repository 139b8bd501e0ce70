import { unicodePattern } from '../once.ts';

// Every command asks these questions, and `\p{..}` in a pattern costs a start-up milliseconds: its tables are built
// where the pattern is parsed.

/** Whether a text holds a control character (U+0000 to U+001F, U+007F to U+009F). */
export function hasControl(text: string): boolean {
  return /[^\x20-\x7e\u00a0-\uffff]/.test(text);
}

/** Whether a text holds half of a character, as cutting in the wrong place or a wrong character set leaves behind. */
export function hasHalfCharacter(text: string): boolean {
  return !text.isWellFormed();
}

const unseen = unicodePattern('[\\p{C}\\p{Zl}\\p{Zp}]+', 'gu');

/** The text on one line: a space for each run of control, format and direction characters, and of spaces. */
export function onOneLine(text: string): string {
  return text.replace(unseen(), ' ').replace(/ {2,}/g, ' ').trim();
}
