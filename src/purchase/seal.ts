import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the body of a purchase with the sign-in that pays it, so that the journal holds no phone number in clear and
 * another process can still send the same bytes: who has the token may order anyway. The key is bound to the purchase
 * (HKDF, RFC 5869), and an altered text does not open (AES-GCM).
 */
export function seal(text: string, token: string, purchaseKey: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(token, purchaseKey), iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** The text that was sealed; `undefined` with another token, for another purchase, or where it was altered. */
export function unseal(sealed: string, token: string, purchaseKey: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(token, purchaseKey), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(token: string, purchaseKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, purchaseKey, 'svc purchase', KEY_BYTES));
}
