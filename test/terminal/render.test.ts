import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import widthOf from 'fast-string-width';
import { describe, expect, test } from 'vitest';

import { render } from '../../src/terminal/render.ts';
import { type Block, createScreen, date, filePath, type Text, type Tone } from '../../src/terminal/screen.ts';
import type { View } from '../../src/terminal/terminal.ts';
import { anyCharacter, lengthOf, tries } from '../support/property.ts';
import { chartOf, GALLERY, galleryScreen, testView } from './gallery.ts';

const VIEWS: Readonly<Record<string, Partial<View>>> = {
  'terminal-40': { columns: 40 },
  'terminal-80': {},
  'terminal-120': { columns: 120 },
  'terminal-200': { columns: 200 },
  pipe: { tty: false },
  ascii: { unicode: false },
  accessible: { accessible: true },
};

describe.each(Object.keys(GALLERY))('%s', (name) => {
  test.each(Object.entries(VIEWS))('matches its snapshot: %s', async (view, more) => {
    const text = await render(galleryScreen(name).blocks, testView(more));
    await expect(text).toMatchFileSnapshot(`goldens/${name}.${view}.txt`);
  });

  test('has the same text with colours', async () => {
    const plain = await render(galleryScreen(name).blocks, testView());
    for (const colorLevel of [1, 2, 3] as const) {
      const colored = await render(galleryScreen(name).blocks, testView({ colorLevel }));
      expect(stripVTControlCharacters(colored)).toBe(plain);
      expect(colored).not.toBe(plain);
    }
  });

  test('is ASCII on an ASCII terminal', async () => {
    const own = (await render(galleryScreen(name).blocks, testView({ unicode: false }))).replaceAll(
      /Café.*|日本 .*|end .*/g,
      '',
    );
    expect(own).toMatch(/^[\n\t\x20-\x7e]*$/);
  });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.lorem({ maxCount: 12 }),
  fc.constantFrom('\u001b[2J', '日本語', '👍🏽', '\n', 'a\tb', '\u0301', '', '\u202e'),
);
const tone = fc.constantFrom<Tone>('plain', 'strong', 'dim', 'good', 'warn', 'bad', 'accent', 'link', 'code');
const piece = fc.record({ text, tone, href: fc.constantFrom('https://example.com/\u001b/x', 'javascript:x', 'x') });
const shown: fc.Arbitrary<Text> = fc.oneof(text, piece, fc.array(fc.oneof(text, piece), { maxLength: 4 }));
const value = fc.option(fc.double({ min: -1e9, max: 1e12, noNaN: true }), { nil: undefined });
const fields = fc.array(fc.tuple(text, shown), { maxLength: 5 });
const table = fc.record({
  head: fc.constant(['name', { name: 'value', align: 'right' as const }, { name: 'note' }]),
  rows: fc.array(fc.array(shown, { maxLength: 4 }), { maxLength: 6 }),
  max: fc.option(fc.nat(4), { nil: 6 }),
});
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constantFrom('line', 'heading', 'success', 'warning'), text: shown }),
  fc.record({ kind: fc.constant('fields'), rows: fields }),
  fc.record({
    kind: fc.constant('rest'),
    values: fc.array(fc.jsonValue({ stringUnit: anyCharacter }), { maxLength: 2 }),
    title: fc.option(text, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('table'), table }),
  fc.record({ kind: fc.constant('list'), items: fc.array(shown, { maxLength: 4 }), numbered: fc.boolean() }),
  fc.record({
    kind: fc.constant('diff'),
    lines: fc.array(fc.record({ kind: fc.constantFrom('added', 'removed'), text: shown })),
  }),
  fc.record({ kind: fc.constant('verbatim'), text }),
  fc.record({
    kind: fc.constant('series'),
    rows: fc.array(fc.record({ name: text, unit: text, points: fc.array(value), last: value }), { maxLength: 3 }),
    span: text,
    what: text,
  }),
  fc.record({
    kind: fc.constant('charts'),
    charts: fc.array(
      fc
        .tuple(
          text,
          fc.array(fc.record({ time: fc.integer({ min: -6e13, max: 8e15 }), value }), { maxLength: 30 }),
          text,
        )
        .map(([name, points, unit]) => chartOf(name, points, unit)),
      { maxLength: 5 },
    ),
    options: fc.record({ all: fc.option(text, { nil: undefined }), rows: fc.constantFrom(undefined, 3, 12, 40) }),
  }),
  fc.record({
    kind: fc.constant('next'),
    steps: fc.array(fc.oneof(text, fc.tuple(text, text)), { maxLength: 3 }),
  }),
) as fc.Arbitrary<Block>;
const view: fc.Arbitrary<View> = fc
  .record({
    columns: fc.integer({ min: 1, max: 200 }),
    rows: fc.integer({ min: 0, max: 60 }),
    colorLevel: fc.constantFrom(0, 1, 2, 3),
    unicode: fc.boolean(),
    accessible: fc.boolean(),
    tty: fc.boolean(),
    links: fc.boolean(),
  })
  .map((more) => testView(more as Partial<View>));

