import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUserJson } from '../../src/json/user-json.ts';
import { tries } from '../support/property.ts';
import { refusal } from '../support/refusal.ts';

const refused = (text: string, options = {}) => refusal(() => readUserJson(text, 'The plan', options));

test('what is not JSON is refused with the message of JSON.parse', () => {
  let message = '';
  try {
    JSON.parse('[1, 2,]');
  } catch (error) {
    message = String((error as Error).message);
  }
  expect(refused('[1, 2,]')).toBe(`The plan cannot be read as JSON: ${message}.`);
  expect(refused('["s3cret" 2]', { isSecret: true, hint: 'See x.' })).toBe('The plan cannot be read as JSON. See x.');
});

test('a name that an object has twice is refused, however it is written', () => {
  expect(refused('{"a": 1, "b": {"a": 1}, "a": 2}')).toBe(
    'The plan cannot be read as JSON: the name "a" is there twice.',
  );
  expect(refused('[{"a": 1}, {"a": 1,\n"\\u0061": 2}]')).toContain('the name "a" is there twice');
  expect(refused(`{"${'x'.repeat(100)}":1,"${'x'.repeat(100)}":2}`)).toContain(`"${'x'.repeat(80)}…"`);
});

test('objects side by side and within each other may have the same names, and names may be values', () => {
  const text = '{"a":{"a":"a","__proto__":2},"b":["a","a",{"a":1},{"a":2}],"__proto__":3}';
  expect(readUserJson(text, 'x')).toEqual(JSON.parse(text));
});

test('too deep nesting is refused before recursive code runs', () => {
  expect(readUserJson(`${'['.repeat(200)}${']'.repeat(200)}`, 'x')).toHaveLength(1);
  expect(refused('['.repeat(1_000_000))).toContain('it nests deeper than 200 levels');
});

test('a string of megabytes is read', () => {
  const long = 'ä"\\\n'.repeat(500_000);
  expect(readUserJson(JSON.stringify([long]), 'x')).toEqual([long]);
});

test('a number that JavaScript would change is refused, unless the text is sent as it is', () => {
  for (const text of ['9007199254740993', '1e400', '-1e400', '12345678901234567891']) {
    expect(refused(`{"a":[${text}]}`)).toContain(`the number ${text} cannot be sent exactly`);
    expect(refused(text, { isSecret: true })).toContain('the number cannot be sent exactly');
    expect(readUserJson(text, 'x', { isRaw: true })).toBe(Number(text));
  }
  for (const text of ['9007199254740992', '0.1', '1e21', '1000000000000000000000', '-0', '5e-324']) {
    expect(readUserJson(text, 'x')).toBe(Number(text));
  }
});

test('any JSON is read as JSON.parse reads it', () => {
  const isSame = (text: string) => expect(readUserJson(text, 'x')).toEqual(JSON.parse(text));
  fc.assert(
    fc.property(fc.json(), (text) => void isSame(text)),
    tries(3_000, 301),
  );
});
