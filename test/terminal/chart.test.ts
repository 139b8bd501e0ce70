import { expect, test } from 'vitest';
import { sparkline } from '../../src/terminal/charts/drawings.ts';
import { spansOf, timeOf } from '../../src/terminal/charts/plot.ts';
import { render } from '../../src/terminal/render.ts';
import type { Chart } from '../../src/terminal/screen.ts';
import type { View } from '../../src/terminal/terminal.ts';
import { chartOf, testView } from './gallery.ts';

const MINUTE = 60_000;

function every(minutes: number, values: readonly (number | undefined)[]): Chart['points'][number][] {
  return values.map((value, index) => ({ time: index * minutes * MINUTE, value }));
}

function spans(points: Chart['points'], columns: number) {
  return spansOf({ points, longestStepMs: 3 * MINUTE }, columns, timeOf([{ points }]));
}

async function draw(points: Chart['points'], more: Partial<View> = {}): Promise<string[]> {
  return drawAll({ x: points }, { unicode: false, ...more });
}

async function drawAll(series: Readonly<Record<string, Chart['points']>>, more: Partial<View>, all?: string) {
  const charts = Object.entries(series).map(([name, points]) => chartOf(name, points));
  return (await render([{ kind: 'charts', charts, options: { all } }], testView(more))).split('\n');
}

test('a single peak among many values is kept', () => {
  const values = Array.from({ length: 100_000 }, () => 1);
  values[50_000] = 900;
  const { high } = spans(every(1, values), 100);
  expect(Math.max(...high)).toBe(900);
  expect([...high].filter((value) => value > 1).length).toBeLessThanOrEqual(3);
});

test('missing values and missing points both leave a gap', () => {
  const points = every(1, [1, 1, 1, undefined, undefined, undefined, undefined, 1, 1, 1, 1]);
  const missing = spans(points, 11);
  const absent = spans(
    points.filter(({ value }) => value),
    11,
  );
  const gaps = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0];
  expect([...missing.high].map((value) => Number(Number.isNaN(value)))).toEqual(gaps);
  expect([...absent.high].map((value) => Number(Number.isNaN(value)))).toEqual(gaps);
});

test('few points on many columns are joined without holes', () => {
  const { low, high } = spans(every(1, [0, 10, 5]), 41);
  expect(high.every((value) => !Number.isNaN(value))).toBe(true);
  for (let column = 1; column < 41; column += 1) {
    expect(low[column]).toBeLessThanOrEqual((high[column - 1] ?? 0) + 1e-9);
    expect(high[column]).toBeGreaterThanOrEqual((low[column - 1] ?? 0) - 1e-9);
  }
});

test('a rising line is drawn from the lower left to the upper right', async () => {
  const lines = await draw(every(1, [0, 1, 2, 3, 4]), { columns: 24 });
  expect(lines).toEqual([
    '  x  last 4',
    '  4 +                 **',
    '    |              ****',
    '  3 +            ***',
    '    |          ***',
    '  2 +        ***',
    '    |      ***',
    '  1 +    ***',
    '    | ****',
    '  0 +**',
    '    ++------------------',
    '     1 Jan',
    '',
  ]);
});

test('a line that never changes is drawn, and its title says so once', async () => {
  const lines = await draw(every(1, [5, 5, 5]), { columns: 30 });
  expect(lines[0]).toBe('  x  always 5');
  expect(lines.filter((line) => line.includes('***')).length).toBe(1);
  expect((await draw(every(1, [5, 5, 5]), { accessible: true }))[0]?.trim()).toBe('x  always 5');
});

test('a chart without room or for a screen reader is described in words', async () => {
  const start = Date.UTC(2026, 0, 1);
  const now = start + 60 * MINUTE;
  const points = every(60, [1, 2, undefined, 3]).map(({ time, value }) => ({ time: start + time, value }));
  const words = 'x from 00:00 UTC to 03:00: lowest 1, average 2, 95% up to 3, highest 3, last 3.';
  const inWords = await draw(points, { accessible: true, columns: 200, now });
  expect(inWords[0]?.trim()).toBe(words);
  const narrow = await draw(points, { columns: 14, now });
  expect(narrow.join(' ').replace(/\s+/g, ' ').trim()).toBe(words);
});

test('a million points are drawn, and the largest of them is found', async () => {
  const points = Array.from({ length: 1_000_000 }, (_, index) => ({ time: index, value: index % 997 }));
  const [title] = await draw(points);
  expect(title).toContain('max 996');
});

