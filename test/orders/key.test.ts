import { expect, test } from 'vitest';
import { newKey, parseOrderKey } from '../../src/orders/order.ts';

test('a new key is a UUID of version 4, and another one each time', () => {
  expect(newKey()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newKey()).not.toBe(newKey());
});

test('a chosen key is what a header carries unchanged', () => {
  for (const key of ['a', 'order 2026/03 #7', '~'.repeat(255)])
    expect(parseOrderKey(key, '--idempotency-key')).toBe(key);
  for (const key of ['', ' a', 'a ', 'a\n', 'a\tb', 'clé', 'a\r\nX-Evil: 1', '~'.repeat(256), 'a\u007f']) {
    expect(() => parseOrderKey(key, '--idempotency-key'), JSON.stringify(key)).toThrow(
      /^--idempotency-key ".*" is not 1 to 255 printable ASCII characters without spaces around them\.$/s,
    );
  }
});
