import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HARMFUL, JOINED_EMOJI, safeLine, safeText } from '../../src/terminal/safe-text.ts';
import { anyCharacter, tries } from '../support/property.ts';

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))).map((units) => units.join('')),
  fc
    .array(fc.constantFrom(...'\u200d|👩🏾|💻|❤️|🔥|\u001b[31m|\u202e|\u200b|\r|\n|\ud800|é|\u009b|\ufeff|a'.split('|')))
    .map((parts) => parts.join('')),
);

test('no harmful character passes, and safe text stays the same', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const safe = safeLine(text);
      const apart = safe.replace(new RegExp(JOINED_EMOJI, 'gv'), '');
      expect(apart).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/,
      );
      expect(apart).not.toMatch(new RegExp(HARMFUL, 'u'));
      expect(safe).not.toMatch(/\p{Cs}/u);
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
  ['plain words, 100% of them', 'plain words, 100% of them'],
  ['Café 日本語 ไทย العربية 👍 ❤️ 🇨🇲', 'Café 日本語 ไทย العربية 👍 ❤️ 🇨🇲'],
  ['\u001b]0;title\u0007', '\\u{1b}]0;title\\u{7}'],
  ['pay\u202egnp.exe', 'pay\\u{202e}gnp.exe'],
  ['two\r\nlines\t', 'two\\u{d}\\u{a}lines\\u{9}'],
  ['a\u200bb\u00adc', 'a\\u{200b}b\\u{ad}c'],
  ['blank letters \u115f\u1160\u3164\uffa0', 'blank letters \\u{115f}\\u{1160}\\u{3164}\\u{ffa0}'],
  ['marks nobody sees \u034f\u180b\ufe00\u{e0100}', 'marks nobody sees \\u{34f}\\u{180b}\\u{fe00}\\u{e0100}'],
  ['👩🏾\u200d💻 👨\u200d👩\u200d👧 ❤️\u200d🔥 🧑\u200d⚖️', '👩🏾\u200d💻 👨\u200d👩\u200d👧 ❤️\u200d🔥 🧑\u200d⚖️'],
  ['pay\u200dpal 💻\u200d💻 👩🏾\u200d\u200d💻', 'pay\\u{200d}pal 💻\\u{200d}💻 👩🏾\\u{200d}\\u{200d}💻'],
  ['half \ud83d', 'half \\u{d83d}'],
  ['private \ue000 \u{e0041}', 'private \\u{e000} \\u{e0041}'],
])('%j is shown as %j', (text, shown) => {
  expect(safeLine(text)).toBe(shown);
});

test('text of several lines keeps only newlines and tabs', () => {
  expect(safeText('one\r\ntwo\u001b[2J\n\tthree')).toBe('one\\u{d}\ntwo\\u{1b}[2J\n\tthree');
  expect(safeText('100 %\rhidden')).toBe('100 %\\u{d}hidden');
});
