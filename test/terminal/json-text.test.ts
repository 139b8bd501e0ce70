import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJson, stringifyDocument } from '../../src/terminal/safe-text.ts';
import { anyCharacter, tries } from '../support/property.ts';

const layouts = fc.constantFrom(undefined, 1, 2, '\t', '\r\n ');
const values = fc.jsonValue({ maxDepth: 6, stringUnit: anyCharacter });
const harmful = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\p{Cf}\p{Zl}\p{Zp}]/u;

test('any value stays the same, without harmful characters in the text', () => {
  fc.assert(
    fc.property(values, layouts, fc.boolean(), (value, layout, indent) => {
      const text = JSON.stringify(value, null, layout);
      const shown = formatJson(text, { indent });
      expect(JSON.parse(shown)).toEqual(JSON.parse(text));
      expect(shown).not.toMatch(harmful);
    }),
    tries(1_500, 11),
  );
});

test('text without anything harmful keeps every character', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      fc.pre(!harmful.test(text));
      expect(formatJson(text)).toBe(text);
    }),
    tries(1_500, 12),
  );
});

test('an indented value looks like the output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), layouts, (value, layout) => {
      const text = JSON.stringify(value, null, layout);
      expect(formatJson(text, { indent: true })).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
    tries(1_500, 13),
  );
});

test('very deep and very long text is indented', () => {
  const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
  expect(formatJson(deep, { indent: true }).split('\n')).toHaveLength(3_999);
  const long = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => [index, '"\\']));
  expect(formatJson(long, { indent: true })).toBe(JSON.stringify(JSON.parse(long), null, 2));
});

test('numbers stay as written', () => {
  const text = '[5.00, 12345678901234567890, 1E+2, -0, 0.1e-7, 1.0]';
  expect(formatJson(text)).toBe(text);
  expect(formatJson(text, { indent: true })).toBe(
    '[\n  5.00,\n  12345678901234567890,\n  1E+2,\n  -0,\n  0.1e-7,\n  1.0\n]',
  );
});

test('only harmful characters are escaped', () => {
  expect(formatJson('{"a\u202e":"\u009b31m é 日本 \u2028 \u{e0041} \ufe0f"}')).toBe(
    '{"a\\u202e":"\\u009b31m é 日本 \\u2028 \\udb40\\udc41 \ufe0f"}',
  );
  expect(formatJson(' \t\r\n"x" ')).toBe(' \t\r\n"x" ');
});

test('a document of svc is safe for a terminal as well', () => {
  const value = { name: '\u202egnp.exe\u009b', list: [1, null], tag: '\u{e0041}' };
  const text = stringifyDocument(value);
  expect(text).toBe('{"name":"\\u202egnp.exe\\u009b","list":[1,null],"tag":"\\udb40\\udc41"}');
  expect(JSON.parse(text)).toEqual(value);
});
