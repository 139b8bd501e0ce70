import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonStream } from '../../src/terminal/json-stream.ts';
import { formatJson, stringifyDocument } from '../../src/terminal/json-text.ts';
import { anyCharacter, tries } from '../support/property.ts';

test('formats a whole text like a stream', async () => {
  const values = fc.jsonValue({ maxDepth: 6, stringUnit: anyCharacter });
  await fc.assert(
    fc.asyncProperty(values, fc.constantFrom(undefined, 2, '\t'), fc.boolean(), async (value, layout, indent) => {
      const text = JSON.stringify(value, null, layout);
      const streamed: Buffer[] = [];
      const stream = jsonStream({ write: async (chunk) => void streamed.push(Buffer.from(chunk)) }, { indent });
      await stream.write(Buffer.from(text));
      expect(formatJson(text, { indent })).toBe(Buffer.concat(streamed).toString());
    }),
    tries(300, 16),
  );
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
