import type { Hint } from '../errors.ts';
import { keepLargeIntegers, MAX_LEVELS, survey } from '../json/scan.ts';

/** A complete answer that is not in the form of the API. */
export class Unreadable extends Error {
  beginning: Uint8Array = new Uint8Array();
  readonly hint: Hint | undefined;

  /** `reason` follows "The answer from HOST", such as "is empty". */
  constructor(reason: string, { cause, hint }: { readonly cause?: unknown; readonly hint?: Hint | undefined } = {}) {
    super(reason, { cause });
    this.name = 'Unreadable';
    this.hint = hint;
  }
}

/** Parses JSON; returns undefined for anything else. */
export function parseIfJson(body: string | Uint8Array): unknown {
  try {
    return parseAnswer(typeof body === 'string' ? body : decodeUtf8(body));
  } catch {
    return undefined;
  }
}

/** @throws Unreadable */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Unreadable('is not UTF-8 text', { cause: error });
  }
}

/**
 * Parses JSON; integers that a JavaScript number would alter become strings of their digits.
 * @throws Unreadable
 */
export function parseAnswer(text: string): unknown {
  const { isTooDeep, hasLargeIntegers } = survey(text);
  if (isTooDeep) throw new Unreadable(`is nested deeper than ${MAX_LEVELS} levels`);
  try {
    return JSON.parse(hasLargeIntegers ? keepLargeIntegers(text) : text);
  } catch {
    // The parser's own message quotes the text, which may contain a secret.
    throw new Unreadable('is not complete JSON');
  }
}
