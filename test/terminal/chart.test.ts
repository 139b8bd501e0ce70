import { expect, test } from 'vitest';
import { getTimeSpan, toSpans } from '../../src/terminal/charts/plot.ts';
import { drawSparkline } from '../../src/terminal/charts/series.ts';
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
  return toSpans({ points, longestStepMs: 3 * MINUTE }, columns, getTimeSpan([{ points }]));
}

async function draw(
  series: Readonly<Record<string, Chart['points']>>,
  more: Partial<View>,
  all?: string,
) {
  const charts = Object.entries(series).map(([name, points]) => chartOf(name, points));
  return (await render([{ kind: 'charts', content: { charts, all } }], testView(more))).split('\n');
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

test.each<[what: string, values: readonly number[], unit: string | undefined, text: string]>([
  ['never changes', [5, 5, 5], undefined, 'x  always 5'],
  ['is always 0', [0, 0, 0], undefined, 'x  always 0'],
  ['always reads the same', [2.4001, 2.4, 2.4002], undefined, 'x  about 2.4'],
])('a series that %s is a line of text', async (_what, values, unit, text) => {
  const charts = [chartOf('x', every(1, values), unit)];
  const lines = await render([{ kind: 'charts', content: { charts } }], testView());

  expect(lines.split('\n')).toEqual([`  ${text}`, '']);
});

test('noise is not drawn as movement: an axis spans at least 5 % of its values', async () => {
  const values = Array.from({ length: 40 }, (_, at) => 1000 + (at % 5));
  const lines = await draw({ x: every(1, values) }, { unicode: false, rows: 20, columns: 60 });
  const drawn = lines.filter((line) => line.includes('**'));

  expect(lines.join('\n')).toMatch(/ 970 \+/);
  expect(drawn.length).toBeLessThanOrEqual(2);
});

test('errors stand on an axis from 0, and those above it are red', async () => {
  const errors = chartOf('errors', every(1, [7, 9, 9, 8, 9]), 'count');
  const chart = { ...errors, startsAtZero: true, tones: [[Number.MIN_VALUE, 'bad'] as const] };
  const picture = await render(
    [{ kind: 'charts', content: { charts: [chart], rows: 8 } }],
    testView({ colorLevel: 1 }),
  );
  const always = {
    ...chart,
    points: every(1, [5, 5]),
    figures: chartOf('', every(1, [5, 5])).figures,
  };
  const text = await render(
    [{ kind: 'charts', content: { charts: [always] } }],
    testView({ colorLevel: 1 }),
  );

  expect(picture).toContain('0 ┤');
  expect(picture).toMatch(/\u001b\[31m[⠁-⣿]/);
  expect(text).toContain('\u001b[31malways\u001b');
});

test('without drawings a chart is its figures, below each other', async () => {
  const lines = await draw({ x: every(60, [1, 2, undefined, 3]) }, { accessible: true });

  expect(lines).toEqual(['series: x', 'last: 3', 'min: 1', 'avg: 2', 'p95: 3', 'max: 3', '']);
});

test('where no plot fits, charts are a table of the figures that do', async () => {
  expect(await draw({ x: every(60, [1, 2, 30]) }, { columns: 16 })).toEqual([
    '  SERIES  LAST',
    '  x         30',
    '',
  ]);
});

test.each([
  [2, 30, 24],
  [3, 24, 20],
])('%i charts on %i rows take %i of them', async (count, rows, taken) => {
  const names = ['one', 'two', 'three'].slice(0, count);
  const series = Object.fromEntries(names.map((name) => [name, every(10, [0, 400, 100, 300])]));
  expect(await draw(series, { rows })).toHaveLength(taken);
});

test('a sparkline has one character per part and spaces for gaps', () => {
  expect(drawSparkline({ points: [0, 1, 2, 3, 4, 5, 6] }, 7, true).text).toBe('▁▂▃▄▅▆▇');
  expect(drawSparkline({ points: [0, undefined, 6] }, 10, false).text).toBe('_ #');
  expect(drawSparkline({ points: [31, 41], unit: '%' }, 10, true).text).toBe('▃▃');
});

const FIVE = {
  flat: every(10, [5, 5, 5, 5]),
  slow: every(10, [5, 6, 5, 6]),
  wild: every(10, [1, 9, 2, 8]),
  calm: every(10, [50, 55, 50, 55]),
  zero: every(10, [0, 0, 0, 0]),
};

const NAMES = /^ {2}(\w+) {2}(?:last|always)/;

function namesIn(lines: readonly string[]) {
  return lines.flatMap((line) => NAMES.exec(line)?.[1] ?? []);
}

test('a terminal shows the first four of many series, and says how to see all', async () => {
  for (const rows of [24, 60]) {
    const lines = await draw(FIVE, { rows }, 'To see all: --series all');

    expect(namesIn(lines)).toEqual(['flat', 'slow', 'wild', 'calm']);
    expect(lines).toContain('4 of 5 series. To see all: --series all');
    expect(lines.length).toBeLessThan(rows);
  }
});

test.each([
  [0, ['flat', 'slow', 'wild'], '▼ 2 more series'],
  [3, ['wild', 'calm'], '▲ 2  ▼ 1 more series'],
  [4, ['wild', 'calm', 'zero'], '▲ 2 more series'],
])(
  'a live view of 12 rows with chart %i chosen says what it does not show',
  async (chosen, names, rest) => {
    const charts = Object.entries(FIVE).map(([name, points]) => chartOf(name, points));
    const content = { charts, rows: 12, chosen };
    const lines = (await render([{ kind: 'charts', content }], testView())).trimEnd().split('\n');

    expect(namesIn(lines)).toEqual(names);
    expect(lines.at(-1)).toBe(rest);
    expect(lines.length).toBeLessThanOrEqual(12);
  },
);

test('old values are dim, with their figures', async () => {
  const chart = { ...chartOf('cpu', every(1, [10, 95]), '%'), isOld: true };
  const picture = await render(
    [{ kind: 'charts', content: { charts: [chart] } }],
    testView({ colorLevel: 1 }),
  );

  expect(picture).not.toMatch(/\u001b\[3[136]m/);
  expect(picture).not.toMatch(/\u001b\[\d+m {2}last \u001b\[\d+m95%/);
});
