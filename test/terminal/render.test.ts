import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import widthOf from 'fast-string-width';
import { expect, test } from 'vitest';
import { render } from '../../src/terminal/render.ts';
import {
  type Block,
  createScreen,
  date,
  type Screen,
  type Text,
  type Tone,
} from '../../src/terminal/screen.ts';
import type { View } from '../../src/terminal/terminal.ts';
import { anyCharacter, tries } from '../support/property.ts';
import { chartOf, inZone, testView } from './view.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.lorem({ maxCount: 12 }),
  fc.constantFrom('\u001b[2J', '日本語', '👍🏽', '\n', 'a\tb', '\u0301', '', '\u202e'),
);
const tone = fc.constantFrom<Tone>(
  'plain',
  'strong',
  'dim',
  'good',
  'warn',
  'bad',
  'accent',
  'link',
  'code',
);
const piece = fc.record({
  text,
  tone,
  href: fc.constantFrom('https://example.com/\u001b/x', 'javascript:x', 'x'),
});
const shown: fc.Arbitrary<Text> = fc.oneof(
  text,
  piece,
  fc.array(fc.oneof(text, piece), { maxLength: 4 }),
);
const value = fc.option(fc.double({ min: -1e9, max: 1e12, noNaN: true }), { nil: undefined });
const point = fc.record({ time: fc.integer({ min: -6e13, max: 8e15 }), value });
const points = fc
  .array(point, { maxLength: 30 })
  .map((all) => all.sort((one, other) => one.time - other.time));
const chart = fc.tuple(text, points, text).map((parts) => chartOf(...parts));
const series = fc.record({ name: text, unit: text, points: fc.array(value), last: value });
const cells = fc.array(fc.array(shown, { maxLength: 4 }), { maxLength: 6 });
const line = fc.record({ kind: fc.constantFrom('added', 'removed'), text: shown });
const kind = (name: string, content: fc.Arbitrary<unknown>) =>
  fc.record({ kind: fc.constant(name), content });
const block = fc.oneof(
  fc.record({
    kind: fc.constantFrom('line', 'heading', 'success', 'warning'),
    content: shown,
  }),
  kind('fields', fc.array(fc.tuple(text, shown), { maxLength: 5 })),
  kind(
    'rest',
    fc.record({
      values: fc.tuple(fc.jsonValue({ stringUnit: anyCharacter })),
      title: fc.option(text),
    }),
  ),
  kind(
    'table',
    cells.map((rows) => ({
      head: ['name', { name: 'value', align: 'right' }, 'note'],
      rows,
    })),
  ),
  fc.record({
    kind: fc.constantFrom('list', 'steps'),
    content: fc.array(shown, { maxLength: 4 }),
  }),
  kind('diff', fc.array(line)),
  kind('verbatim', text),
  kind('series', fc.record({ rows: fc.array(series, { maxLength: 3 }), span: text, what: text })),
  kind('charts', fc.record({ charts: fc.array(chart, { maxLength: 5 }), all: text })),
  kind('next', fc.array(fc.oneof(text, fc.tuple(text, text)), { maxLength: 3 })),
) as fc.Arbitrary<Block>;
const view = fc.record({
  columns: fc.integer({ min: 1, max: 200 }),
  rows: fc.integer({ min: 0, max: 60 }),
  colorLevel: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
  unicode: fc.boolean(),
  accessible: fc.boolean(),
  tty: fc.boolean(),
  links: fc.boolean(),
});

/** Escapes that the renderer writes: colours, underlines, links. */
const OWN_ESCAPES = /\u001b\[[\d;]*m|\u001b\]8;;(https:\/\/example\.com\/%1B\/x)?\u001b\\/g;
const LINE_END = /[^\S\n]*\n/g;

test('nothing controls the terminal, for any content and view, and colours change no layout', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 4 }), view, async (blocks, look) => {
      const drawn = await render(blocks, testView(look));
      const visible = drawn.replace(OWN_ESCAPES, '');
      expect(visible).toMatch(/^[\n\t\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]*$/u);
      expect(visible).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/);
      if (look.colorLevel === 0 && !look.links) expect(drawn).not.toContain('\u001b');
      const plain = await render(blocks, testView({ ...look, colorLevel: 0, links: false }));
      expect(visible.replaceAll(LINE_END, '\n')).toBe(plain.replaceAll(LINE_END, '\n'));
    }),
    tries(3_000, 31),
  );
});