test.each([
  [20, '  x  last 4'],
  [30, '  x  last 4  avg 2  max 4'],
  [60, '  x  last 4  min 0  avg 2  p95 4  max 4'],
])('on %i columns a title has the figures that fit, on one line', async (columns, title) => {
  const lines = await draw(every(1, [0, 1, 2, 3, 4]), { columns });
  expect(lines[0]).toBe(title);
  expect(lines[1]).toMatch(/^ {2}4 \+/);
});

test.each([
  [1, 12, [4]],
  [1, 18, [7]],
  [1, 60, [11]],
  [2, 30, [9, 9]],
  [3, 24, [4, 4, 4]],
])('%i charts on %i rows have the height that there is', async (count, rows, heights) => {
  const names = ['one', 'two', 'three'].slice(0, count);
  const series = Object.fromEntries(names.map((name) => [name, every(10, [0, 400, 100, 300])]));
  const lines = await drawAll(series, { rows });
  const starts = names.map((name) => lines.findIndex((line) => line.startsWith(`  ${name} `)));
  expect(starts.map((start) => lines.slice(start + 1).findIndex((line) => !/[┤│]/.test(line)))).toEqual(heights);
  for (const start of starts.slice(1)) expect(lines[start - 1]).toBe('');
  expect(lines.length).toBeLessThanOrEqual(Math.max(rows, 19) - 3);
});

test('tones colour the rows from their value up', async () => {
  const points = every(10, [10, 95, 50, 80]);
  const chart: Chart = { ...chartOf('cpu', points, '%'), tones: [[70, 'warn']] };
  const text = await render([{ kind: 'charts', charts: [chart], options: { rows: 20 } }], testView({ colorLevel: 1 }));
  const colourOf = (label: string) =>
    /\u001b\[(3[0-9])m[^\u001b]*\u001b\[39m$/m.exec(text.split('\n').find((one) => one.includes(label)) ?? '')?.[1];
  expect([colourOf('75%'), colourOf('50%')]).toEqual(['33', '36']);
});

test('a sparkline has one character per part and spaces for gaps', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6], 7, true).text).toBe('▁▂▃▄▅▆▇');
  expect(sparkline([0, 0, 6, 6], 2, true).text).toBe('▁▇');
  expect(sparkline([0, undefined, 6], 10, false).text).toBe('_ #');
  expect(sparkline([5, 5], 10, false).text).toBe('__');
  expect(sparkline([], 10, true).text).toBe('');
  expect(sparkline([31, 41], 10, true, '%').text).toBe('▃▃');
});

const WAVE = every(10, [1, 9, 2, 8]);
const SERIES = { flat: every(10, [5, 5, 5, 5]), zero: every(10, [0, 0, 0, 0]), slow: every(10, [5, 6, 5, 6]) };
const FIVE = { ...SERIES, wild: WAVE, calm: every(10, [50, 55, 50, 55]) };

test('a series of zeros has no chart, and no axis of fractions', async () => {
  const lines = await drawAll({ zero: SERIES.zero }, {});
  expect(lines).toEqual(['  zero  always 0', '']);
});

test('from 120 columns on, two charts stand beside each other, each column with a time axis', async () => {
  const lines = await drawAll({ slow: SERIES.slow, wild: WAVE, calm: FIVE.calm }, { columns: 120 });
  expect(lines.filter((line) => /slow .* wild /.test(line))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('└'))).toHaveLength(2);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  expect((await drawAll({ slow: SERIES.slow, wild: WAVE }, { columns: 119 })).join('\n')).not.toMatch(/slow .* wild /);
});

test('a low terminal shows the three series that vary most, in their order, and says how to see all', async () => {
  const lines = await drawAll(FIVE, { rows: 24 }, 'To see all: --series all');
  const names = lines.flatMap((line) => /^ {2}(\w+) {2}last/.exec(line)?.[1] ?? []);
  expect(names).toEqual(['slow', 'wild', 'calm']);
  expect(lines).toContain('3 of 5 series, those that vary most. To see all: --series all');
  expect(lines.length).toBeLessThan(24);
});

test.each([
  ['a high terminal', { rows: 60 }, 'all'],
  ['a pipe', { tty: false, rows: 0 }, 'all'],
  ['a screen reader', { rows: 24, accessible: true }, 'all'],
  ['a choice', { rows: 24 }, undefined],
])('%s gets every series', async (_name, view, all) => {
  expect((await drawAll(FIVE, view, all)).join('\n')).not.toContain('of 5 series');
});
