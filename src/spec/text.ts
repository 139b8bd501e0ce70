import { unicodePattern } from '../once.ts';

const LONGEST_LABEL = 63;
const LONGEST_NAME = 253;

interface NameRules {
  /** Allowed in records such as `_dmarc` and in their targets, but not in registered domains. */
  readonly underscore?: boolean;
}

/** Returns why a text is not a label of a DNS name, in words that follow the quoted text. */
export function findLabelFault(label: string, rules: NameRules = {}): string | undefined {
  if (label === '') return 'has an empty label (a dot too many)';
  const odd = (rules.underscore ? /[^A-Za-z0-9_-]/u : /[^A-Za-z0-9-]/u).exec(label)?.[0];
  if (odd !== undefined) return `has the character ${JSON.stringify(odd)}`;
  if (label.length > LONGEST_LABEL) return `has a label longer than ${LONGEST_LABEL} characters`;
  if (label.startsWith('-') || label.endsWith('-')) return 'has a label that starts or ends with a hyphen';
  return undefined;
}

/** Returns why a text without a final dot is not a full DNS name (RFC 1035 and 1123). */
export function findNameFault(name: string, rules: NameRules = {}): string | undefined {
  if (name.length > LONGEST_NAME) return `is longer than ${LONGEST_NAME} characters`;
  const labels = name.split('.');
  for (const label of labels) {
    const fault = findLabelFault(label, rules);
    if (fault !== undefined) return fault;
  }
  return /^(?:\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? '') ? 'ends in a number, as an address does' : undefined;
}

/** Whether a text has a control character (U+0000 to U+001F, U+007F to U+009F). Avoids `\p{…}`, which delays the start. */
export function hasControl(text: string): boolean {
  return /[^\x20-\x7e\u00a0-\uffff]/.test(text);
}

/** Whether a text has half of a surrogate pair, left by a wrong cut or character set. */
export function hasHalfCharacter(text: string): boolean {
  return !text.isWellFormed();
}

const unseen = unicodePattern('[\\p{C}\\p{Zl}\\p{Zp}]+', 'gu');

/** Replaces each run of control, format and direction characters or spaces with one space. */
export function onOneLine(text: string): string {
  return text.replace(unseen(), ' ').replace(/ {2,}/g, ' ').trim();
}