test('no line of a table is wider than the terminal', async () => {
  const head = ['name', 'value', 'note'].map((name) =>
    fc.record({ name: fc.constant(name), wraps: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(
      cells,
      fc.tuple(...head),
      fc.integer({ min: 40, max: 200 }),
      async (rows, head, columns) => {
        const drawn = await render(
          [{ kind: 'table', content: { head, rows } }],
          testView({ columns }),
        );
        for (const line of drawn.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      },
    ),
    tries(1_500, 32),
  );
});

test('off a terminal nothing is wrapped: a line, a field, an item, a row of a table is one line', async () => {
  const sentence = fc.array(fc.stringMatching(/^[!-~]{1,80}$/), { minLength: 1, maxLength: 40 });
  const one = sentence.chain((words) =>
    fc.constantFrom<Block>(
      { kind: 'line', content: words.join(' ') },
      { kind: 'warning', content: words.join(' ') },
      { kind: 'fields', content: [['label', words.join(' ')]] },
      { kind: 'steps', content: [words.join(' ')] },
      {
        kind: 'table',
        content: { head: ['one'], rows: [[words.join(' ')]], alone: { header: false } },
      },
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      one,
      fc.integer({ min: 1, max: 200 }),
      fc.boolean(),
      async (only, columns, accessible) => {
        const drawn = await render([only], testView({ tty: false, columns, accessible }));
        expect(drawn.trimEnd().split('\n')).toHaveLength(1);
      },
    ),
    tries(1_500, 33),
  );
});

async function drawn(fill: (screen: Screen) => void, more: Partial<View> = {}): Promise<string> {
  const screen = createScreen();
  fill(screen);
  return await render(screen.blocks, testView(more));
}

test('a record that does not fit beside the others is whole, in its column', async () => {
  const key = 'p='.padEnd(300, 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A');
  const head = ['name', { name: 'value', wraps: true }];
  const [first = '', ...rows] = (
    await drawn(({ table }) => table({ head, rows: [['mail', key]] }), { columns: 40 })
  )
    .trimEnd()
    .split('\n');
  const start = first.indexOf('VALUE');
  expect(rows.map((row) => row.slice(start).trim()).join('')).toBe(key);
  expect(rows.map((row) => row.slice(0, start).trim()).join('')).toBe('mail');
});

test.each([
  [80, 'WHEN  WHO  WHAT  ID', ''],
  [34, 'WHEN  WHAT', 'Left out: id, who (--json)'],
])(
  'at %i columns a row stays a row, and what is left out is named',
  async (columns, head, note) => {
    const text = await drawn(
      (screen) =>
        screen.table({
          head: [
            { name: 'when', whole: true },
            { name: 'who', whole: true, spare: 2 },
            { name: 'what', whole: true },
            { name: 'id', whole: true, spare: 1 },
          ],
          rows: [['2026-03-01', 'marie', 'wp run cache.flush', 'req_0123456789']],
        }),
      { columns },
    );
    const [first = '', , last = ''] = text.split('\n');
    expect([first.trim().replaceAll(/ +/g, '  '), last.trim()]).toEqual([head, note]);
  },
);

test('an empty column is left out, and a `once` column does not repeat the value above', async () => {
  const head = [{ name: 'name', once: true }, 'none', 'type'];
  const table = ['A', 'B'].map((type) => ['x', '', type]);
  expect(await drawn((screen) => screen.table({ head, rows: table }))).toBe(
    '  NAME  TYPE\n  x     A\n        B\n',
  );
  const alone = await drawn((screen) => screen.table({ head, rows: table }), { accessible: true });
  expect(alone).toBe('name: x\ntype: A\n\nname: x\ntype: B\n');
});

test('only web addresses without a secret become links', async () => {
  const text = await drawn(
    ({ line }) => {
      for (const href of [
        'https://example.com/a',
        'javascript:alert(1)',
        'https://u:s3cret@example.com',
      ])
        line({ text: 'a page', tone: 'link', href });
    },
    { links: true },
  );
  expect(text).toContain('\u001b]8;;https://example.com/a\u001b\\');
  expect(stripVTControlCharacters(text)).toBe('a page\na page\na page\n');
  expect(text).not.toMatch(/javascript|s3cret/);
});

test.each([
  [true, '16:48 +05:45\n22 Nov 2026, 19:48\nsoon\n'],
  [false, '2026-11-21T12:03:00+01:00\n2026-11-22T14:03:00.000Z\nsoon\n'],
])('dates are local on a terminal (%s), and as they came in a pipe', async (tty, text) => {
  const instants = ['2026-11-21T12:03:00+01:00', Date.parse('2026-11-22T14:03:00Z'), 'soon'];
  const fill = ({ line }: Screen) => instants.forEach((instant) => void line(date(instant)));
  const shown = await inZone('Asia/Kathmandu', () => drawn(fill, { tty, timeZone: undefined }));

  expect(shown).toBe(text);
});

test('a line break in a value begins no line', async () => {
  const fill = ({ fields }: Screen) => fields([['Message', 'Fix it\r\n\nand \u001b[31mmore\n']]);
  expect(await drawn(fill)).toBe('  Message  Fix it ⏎  ⏎ and \\u{1b}[31mmore ⏎\n');
  expect(await drawn(fill, { unicode: false })).toContain('Fix it\\u{d}\\u{a}\\u{a}and');
});
