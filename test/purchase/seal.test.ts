import { expect, test } from 'vitest';
import { seal, unseal } from '../../src/purchase/seal.ts';

const TOKEN = 'svc_CANARY_0123456789abcdef';
const BODY = '{"mobileMoneyPhone":"+237670000042","label":"é"}';

test('what was sealed opens with the same token for the same purchase', () => {
  expect(unseal(seal(BODY, TOKEN, 'k1'), TOKEN, 'k1')).toBe(BODY);
});

test('it shows nothing of what is inside, and never looks the same twice', () => {
  const sealed = seal(BODY, TOKEN, 'k1');
  const bytes = Buffer.from(sealed, 'base64url').toString('latin1');
  expect(bytes).not.toContain('670000042');
  expect(bytes).not.toContain(TOKEN);
  expect(seal(BODY, TOKEN, 'k1')).not.toBe(sealed);
});

test('another token, another purchase and any altered bit do not open it', () => {
  const sealed = seal(BODY, TOKEN, 'k1');
  expect(unseal(sealed, `${TOKEN}0`, 'k1')).toBeUndefined();
  expect(unseal(sealed, TOKEN, 'k2')).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const altered = Buffer.from(bytes);
    altered[index] = (altered[index] ?? 0) ^ 1;
    expect(unseal(altered.toString('base64url'), TOKEN, 'k1')).toBeUndefined();
  }
  for (const text of ['', 'AAAA', 'not sealed at all']) expect(unseal(text, TOKEN, 'k1')).toBeUndefined();
});
