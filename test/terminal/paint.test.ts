import { expect, test } from 'vitest';
import { PALETTE } from '../../src/terminal/paint.ts';

/** Relative luminance (WCAG). */
function luminance([red, green, blue]: readonly [number, number, number]): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function rgbOf(code: number): readonly [number, number, number] {
  if (code >= 232) return [8 + 10 * (code - 232), 8 + 10 * (code - 232), 8 + 10 * (code - 232)];
  const part = (index: number) => (index === 0 ? 0 : 55 + 40 * index);
  const cube = code - 16;
  return [part(Math.floor(cube / 36)), part(Math.floor(cube / 6) % 6), part(cube % 6)];
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

test.each(Object.entries(PALETTE))('%s is readable on white and on near black', (_tone, code) => {
  const colour = luminance(rgbOf(code));
  expect(contrast(colour, luminance([255, 255, 255]))).toBeGreaterThan(3);
  expect(contrast(colour, luminance([30, 30, 30]))).toBeGreaterThan(3);
});
