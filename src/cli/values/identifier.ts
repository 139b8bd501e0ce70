import { findInvisible, findLookalike, hasControl, hasHalfCharacter } from '../../contract/text.ts';
import { quote, usageError } from '../../errors.ts';
import { example } from './choice.ts';

const MAX_LENGTH = 512;

/** Throws a usage error for an id that could change the path, or is another than people read. */
export function parseIdentifier(given: string, field: string): string {
  const text = given.trim();
  if (text === '') throw usageError(`${field} is empty.`, 'Give an id.');
  const fault = findFault(text);
  if (fault) throw usageError(`${field} ${quote(text)} ${fault.why}.`, fault.hint);
  // `--json` and `-q` follow an option whose value was forgotten; `-x7Gh` may well be an id.
  if (field.startsWith('-') && (text.startsWith('--') || /^-.$/.test(text))) {
    throw usageError(
      `${field} needs an id, and ${quote(text)} looks like an option.`,
      `${example(field, '<id>')} (one that starts with a hyphen goes after --, or into the environment)`,
    );
  }
  return text;
}

function findFault(text: string): { why: string; hint: string } | undefined {
  const copy = (why: string) => ({
    why,
    hint: 'Copy the id again, from the dashboard or from the output of svc.',
  });
  if (text === '.' || text === '..') return copy('is not an id: it would lead to another path');
  if (/^(['"`]).*\1$/s.test(text)) {
    const why = 'has quotes around it, which the shell has left there';
    return { why, hint: `Leave them out: ${text.slice(1, -1)}` };
  }
  if (/^https?:\/\//i.test(text)) {
    return { why: 'is an address, not an id', hint: 'Give the id alone.' };
  }
  if (text.length > MAX_LENGTH) return copy(`is longer than ${MAX_LENGTH} characters`);
  if (hasControl(text)) return copy('has a control character in it');
  if (text.includes('\ufffd') || hasHalfCharacter(text)) {
    return {
      why: 'has a damaged character in it',
      hint: 'Use a UTF-8 locale, such as LC_ALL=C.UTF-8.',
    };
  }
  const unseen = findInvisible(text);
  if (unseen !== undefined) {
    return copy(`has an invisible character in it, ${describeCodePoint(unseen)}`);
  }
  const odd = findLookalike(text);
  if (odd === undefined) return undefined;
  return copy(
    `has a character in it that only looks like ${JSON.stringify(odd.normalize('NFKC'))}, ${describeCodePoint(odd)}`,
  );
}

/** Describes a character as `U+200B`. */
export function describeCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
