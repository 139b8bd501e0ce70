import { isTooDeep, keepLargeIntegers, MOST_LEVELS } from '../spec/json-tokens.ts';
import { isObject } from '../spec/read.ts';
import type { Call } from './call.ts';

/** An answer that arrived whole but is not what the API gives. */
export class Unreadable extends Error {
  /** `reason` goes behind "The answer from HOST", such as "is empty". */
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'Unreadable';
  }
}

/** What is expected of a body: JSON of some kind, or anything at all. */
export interface Expected {
  readonly accept?: Call['accept'] | undefined;
  readonly contentType: string;
}

/**
 * Decodes a whole body. Apart from {@link readValue}, so that the caller can let go of the bytes in between: those of a
 * large answer weigh as much as its text.
 * @throws Unreadable when it is empty or not UTF-8, unless anything may come.
 */
export function readText(bytes: Uint8Array, expected: Expected): string {
  if (mayBeAnything(bytes, expected)) return new TextDecoder().decode(bytes);
  if (bytes.length === 0) throw new Unreadable('is empty');
  return decode(bytes);
}

/**
 * Reads the JSON that the call expects: an object unless it says otherwise. Integers that a number cannot hold are
 * strings of their digits. Where anything may come, the value is `undefined` when the answer does not call itself JSON
 * and is none.
 * @throws Unreadable for everything else.
 */
export function readValue(text: string, expected: Expected): unknown {
  const { accept = 'object' } = expected;
  if (mayBeAnything(text, expected)) return parseIfJson(text);
  const value = parse(text);
  if (accept === 'anything' || isObject(value) || (accept === 'object_or_array' && Array.isArray(value))) return value;
  throw new Unreadable('is JSON, but not the object that was expected');
}

function mayBeAnything(body: Uint8Array | string, { accept, contentType }: Expected): boolean {
  return accept === 'anything' && (body.length === 0 || !/\bjson\b/i.test(contentType));
}

function parseIfJson(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Unreadable('is not UTF-8 text', error);
  }
}

function parse(text: string): unknown {
  if (isTooDeep(text)) throw new Unreadable(`is nested deeper than ${MOST_LEVELS} levels`);
  try {
    return JSON.parse(keepLargeIntegers(text));
  } catch {
    // The parser's own message quotes the text, which may hold a secret.
    throw new Unreadable('is not JSON, or not all of it');
  }
}
