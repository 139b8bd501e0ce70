import { unicodePattern } from '../once.ts';

const MAX_LABEL = 63;
const MAX_NAME = 253;

/** Records such as `_dmarc` and their targets may have it, registered domains not. */
type MoreLetters = '_' | '';

/** Says why a text is not a label of a DNS name, in words that follow it. */
export function findLabelProblem(label: string, more: MoreLetters = ''): string | undefined {
  if (label === '') return 'has an empty label (a dot too many)';
  const odd = (more === '_' ? /[^A-Za-z0-9_-]/u : /[^A-Za-z0-9-]/u).exec(label)?.[0];
  if (odd !== undefined) return `has the character ${JSON.stringify(odd)}`;
  if (label.length > MAX_LABEL) return `has a label longer than ${MAX_LABEL} characters`;
  const hasHyphen = label.startsWith('-') || label.endsWith('-');
  return hasHyphen ? 'has a label that starts or ends with a hyphen' : undefined;
}

/** Says why a text without a final dot is not a full DNS name (RFC 1035 and 1123). */
export function findNameProblem(name: string, more: MoreLetters = ''): string | undefined {
  if (name.length > MAX_NAME) return `is longer than ${MAX_NAME} characters`;
  const [problem] = name.split('.').flatMap((label) => findLabelProblem(label, more) ?? []);
  if (problem !== undefined) return problem;
  const isNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(name);
  return isNumber ? 'ends in a number, as an address does' : undefined;
}

/** Whether a text has U+0000 to U+001F or U+007F to U+009F. Avoids `\p{…}`, which delays the start. */
export function hasControl(text: string): boolean {
  return /[^\x20-\x7e\u00a0-\uffff]/.test(text);
}

/** Whether a text has half of a surrogate pair, left by a wrong cut or character set. */
export function hasHalfCharacter(text: string): boolean {
  return !text.isWellFormed();
}

const PLAIN = /^[\x20-\x7e]*$/;
/** Creates the pattern of what cannot be seen, and of spaces other than that of ASCII. */
const invisible = unicodePattern('(?! )[\\p{Cc}\\p{Cf}\\p{Z}\\p{Default_Ignorable_Code_Point}]');

/** Finds the first character that cannot be seen, or is taken for a plain space. */
export function findInvisible(text: string): string | undefined {
  return PLAIN.test(text) ? undefined : invisible().exec(text)?.[0];
}

/** Finds the first character that looks like others of ASCII, such as a full-width letter (NFKC). */
export function findLookalike(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  return Array.from(text).find(
    (character) => !PLAIN.test(character) && PLAIN.test(character.normalize('NFKC')),
  );
}

const unseen = unicodePattern('[\\p{C}\\p{Zl}\\p{Zp}]+', 'gu');

/** Replaces each run of control, format and direction characters or spaces with one space. */
export function onOneLine(text: string): string {
  return text.replace(unseen(), ' ').replace(/ {2,}/g, ' ').trim();
}
