import type { Spans } from './plot.ts';

/** How values become characters: how many dots a character holds, and how its dots are written. */
export interface Pen {
  readonly dotsWide: number;
  readonly dotsHigh: number;
  /** The character for its dots, bit 0 at the top left, then down, then the next column. */
  readonly glyph: (dots: number) => string;
}

/** Eight dots in a character. */
export const braillePen: Pen = {
  dotsWide: 2,
  dotsHigh: 4,
  glyph: (dots) => (dots === 0 ? ' ' : String.fromCharCode(0x2800 + brailleBits(dots))),
};

/** One dot in a character, for terminals that know ASCII only. */
export const asciiPen: Pen = { dotsWide: 1, dotsHigh: 1, glyph: (dots) => (dots === 0 ? ' ' : '*') };

/** The drawing of a line, from the top row down. */
export function rasterize(spans: Spans, pen: Pen, rows: number, bottom: number, top: number): string[] {
  const columns = Math.ceil(spans.low.length / pen.dotsWide);
  const cells = Array.from({ length: rows }, () => new Uint8Array(columns));
  const dots = rows * pen.dotsHigh;
  const dotOf = (value: number) => {
    const share = (top - value) / (top - bottom || 1);
    return Math.min(dots - 1, Math.max(0, Math.round(share * (dots - 1))));
  };
  for (let x = 0; x < spans.low.length; x += 1) {
    const high = spans.high[x] ?? Number.NaN;
    if (Number.isNaN(high)) continue;
    const end = dotOf(spans.low[x] ?? high);
    for (let y = dotOf(high); y <= end; y += 1) {
      const row = cells[Math.floor(y / pen.dotsHigh)];
      const column = Math.floor(x / pen.dotsWide);
      const bit = (x % pen.dotsWide) * pen.dotsHigh + (y % pen.dotsHigh);
      if (row !== undefined) row[column] = (row[column] ?? 0) | (1 << bit);
    }
  }
  return cells.map((row) => Array.from(row, pen.glyph).join(''));
}

/** Braille numbers its dots 1, 2, 3, 7 down the left and 4, 5, 6, 8 down the right. */
const BRAILLE_ORDER = [0, 1, 2, 6, 3, 4, 5, 7];

function brailleBits(dots: number): number {
  return BRAILLE_ORDER.reduce((bits, place, index) => bits | (((dots >> index) & 1) << place), 0);
}
