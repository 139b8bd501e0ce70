import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RawJson, toJsonText } from '../../src/json/raw-json.ts';

test('raw JSON is written unchanged at every level', () => {
  const big = new RawJson('12345678901234567890');
  expect(toJsonText(big)).toBe('12345678901234567890');
  expect(toJsonText({ a: [big, { b: new RawJson('1.10') }], c: new RawJson(' { "x" : 1 } ') })).toBe(
    '{"a":[12345678901234567890,{"b":1.10}],"c": { "x" : 1 } }',
  );
  expect(toJsonText({ text: '1' })).toBe('{"text":"1"}');
});

test('JSON.stringify writes the value of raw JSON', () => {
  expect(JSON.stringify({ a: new RawJson('1.10') })).toBe('{"a":1.1}');
});

test('anything else is written as JSON.stringify does', () => {
  const odd = [
    { a: undefined, b: new Date(0), toJSON: 'x', __proto__: null },
    undefined,
    -0,
    '\ud800',
    Number.NaN,
    null,
  ];
  expect(toJsonText(odd)).toBe(JSON.stringify(odd));
  expect(toJsonText(JSON.parse('{"__proto__":{"toJSON":1}}'))).toBe('{"__proto__":{"toJSON":1}}');
  fc.assert(fc.property(fc.jsonValue(), (value) => toJsonText(value) === JSON.stringify(value)));
});
