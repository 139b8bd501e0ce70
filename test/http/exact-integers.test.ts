import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepLargeIntegers } from '../../src/http/exact-integers.ts';

test.each([
  ['{"id":9007199254740993}', '{"id":"9007199254740993"}'],
  ['[-12345678901234567890,1]', '["-12345678901234567890",1]'],
  ['{"a":9007199254740991}', '{"a":9007199254740991}'],
  ['{"a":0.12345678901234567890,"b":1234567890123456789e2}', '{"a":0.12345678901234567890,"b":1234567890123456789e2}'],
  [
    '{"12345678901234567890":"9007199254740993 \\" 9007199254740993"}',
    '{"12345678901234567890":"9007199254740993 \\" 9007199254740993"}',
  ],
])('%s is read as %s', (text, kept) => {
  expect(keepLargeIntegers(text)).toBe(kept);
});

test('text without a large integer is left as it is', () => {
  const withoutLarge = fc.json().filter((text) => !/\d{16,}(?![\d.eE])/.test(text));
  fc.assert(fc.property(withoutLarge, (text) => keepLargeIntegers(text) === text));
});

test('every digit of an integer of any size is kept', () => {
  const integer = fc.bigInt();
  const keptDigits = (text: string) => String((JSON.parse(keepLargeIntegers(text)) as { id: unknown }).id);
  fc.assert(fc.property(integer, (id) => keptDigits(`{"id":${id}}`) === String(id)));
});
