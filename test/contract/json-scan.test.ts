import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkJson,
  keepLargeIntegers,
  keepNumbers,
  replaceNumbers,
  survey,
} from '../../src/json/scan.ts';
import { tries } from '../support/property.ts';

test.each([
  ['{"id":9007199254740993}', '{"id":"9007199254740993"}'],
  ['[-12345678901234567890,1]', '["-12345678901234567890",1]'],
  ['{"a":9007199254740991}', '{"a":9007199254740991}'],
  [
    '{"12345678901234567890":"\\" 9007199254740993"}',
    '{"12345678901234567890":"\\" 9007199254740993"}',
  ],
])('%s is read as %s', (text, kept) => {
  expect(keepLargeIntegers(text)).toBe(kept);
});

test('every digit of an integer of any size is kept', () => {
  const keptDigits = (text: string) =>
    String((JSON.parse(keepLargeIntegers(text)) as { id: unknown }).id);
  fc.assert(fc.property(fc.bigInt(), (id) => keptDigits(`{"id":${id}}`) === String(id)));
});

test('a number that JavaScript would write otherwise is kept as text, and no other', () => {
  const kept = '["5.00","1e400","-0","1.10",0.1,1e-7,"1E5","12345678901234567890"]';
  expect(keepNumbers('[5.00,1e400,-0,1.10,0.1,1e-7,1E5,12345678901234567890]')).toBe(kept);
  const plain = '{"5.00":"1.10 \\" 5.00","a":[1,-2.5,null,true]}';
  expect(keepNumbers(plain)).toBe(plain);
});

test('numbers are replaced, and nothing else is', () => {
  const marked = (text: string) =>
    JSON.stringify(
      JSON.parse(text, (_name, value) => (typeof value === 'number' ? 'number' : value)),
    );
  const replaced = (text: string) =>
    JSON.stringify(JSON.parse(replaceNumbers(text, () => '"number"')));
  fc.assert(fc.property(fc.json(), (text) => replaced(text) === marked(text)));
});

test.each(['a', '\\"'])('a string of %j may have megabytes', (piece) => {
  const text = `{"id":12345678901234567890,"note":"${piece.repeat(4_900_000)}","price":5.00}`;
  expect(
    keepLargeIntegers(text) === text.replace('12345678901234567890', '"12345678901234567890"'),
  ).toBe(true);
  expect(keepNumbers(text).endsWith('"price":"5.00"}')).toBe(true);
});

test.each([
  ['['.repeat(200), { isTooDeep: false, hasLargeIntegers: false }],
  ['[{'.repeat(1_000_000), { isTooDeep: true, hasLargeIntegers: false }],
  ['[]'.repeat(300), { isTooDeep: false, hasLargeIntegers: false }],
  [`"${'['.repeat(300)}`, { isTooDeep: false, hasLargeIntegers: false }],
  [
    '[9007199254740991,0.12345678901234567,"12345678901234567"]',
    { isTooDeep: false, hasLargeIntegers: false },
  ],
  ['[-9007199254740993]', { isTooDeep: false, hasLargeIntegers: true }],
  ['[9007199254740993]', { isTooDeep: false, hasLargeIntegers: true }],
])('a survey of %#', (text, found) => {
  expect(survey(text)).toEqual(found);
});

test('a checked text is JSON if it can be parsed', () => {
  const pieces = fc.constantFrom(...',[]{}:"0x-.\t\n\\\0', 'e+', '\\u00e', 'null');
  const near = fc.tuple(fc.json(), fc.nat(), fc.nat(4), pieces).map(([text, at, length, piece]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + piece + text.slice(start + length);
  });
  const saysTheSame = (text: string) => accepts(checkJson, text) === accepts(JSON.parse, text);
  fc.assert(fc.property(fc.oneof(fc.json(), near), saysTheSame), tries(5_000, 541));
});

test.each([
  ...[
    '',
    '[1,2,]',
    '[1,,2]',
    '[1,2',
    '[1,2]]',
    '[{"a":}]',
    '[1,2}',
    '{"a"}',
    '{"a":1,}',
    '{a:1}',
    '01',
    '-',
  ],
  ...['1.', '1e+', '+1', '"a', '"\\x"', '"\\u12g4"', '"\n"', 'nul', 'nullx', '1 2', '\u00a01'],
  '['.repeat(201) + ']'.repeat(201),
])('%j is no JSON, or nests too deep', (text) => {
  expect(accepts(checkJson, text)).toBe(false);
});

function accepts(check: (text: string) => unknown, text: string): boolean {
  try {
    check(text);
    return true;
  } catch {
    return false;
  }
}
