import fc from 'fast-check';
import widthOf from 'fast-string-width';
import { expect, test } from 'vitest';
import { fold, maxWidth } from '../../src/terminal/layout/text.ts';
import { safeLine } from '../../src/terminal/safe-text.ts';
import { tries } from '../support/property.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['e\u0301', 1],
  ['日本語', 6],
  ['กำลัง', 4],
  ['שָׁלוֹם', 4],
  ['👍🏽', 2],
  ['❤️', 2],
  ['🇨🇲', 2],
  ['→ • ✓ …', 7],
])('%s takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('a folded text keeps every character, in lines that fit', () => {
  const width = fc.integer({ min: 2, max: 20 });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), width, (raw, columns) => {
      const text = safeLine(raw);
      const lines = fold(text, columns);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      expect(maxWidth(lines)).toBeLessThanOrEqual(columns);
    }),
    tries(3_000, 51),
  );
});