/** Escapes that the renderer writes: colours, underlines, links. */
const OWN_ESCAPES = /\u001b\[(?:[\d;]*m|\d+G)|\u001b\]8;;(https:\/\/example\.com\/%1B\/x)?\u001b\\/g;

test('never fails and never prints terminal controls, for any content and view', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 4 }), view, async (blocks, look) => {
      const drawn = await render(blocks, look);
      const visible = drawn.replace(OWN_ESCAPES, '');
      expect(visible).toMatch(/^[\n\t\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]*$/u);
      expect(visible).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/);
      if (look.colorLevel === 0 && !look.links) expect(drawn).not.toContain('\u001b');
      expect(drawn === '' || drawn.endsWith('\n')).toBe(true);
    }),
    tries(3_000, 31),
  );
});

test('no line of a table is wider than the terminal', async () => {
  const head = fc.tuple(
    ...['name', 'value', 'note'].map((name) => fc.record({ name: fc.constant(name), wraps: fc.boolean() })),
  );
  await fc.assert(
    fc.asyncProperty(table, head, fc.integer({ min: 40, max: 200 }), async (rows, columnsOf, columns) => {
      const drawn = await render([{ kind: 'table', table: { ...rows, head: columnsOf } }], testView({ columns }));
      for (const line of drawn.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }),
    tries(1_500, 32),
  );
});

test('off a terminal nothing is wrapped: a line, a field, an item of a list is one line', async () => {
  const words = fc.array(fc.stringMatching(/^[!-~]{1,80}$/), { minLength: 1, maxLength: 40 });
  const sentence = words.map((all) => all.join(' '));
  const one = fc.oneof(
    fc.record({ kind: fc.constantFrom('line', 'heading', 'success', 'warning'), text: sentence }),
    fc.tuple(sentence, sentence).map(([label, value]) => ({ kind: 'fields', rows: [[label, value]] })),
    fc.record({ kind: fc.constant('list'), items: fc.tuple(sentence), numbered: fc.boolean() }),
  ) as fc.Arbitrary<Block>;
  await fc.assert(
    fc.asyncProperty(one, fc.integer({ min: 1, max: 200 }), fc.boolean(), async (only, columns, accessible) => {
      const drawn = await render([only], testView({ tty: false, columns, accessible }));
      expect(drawn.trimEnd().split('\n')).toHaveLength(1);
    }),
    tries(1_500, 33),
  );
});

test('a row of a table is one line in a pipe, whatever its length', async () => {
  const words = fc.array(fc.stringMatching(/^[!-~]{1,120}$/), { minLength: 1, maxLength: 8 });
  const rows = fc.array(fc.tuple(words, words), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, async (cells) => {
      const screen = createScreen();
      const texts = cells.map((row) => row.map((cell) => cell.join(' ')));
      screen.table({ head: [{ name: 'one', once: true }, 'two'], rows: texts });
      const [, ...drawn] = (await render(screen.blocks, testView({ tty: false }))).trimEnd().split('\n');
      expect(drawn.map((line) => line.replaceAll(/ +/g, ' ').trim())).toEqual(texts.map((row) => row.join(' ')));
    }),
    tries(500, 33),
  );
});

