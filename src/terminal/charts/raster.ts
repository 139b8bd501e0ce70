import type { Spans } from './plot.ts';

/** A character has `dotsWide` × `dotsHigh` dots; bit 0 of `cell` is the top left, counting down, then right. */
const UNICODE = {
  dotsWide: 2,
  dotsHigh: 4,
  cell: (dots: number) => (dots === 0 ? ' ' : String.fromCharCode(0x2800 + brailleBits(dots))),
  ...{ tick: ' ┤', wall: ' │', corner: ' └', floor: '─', mark: '┬' },
};
type Glyphs = typeof UNICODE;
const ASCII: Glyphs = {
  dotsWide: 1,
  dotsHigh: 1,
  cell: (dots) => (dots === 0 ? ' ' : '*'),
  ...{ tick: ' +', wall: ' |', corner: ' +', floor: '-', mark: '+' },
};

/** Returns the characters that the terminal has for plots and axes. */
export function glyphsOf({ unicode }: { readonly unicode: boolean }): Glyphs {
  return unicode ? UNICODE : ASCII;
}

/** Returns the rows of characters from the top down. */
export function rasterize(spans: Spans, glyphs: Glyphs, rows: number, bottom: number, top: number): string[] {
  const { dotsWide, dotsHigh } = glyphs;
  const cells = Array.from({ length: rows }, () => new Uint8Array(Math.ceil(spans.low.length / dotsWide)));
  const dots = rows * dotsHigh;
  const dotOf = (value: number) => {
    const share = (top - value) / (top - bottom || 1);
    return Math.min(dots - 1, Math.max(0, Math.round(share * (dots - 1))));
  };
  for (let x = 0; x < spans.low.length; x += 1) {
    const high = spans.high[x] ?? Number.NaN;
    if (Number.isNaN(high)) continue;
    const end = dotOf(spans.low[x] ?? high);
    for (let y = dotOf(high); y <= end; y += 1) {
      const row = cells[Math.floor(y / dotsHigh)];
      const column = Math.floor(x / dotsWide);
      const bit = (x % dotsWide) * dotsHigh + (y % dotsHigh);
      if (row !== undefined) row[column] = (row[column] ?? 0) | (1 << bit);
    }
  }
  return cells.map((row) => Array.from(row, glyphs.cell).join(''));
}

/** Braille numbers its dots 1, 2, 3, 7 down the left and 4, 5, 6, 8 down the right. */
const BRAILLE_ORDER = [0, 1, 2, 6, 3, 4, 5, 7];

function brailleBits(dots: number): number {
  return BRAILLE_ORDER.reduce((bits, place, index) => bits | (((dots >> index) & 1) << place), 0);
}
