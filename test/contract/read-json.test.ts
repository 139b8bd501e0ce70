import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUserJson } from '../../src/json/user-json.ts';
import { RawJson, toJsonText } from '../../src/json/values.ts';
import { tries } from '../support/property.ts';
import { refusal } from '../support/refusal.ts';

const NESTED = '['.repeat(200) + ']'.repeat(200);

test.each([
  ['[1, 2,]', 'The plan cannot be read as JSON: '],
  ['{"a": 1, "b": {"a": 1}, "a": 2}', 'the name "a" is there twice'],
  ['[{"a": 1}, {"a": 1,\n"\\u0061": 2}]', 'the name "a" is there twice'],
  ['['.repeat(1_000_000), 'it nests deeper than 200 levels'],
  ['{"a":[9007199254740993]}', 'the number 9007199254740993 cannot be sent exactly'],
  ['-1e400', 'the number -1e400 cannot be sent exactly'],
])('%.40s is refused: %s', (text, said) => {
  expect(refusal(() => readUserJson(text, 'The plan'))).toContain(said);
});

test('a refusal does not repeat what may be secret', () => {
  for (const text of ['["s3cret" 2]', '1234567890123456789']) {
    expect(refusal(() => readUserJson(text, 'The plan', { isSecret: true }))).not.toMatch(
      /s3cret|123/,
    );
  }
});

test('a number that JavaScript would change may be sent as it is', () => {
  expect(readUserJson('9007199254740993', 'x', { isRaw: true })).toBe(9007199254740992);
});

test.each([
  '{"a":{"a":"a","__proto__":2},"b":["a","a",{"a":1},{"a":2}],"__proto__":3}',
  NESTED,
  ...['9007199254740992', '0.1', '1e21', '-0', '5e-324'],
  JSON.stringify('ä"\\\n'.repeat(500_000)),
])('%.40s is read as JSON.parse reads it', (text) => {
  expect(readUserJson(text, 'x')).toEqual(JSON.parse(text));
});

test('any JSON is read as JSON.parse reads it', () => {
  const isSame = (text: string) => expect(readUserJson(text, 'x')).toEqual(JSON.parse(text));
  fc.assert(
    fc.property(fc.json(), (text) => void isSame(text)),
    tries(3_000, 301),
  );
});

test('raw JSON is written unchanged at every level, anything else as JSON.stringify does', () => {
  const big = new RawJson('12345678901234567890');
  const text = '{"a":[12345678901234567890,{"b":1.10}],"c": { "x" : 1 } }';
  expect(
    toJsonText({ a: [big, { b: new RawJson('1.10') }], c: new RawJson(' { "x" : 1 } ') }),
  ).toBe(text);
  const odd = [
    { a: undefined, b: new Date(0), toJSON: 'x', __proto__: null },
    undefined,
    -0,
    '\ud800',
    Number.NaN,
  ];
  expect(toJsonText(odd)).toBe(JSON.stringify(odd));
  expect(toJsonText(JSON.parse('{"__proto__":{"toJSON":1}}'))).toBe('{"__proto__":{"toJSON":1}}');
  fc.assert(fc.property(fc.jsonValue(), (value) => toJsonText(value) === JSON.stringify(value)));
});
