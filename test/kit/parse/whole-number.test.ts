import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuantity, parseWholeNumber } from '../../../src/kit/values/number.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

test('a number within its bounds is read', () => {
  expect([parseQuantity('1', '--quantity'), parseQuantity('9007199254740991', '--quantity')]).toEqual([
    1, 9007199254740991,
  ]);
  expect(parseWholeNumber('0', '--port', { min: 0, max: 65_535 })).toBe(0);
});

test('any other way to write a number is refused', () => {
  for (const text of [
    '',
    '0',
    '9007199254740992',
    '1e3',
    '0x2',
    '01',
    '+1',
    '-1',
    '1.0',
    ' 1',
    '1 ',
    '１',
    '1_0',
    'NaN',
    'Infinity',
  ]) {
    expect(refusal(() => parseQuantity(text, '--quantity'))).toBe(
      `--quantity ${JSON.stringify(text)} is not a whole number from 1 to 9007199254740991. For example: --quantity 1`,
    );
  }
});

test('any text is a number within its bounds or a usage error', () => {
  const isUsable = (text: string) => {
    const value = acceptedBy(() => parseQuantity(text, '--quantity'));
    return value === undefined || (String(value) === text && value >= 1);
  };
  fc.assert(fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9ex.+-]{0,5}$/)), isUsable), tries(2_000, 211));
});
