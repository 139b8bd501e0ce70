import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskPhone, parsePhone } from '../../../src/command/values/phone.ts';
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
      '--phone is not a phone number: an optional + and 6 to 15 digits, with spaces, dots or hyphens between them. For example: --phone +2250700000000',
    );
  }
});

test('a masked number shows its last two digits at most', () => {
  expect(maskPhone('+2250700000012')).toBe('+***********12');
  expect(maskPhone('123456')).toBe('****56');
  expect(maskPhone('12345')).toBe('*****');
  expect(maskPhone('')).toBe('');
});

test('any text is a number of 6 to 15 digits or a usage error, and a mask hides it', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^\+?[0-9 .-]{4,20}$/));
  const isUsable = (input: string) => {
    const number = acceptedBy(() => parsePhone(input, '--phone'));
    return number === undefined || (/^\+?\d{6,15}$/.test(number) && /^\+?\*{4,13}\d\d$/.test(maskPhone(number)));
  };
  fc.assert(fc.property(text, isUsable), tries(3_000, 151));
});
