import { createHash, randomBytes, randomInt } from 'node:crypto';
import { SANDBOX_TOKEN_PREFIX, TOKEN_LIFETIME_MS } from '../src/contract/operations.ts';
import type { Credential } from './state.ts';

/** Letters and digits without vowels, so that no words arise, and without those that look alike. */
const ID_ALPHABET = '23456789bcdfghjkmnpqrstvwxz';

/** SHA-256 in hex. */
export function hashSecret(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A new identifier: the prefix, `_` and 14 random characters. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(14, ID_ALPHABET)}`;
}

/** Random characters of an alphabet. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/**
 * Creates a token or a session for 90 days. The secret is not stored, and its text says that it is
 * fake.
 */
export function createCredential(
  kind: Credential['kind'],
  name: string,
  now: number,
): { secret: string; credential: Credential } {
  const secret = `${SANDBOX_TOKEN_PREFIX}fake_${kind}_${randomBytes(12).toString('hex')}`;
  const credential: Credential = {
    id: newId(kind === 'token' ? 'tok' : 'ses'),
    kind,
    hash: hashSecret(secret),
    name,
    createdAt: now,
    expiresAt: now + TOKEN_LIFETIME_MS,
  };
  return { secret, credential };
}

/** Masks a phone number but for its first three and last two digits. */
export function maskedPhone(phone: string): string {
  const [, plus = '', digits = ''] = /^(\+?)(\d*)$/.exec(phone) ?? [];
  return `${plus}${digits.slice(0, 3)}${'*'.repeat(Math.max(0, digits.length - 5))}${digits.slice(3).slice(-2)}`;
}