test.each([40, 50, 80])(
  'a text that does not fit beside the others goes on in its column at %i columns',
  async (columns) => {
    const key = 'v=DKIM1; k=rsa; p='.padEnd(300, 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A');
    const screen = createScreen();
    screen.table({
      head: ['name', 'type', { name: 'value', wraps: true }],
      rows: [
        ['@', 'A', '192.0.2.1'],
        ['mail', 'TXT', key],
      ],
    });
    const drawn = await render(screen.blocks, testView({ columns }));
    const [head = '', short, ...long] = drawn.trimEnd().split('\n');
    expect(short).toMatch(/^ {2}@ +A +192\.0\.2\.1$/);
    const start = head.indexOf('VALUE');
    const beside = long.map((line) => line.slice(0, start).trim());
    expect(beside.join(' ').trim()).toMatch(/^mail +TXT$/);
    const folded = long.map((line) => line.slice(start).trim());
    expect(folded.join('').replaceAll(' ', '')).toBe(key.replaceAll(' ', ''));
    for (const line of long) expect(line.length).toBeLessThanOrEqual(columns);
  },
);

test.each([
  [80, ['WHEN  WHO  WHAT  ID'], undefined],
  [40, ['WHEN  WHO  WHAT'], 'Left out: id (--json)'],
  [34, ['WHEN  WHAT'], 'Left out: id, who (--json)'],
  [20, [], undefined],
])('at %i columns a row stays a row, and what is left out is named', async (columns, [head], note) => {
  const screen = createScreen();
  const whole = { whole: true };
  screen.table({
    head: [
      { name: 'when', ...whole },
      { name: 'who', ...whole, spare: 2 },
      { name: 'what', ...whole },
      { name: 'id', ...whole, spare: 1 },
    ],
    rows: [['2026-03-01', 'marie', 'wp run cache.flush', 'req_0123456789']],
  });
  const drawn = (await render(screen.blocks, testView({ columns }))).trimEnd().split('\n');
  if (head === undefined) return expect(drawn.join(' ')).toMatch(/^ {2}when .* who .* what .* id /);
  expect(drawn[0]?.trim().split(/ +/).join('  ')).toBe(head);
  expect(drawn.slice(2).map((line) => line.trim())).toEqual(note === undefined ? [] : [note]);
});

test('columns of a table line up in any script', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('日本', 'กำลัง', 'שָׁלוֹם', '👍🏽', '❤️', '🇨🇲', 'क्षि'),
  );
  const rows = fc.array(fc.tuple(cell, fc.constant('|')), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rows, async (cells) => {
      const drawn = await render(
        [{ kind: 'table', table: { head: ['name', 'end'], rows: cells } }],
        testView({ columns: 200 }),
      );
      const [, ...below] = drawn.trimEnd().split('\n');
      const ends = below.map((line) => widthOf(line.slice(0, line.lastIndexOf('|'))));
      expect(new Set(ends).size).toBe(1);
    }),
    tries(1_500, 34),
  );
});

test('very long text is drawn whole in any script, in tables, fields and lines', async () => {
  const texts = ['✓ Done. ', '漢字', '👍🏽', 'e\u0301 ', 'plain '].map((text) => text.repeat(lengthOf(20_000)));
  for (const text of texts) {
    const table = { head: ['name', 'value'], rows: [[text.slice(0, 20), text]] };
    const blocks: Block[] = [
      { kind: 'table', table },
      { kind: 'rest', values: [{ [text]: text }], title: undefined },
      { kind: 'line', text },
    ];
    for (const tty of [true, false]) {
      const drawn = await render(blocks, testView({ tty }));
      expect(drawn.length).toBeGreaterThan(text.length);
    }
  }
});

test('only web addresses without a secret become OSC 8 links', async () => {
  const drawn = await render(
    [
      { kind: 'line', text: { text: 'https://example.com/a', tone: 'link', href: 'https://example.com/a' } },
      { kind: 'line', text: { text: 'never', tone: 'link', href: 'javascript:alert(1)' } },
      { kind: 'line', text: { text: 'a page', tone: 'link', href: 'https://u:s3cret@example.com' } },
    ],
    testView({ colorLevel: 1, links: true }),
  );
  expect(drawn).toContain('\u001b]8;;https://example.com/a\u001b\\');
  expect(drawn).not.toMatch(/javascript|s3cret/);
});

