import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatJson,
  HARMFUL,
  JOINED_EMOJI,
  safeLine,
  safeText,
  stringifyDocument,
} from '../../src/terminal/safe-text.ts';
import { anyCharacter, tries } from '../support/property.ts';

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)))
    .map((units) => units.join('')),
  fc
    .array(
      fc.constantFrom(
        ...'\u200d|👩🏾|💻|❤️|🔥|\u001b[31m|\u202e|\u200b|\r|\n|\ud800|é|\u009b|\ufeff|a'.split('|'),
      ),
    )
    .map((parts) => parts.join('')),
);
const harmful =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

test('no harmful character passes, and safe text stays the same', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const safe = safeLine(text);
      const apart = safe.replace(new RegExp(JOINED_EMOJI, 'gv'), '');
      expect(apart).not.toMatch(harmful);
      expect(apart).not.toMatch(new RegExp(HARMFUL, 'u'));
      expect(apart).not.toMatch(/\p{Cc}/u);
      expect(safeLine(safe)).toBe(safe);
    }),
    tries(20_000, 21),
  );
});

test('every character is shown as itself or as its code', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 7) {
    const number = code.toString(16);
    const character = String.fromCodePoint(code);
    if (![character, `\\u{${number}}`].includes(safeLine(character))) wrong.push(number);
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['Café 日本語 ไทย العربية 👍 ❤️ 🇨🇲', 'Café 日本語 ไทย العربية 👍 ❤️ 🇨🇲'],
  ['\u001b]0;title\u0007', '\\u{1b}]0;title\\u{7}'],
  ['blank letters \u115f\u1160\u3164\uffa0', 'blank letters \\u{115f}\\u{1160}\\u{3164}\\u{ffa0}'],
  [
    'marks nobody sees \u034f\u180b\ufe00\u{e0100}',
    'marks nobody sees \\u{34f}\\u{180b}\\u{fe00}\\u{e0100}',
  ],
  ['👩🏾\u200d💻 👨\u200d👩\u200d👧 ❤️\u200d🔥', '👩🏾\u200d💻 👨\u200d👩\u200d👧 ❤️\u200d🔥'],
  [
    'pay\u200dpal 💻\u200d💻 👩🏾\u200d\u200d💻',
    'pay\\u{200d}pal 💻\\u{200d}💻 👩🏾\\u{200d}\\u{200d}💻',
  ],
  ['half \ud83d, private \ue000', 'half \\u{d83d}, private \\u{e000}'],
])('%j is shown as %j', (text, shown) => {
  expect(safeLine(text)).toBe(shown);
});

test('text of several lines keeps only newlines and tabs', () => {
  expect(safeText('one\r\ntwo\u001b[2J\n\tthree')).toBe('one\\u{d}\ntwo\\u{1b}[2J\n\tthree');
  expect(safeText('100 %\rhidden')).toBe('100 %\\u{d}hidden');
});

test('any JSON stays the same value, without harmful characters in its text, in any layout', () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 6, stringUnit: anyCharacter }),
    fc.jsonValue({ maxDepth: 6 }),
  );
  fc.assert(
    fc.property(
      values,
      fc.constantFrom(undefined, 2, '\t', '\r\n '),
      fc.boolean(),
      (value, layout, indent) => {
        const text = JSON.stringify(value, null, layout);
        const shown = formatJson(text, { indent });
        expect(shown).not.toMatch(harmful);
        expect(JSON.stringify(JSON.parse(shown))).toBe(JSON.stringify(JSON.parse(text)));
        expect(JSON.stringify(JSON.parse(stringifyDocument(value)))).toBe(
          JSON.stringify(JSON.parse(text)),
        );
        if (/^[\t\n\r\x20-\x7e]*$/.test(text))
          expect(shown).toBe(indent ? JSON.stringify(JSON.parse(text), null, 2) : text);
      },
    ),
    tries(1_500, 11),
  );
});

test('in JSON numbers stay as written, and only harmful characters are escaped', () => {
  const text = '[5.00, 12345678901234567890, 1E+2, -0, 0.1e-7]';
  expect(formatJson(text)).toBe(text);
  expect(formatJson(text, { indent: true })).toBe(
    '[\n  5.00,\n  12345678901234567890,\n  1E+2,\n  -0,\n  0.1e-7\n]',
  );
  expect(formatJson('{"a\u202e\u2028":"\u009b31m é 日本 \u{e0041} \ufe0f"}')).toBe(
    '{"a\\u202e\\u2028":"\\u009b31m é 日本 \\udb40\\udc41 \ufe0f"}',
  );
  expect(stringifyDocument({ name: '\u202e\u009b' })).toBe('{"name":"\\u202e\\u009b"}');
});
