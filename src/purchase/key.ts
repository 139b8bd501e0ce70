import { randomUUID } from 'node:crypto';
import { quoted, usageError } from '../errors.ts';

/** A header carries printable ASCII; white space around it would be trimmed on the way and make another key of it. */
const CARRIABLE = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** A new idempotency key: a UUID, version 4. */
export function newKey(): string {
  return randomUUID();
}

/** Reads an idempotency key that a user chose: 1 to 255 characters of printable ASCII. Throws a usage error. */
export function parseKey(text: string, field: string): string {
  if (CARRIABLE.test(text)) return text;
  throw usageError(
    `${field} ${quoted(text)} is not 1 to 255 printable ASCII characters without spaces around them.`,
    `${field} ${newKey()}`,
  );
}
