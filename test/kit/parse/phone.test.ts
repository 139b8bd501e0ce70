import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPhone, maskPhone, parsePhone } from '../../../src/kit/values/phone.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

test('spaces, dots and hyphens are taken out, the plus stays', () => {
  expect(parsePhone('+225 07-00.00 00 00', '--phone')).toBe('+2250700000000');
  expect(parsePhone('123456', '--phone')).toBe('123456');
  expect(parsePhone('123456789012345', '--phone')).toBe('123456789012345');
});

test('anything else is refused, and the number is never repeated', () => {
  const odd = [
    '',
    '+',
    '12345',
    '1234567890123456',
    '++123456',
    '123456+',
    '(225) 070000',
    '٠١٢٣٤٥٦٧',
    '０７００００００',
  ];
  for (const text of [...odd, '0700O00000', '0700\u00a0000000', '0700\n000000', '07/00/00/00']) {
    expect(refusal(() => parsePhone(text, '--phone'))).toBe(
      '--phone is not a phone number: an optional + and 6 to 15 digits, with spaces, dots or hyphens between them. For example: --phone +237670000042',
    );
  }
});

test('a masked number shows its country and its last two digits at most', () => {
  expect(maskPhone('+2250700000012')).toBe('+225********12');
  expect(maskPhone('123456')).toBe('****56');
  expect(maskPhone('12345')).toBe('*****');
  expect(maskPhone('')).toBe('');
});

test('a number for people is in groups', () => {
  expect(formatPhone('+237670000042')).toBe('+237 670 000 042');
  expect(formatPhone('+12025550142')).toBe('+1 202 555 0142');
  expect(formatPhone('670000042')).toBe('670 000 042');
});

test('any text is a number of 6 to 15 digits or a usage error, and a mask hides it', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^\+?[0-9 .-]{4,20}$/));
  const isUsable = (input: string) => {
    const number = acceptedBy(() => parsePhone(input, '--phone'));
    return number === undefined || (/^\+?\d{6,15}$/.test(number) && /^(\+\d{1,3})?\*+(\d\d)?$/.test(maskPhone(number)));
  };
  fc.assert(fc.property(text, isUsable), tries(3_000, 151));
});