test('dates are local on a terminal, ISO 8601 in a pipe; invalid dates stay text', async () => {
  const lines = async (tty: boolean) => {
    const screen = createScreen();
    for (const instant of ['2026-11-21T12:03:00+01:00', Date.parse('2026-11-22T14:03:00Z'), 'soon'])
      screen.line(date(instant));
    return (await render(screen.blocks, testView({ tty, timeZone: 'Asia/Kathmandu' }))).split('\n');
  };
  expect(await lines(true)).toEqual(['16:48 +05:45', '22 Nov 2026, 19:48', 'soon', '']);
  expect(await lines(false)).toEqual(['2026-11-21T12:03:00+01:00', '2026-11-22T14:03:00.000Z', 'soon', '']);
});

test('rows, items and characters that are left out are counted', async () => {
  const screen = createScreen();
  screen.rest({ list: Array.from({ length: 50 }, (_, index) => index), text: 'x'.repeat(2_500) });
  screen.rest(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, index])));
  const drawn = await render(screen.blocks, testView({ columns: 200, tty: false }));
  expect(drawn).toContain('and 30 more (--json shows all)');
  expect(drawn).toContain('(500 more characters)');
  expect(drawn).toMatch(/\+42 fields +--json shows all/);
});

test('purposes of next commands go beside them, in one column if all fit, or below where one does not', async () => {
  const screen = createScreen();
  screen.next([['svc one', 'the first'], 'svc three', ['svc two --long', 'the second']]);
  const wide = await render(screen.blocks, testView({ columns: 40 }));
  expect(wide).toBe('Next\n  svc one         the first\n  svc three\n  svc two --long  the second\n');
  const narrow = await render(screen.blocks, testView({ columns: 20 }));
  expect(narrow).toBe('Next\n  svc one  the first\n  svc three\n  svc two --long\n    the second\n');
});

test('an empty column is left out', async () => {
  const [first, second] = [
    ['a', '', 'b'],
    ['c', undefined, 'd'],
  ];
  const table = { head: ['one', 'none', 'two'], rows: [first, second] };
  expect(await render([{ kind: 'table', table }], testView())).toBe('  ONE  TWO\n  a    b\n  c    d\n');
});

test('a `once` column does not repeat the value above, except in stacked rows', async () => {
  const screen = createScreen();
  const rows = [
    ['x', 'A'],
    ['x', 'B'],
  ];
  screen.table({ head: [{ name: 'name', once: true }, 'type'], rows });
  expect(await render(screen.blocks, testView({}))).toBe('  NAME  TYPE\n  x     A\n        B\n');
  const alone = await render(screen.blocks, testView({ accessible: true }));
  expect(alone).toBe('name: x\ntype: A\n\nname: x\ntype: B\n');
});

test('a line break in a value is a mark, and its code on an ASCII terminal', async () => {
  const blocks: readonly Block[] = [{ kind: 'fields', rows: [['Message', 'Fix it\r\n\nand \u001b[31mmore\n']] }];
  expect(await render(blocks, testView())).toBe('  Message  Fix it ⏎  ⏎ and \\u{1b}[31mmore ⏎\n');
  expect(await render(blocks, testView({ unicode: false }))).toContain('Fix it\\u{d}\\u{a}\\u{a}and');
});

test.each([
  ['on a terminal with ~', { tty: true, home: '/home/amina' }, '~/site/.svc.json'],
  ['whole in a pipe', { tty: false, home: '/home/amina' }, '/home/amina/site/.svc.json'],
  ['whole below the home of somebody else', { tty: true, home: '/home/am' }, '/home/amina/site/.svc.json'],
])('a path is shown %s', async (_where, more, shown) => {
  const text = filePath('/home/amina/site/.svc.json');
  expect(await render([{ kind: 'line', text }], testView(more))).toBe(`${shown}\n`);
});
