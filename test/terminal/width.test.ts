import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clustersOf, fitting, widthOf } from '../../src/terminal/layout/flow.ts';
import { safeLine } from '../../src/terminal/safe-text.ts';
import { tries } from '../support/property.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['é', 1],
  ['e\u0301', 1],
  ['日本語', 6],
  ['ｆｕｌｌ', 8],
  ['한국어', 6],
  ['\u1112\u1161\u11ab', 2],
  ['กำลัง', 4],
  ['שָׁלוֹם', 4],
  ['👍', 2],
  ['👍🏽', 2],
  ['❤️', 2],
  ['🇨🇲', 2],
  ['→ • ✓ …', 7],
])('%s takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('the start that fits is as long as possible and ends between characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (raw, columns) => {
      const text = safeLine(raw);
      const fit = fitting(text, columns);
      expect(fit.width).toBeLessThanOrEqual(columns);
      expect(text.startsWith(fit.text)).toBe(true);
      const clusters = clustersOf(text);
      const kept = clustersOf(fit.text).length;
      expect(clusters.slice(0, kept).join('')).toBe(fit.text);
      if (kept < clusters.length) expect(widthOf(clusters.slice(0, kept + 1).join(''))).toBeGreaterThan(columns);
    }),
    tries(3_000, 51),
  );
});

test('long text is split into the same clusters as by one segmenter call', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const odd = fc.constantFrom('🇨🇲', 'e\u0301', '👩‍👩‍👧', 'क्षि', '각', '\u{1f1e8}');
  const part = fc.oneof(fc.string({ unit: 'grapheme' }), odd);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (parts, times) => {
      const text = parts.join('').repeat(times);
      expect(clustersOf(text)).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
    }),
    tries(200, 52),
  );
});

test('simple text is split as the segmenter would', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const wrong: string[] = [];
  for (let code = 0x20; code <= 0xffff; code += 1) {
    const text = `a${String.fromCharCode(code)}b`;
    if (safeLine(text) !== text) continue;
    const segments = Array.from(segmenter.segment(text), ({ segment }) => segment);
    if (clustersOf(text).join('|') !== segments.join('|')) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
