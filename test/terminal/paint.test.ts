import { expect, test } from 'vitest';
import { DIM } from '../../src/terminal/layout/text.ts';
import { render } from '../../src/terminal/render.ts';
import { code, createScreen, link, state } from '../../src/terminal/screen.ts';
import { testView } from './gallery.ts';

/** Relative luminance (WCAG). */
function luminance([red, green, blue]: readonly [number, number, number]): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function greyOf(code: number): readonly [number, number, number] {
  const part = 8 + 10 * (code - 232);
  return [part, part, part];
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

test('the grey is readable on white and on near black', () => {
  const grey = luminance(greyOf(DIM));
  expect(contrast(grey, luminance([255, 255, 255]))).toBeGreaterThan(3);
  expect(contrast(grey, luminance([30, 30, 30]))).toBeGreaterThan(3);
});

test('on every terminal with colours, all but the grey are the sixteen of its theme, as in prompts and spinners', async () => {
  const screen = createScreen();
  screen.success(['done ', state('failed'), state('pending'), code('svc'), link('https://example.com')]);
  const shown = [1, 2, 3].map((colorLevel) => render(screen.blocks, testView({ colorLevel: colorLevel as 1 | 2 | 3 })));
  const [first = '', ...others] = await Promise.all(shown);
  expect(others).toEqual([first, first]);
  expect([...new Set(first.match(/\u001b\[3\d[\d;]*m/g))].sort()).toEqual(
    [31, 32, 33, 36, 39].map((number) => `\u001b[${number}m`),
  );
});
