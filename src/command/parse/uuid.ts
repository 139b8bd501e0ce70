import { quoted, usageError } from '../../errors.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads a UUID in its usual form (RFC 9562) and answers it in lower case. Throws a usage error. */
export function parseUuid(text: string, field: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  throw usageError(
    `${field} ${quoted(text)} is not a UUID.`,
    'copy the whole id: 32 hexadecimal digits in groups of 8-4-4-4-12',
  );
}
