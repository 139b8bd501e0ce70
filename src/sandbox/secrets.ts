import { createHash, randomBytes } from 'node:crypto';
import { SANDBOX_TOKEN_PREFIX, TOKEN_LIFETIME_MS } from '../spec/operations.ts';
import type { Credential } from './state.ts';

/** No vowels, so that no word appears by chance, and nothing that looks like something else. */
const ID_ALPHABET = '23456789bcdfghjkmnpqrstvwxz';

/** The SHA-256 of a text, in hex. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A new identifier: the prefix, `_`, and 14 random characters. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(14, ID_ALPHABET)}`;
}

/** Random characters of an alphabet of at most 256, each as likely as any other. */
export function randomText(length: number, alphabet: string): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/** Mints a token or a session that lives 90 days. The secret exists only in the result; its text says that it is fake. */
export function mint(kind: Credential['kind'], name: string, now: number): { secret: string; credential: Credential } {
  const secret = `${SANDBOX_TOKEN_PREFIX}fake_${kind}_${randomBytes(20).toString('hex')}`;
  const credential: Credential = {
    id: newId(kind === 'token' ? 'tok' : 'ses'),
    kind,
    hash: hashOf(secret),
    name,
    createdAt: now,
    expiresAt: now + TOKEN_LIFETIME_MS,
  };
  return { secret, credential };
}

/** A phone number of which only the first three digits and the last two can be read. */
export function maskedPhone(phone: string): string {
  const [, plus = '', digits = ''] = /^(\+?)(\d*)$/.exec(phone) ?? [];
  return `${plus}${digits.slice(0, 3)}${'*'.repeat(Math.max(0, digits.length - 5))}${digits.slice(3).slice(-2)}`;
}
