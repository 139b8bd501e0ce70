import { expect, test } from 'vitest';
import { tableOf, toCsv } from '../../src/terminal/csv.ts';

const csv = (head: readonly string[], rows: readonly (readonly unknown[])[]) => [...toCsv({ head, rows })].join('');

test.each<[string, unknown, string]>([
  ['a comma', 'a,b', '"a,b"'],
  ['quotes', 'say "hi"', '"say ""hi"""'],
  ['a line break', 'a\nb', 'a\\u{a}b'],
  ['an escape sequence', '\u001b[2J', '\\u{1b}[2J'],
  ['a formula', '=cmd|calc', "'=cmd|calc"],
  ['a formula with a minus', '-1+cmd|calc', "'-1+cmd|calc"],
  ['a formula that needs quotes', '@SUM(1,2)', `"'@SUM(1,2)"`],
  ['a formula behind a semicolon', 'x;=1+1', '"x;=1+1"'],
  ['a formula behind a tab', 'x\t=1+1', 'x\\u{9}=1+1'],
  ['a phone number', '+237670000042', "'+237670000042"],
  ['a number', -1.5, '-1.5'],
  ['NaN', Number.NaN, ''],
  ['undefined', undefined, ''],
  ['null', null, ''],
  ['a boolean', true, 'true'],
  ['an object', { a: 'b' }, '"{""a"":""b""}"'],
  ['other alphabets', 'Café 日本', 'Café 日本'],
])('%s', (_, value, cell) => {
  expect(csv(['x'], [[value]])).toBe(`x\n${cell}\n`);
});

test('a table without rows is its head', () => {
  expect(csv(['a', 'b'], [])).toBe('a,b\n');
});

test('many rows come in chunks, each row once', () => {
  const pieces = [...toCsv({ head: ['n'], rows: Array.from({ length: 12_000 }, (_, n) => [n]) })];
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('').split('\n')).toEqual(['n', ...Array.from({ length: 12_000 }, (_, n) => String(n)), '']);
});

test('objects become rows with the chosen fields', () => {
  expect([...toCsv(tableOf([{ a: 1, b: 'x', c: 2 }], { B: 'b', first: 'a' }))].join('')).toBe('B,first\nx,1\n');
});
