import { expect, test } from 'vitest';
import { sparkline } from '../../src/terminal/charts/drawings.ts';
import { spansOf, timeOf } from '../../src/terminal/charts/plot.ts';
import { render } from '../../src/terminal/render.ts';
import type { Chart } from '../../src/terminal/screen.ts';
import type { View } from '../../src/terminal/terminal.ts';
import { chartOf, testView } from './view.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

function every(
  minutes: number,
  values: readonly (number | undefined)[],
): Chart['points'][number][] {
  return values.map((value, index) => ({ time: START + index * minutes * MINUTE, value }));
}

function spans(points: Chart['points'], columns: number) {
  return spansOf({ points, longestStepMs: 3 * MINUTE }, columns, timeOf([{ points }]));
}

async function draw(
  series: Readonly<Record<string, Chart['points']>>,
  more: Partial<View>,
  all?: string,
) {
  const charts = Object.entries(series).map(([name, points]) => chartOf(name, points));
  return (await render([{ kind: 'charts', charts, options: { all } }], testView(more))).split('\n');
}

test('a single peak among many values is kept', () => {
  const values = Array.from({ length: 100_000 }, () => 1);
  values[50_000] = 900;
  const { high } = spans(every(1, values), 100);
  expect(Math.max(...high)).toBe(900);
  expect(high.filter((value) => value > 1).length).toBeLessThanOrEqual(3);
});

test('missing values and missing points both leave a gap', () => {
  const points = every(1, [1, 1, 1, undefined, undefined, undefined, undefined, 1, 1, 1, 1]);
  for (const given of [points, points.filter(({ value }) => value)]) {
    const gaps = [...spans(given, 11).high].map((value) => Number(Number.isNaN(value)));
    expect(gaps).toEqual([0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]);
  }
});

test('a rising line is drawn from the lower left to the upper right, without holes', async () => {
  expect(await draw({ x: every(1, [0, 1, 2, 3, 4]) }, { unicode: false, columns: 24 })).toEqual([
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

test('a line that never changes says so once, and zeros have no chart', async () => {
  const lines = await draw({ x: every(1, [5, 5, 5]) }, { unicode: false, columns: 30 });
  expect(lines[0]).toBe('  x  always 5');
  expect(lines.filter((line) => line.includes('***')).length).toBe(1);
  expect(await draw({ zero: every(10, [0, 0, 0, 0]) }, {})).toEqual(['  zero  always 0', '']);
});

test.each([{ accessible: true, columns: 200 }, { columns: 14 }])(
  '%j: a chart is described in words',
  async (view) => {
    const lines = await draw(
      { x: every(60, [1, 2, undefined, 3]) },
      { ...view, now: START + 60 * MINUTE },
    );
    expect(lines.join(' ').replaceAll(/\s+/g, ' ').trim()).toBe(
      'x from 00:00 UTC to 03:00: lowest 1, average 2, 95% up to 3, highest 3, last 3.',
    );
  },
);

test.each([
  [2, 30, 24],
  [3, 24, 20],
])('%i charts on %i rows take %i of them', async (count, rows, taken) => {
  const names = ['one', 'two', 'three'].slice(0, count);
  const series = Object.fromEntries(names.map((name) => [name, every(10, [0, 400, 100, 300])]));
  expect(await draw(series, { rows })).toHaveLength(taken);
});

test('a sparkline has one character per part and spaces for gaps', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6], 7, true).text).toBe('▁▂▃▄▅▆▇');
  expect(sparkline([0, undefined, 6], 10, false).text).toBe('_ #');
  expect(sparkline([31, 41], 10, true, '%').text).toBe('▃▃');
});

const FIVE = {
  flat: every(10, [5, 5, 5, 5]),
  slow: every(10, [5, 6, 5, 6]),
  wild: every(10, [1, 9, 2, 8]),
  calm: every(10, [50, 55, 50, 55]),
  zero: every(10, [0, 0, 0, 0]),
};

test('a low terminal shows the three series that vary most, in their order, and says how to see all', async () => {
  const lines = await draw(FIVE, { rows: 24 }, 'To see all: --series all');
  const names = lines.flatMap((line) => /^ {2}(\w+) {2}last/.exec(line)?.[1] ?? []);
  expect(names).toEqual(['slow', 'wild', 'calm']);
  expect(lines).toContain('3 of 5 series, those that vary most. To see all: --series all');
});
