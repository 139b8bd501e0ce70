import { expect, test } from 'vitest';
import { createTable, toCsv } from '../../src/terminal/csv.ts';

test.each<[string, unknown, string]>([
  ['a comma', 'a,b', '"a,b"'],
  ['an escape sequence', '\u001b[2J', '\\u{1b}[2J'],
  ['a formula with a minus', '-1+cmd|calc', "'-1+cmd|calc"],
  ['a formula that needs quotes', '@SUM(1,2)', `"'@SUM(1,2)"`],
  ['a formula behind a semicolon', 'x;=1+1', '"x;=1+1"'],
  ['a phone number', '+237670000042', "'+237670000042"],
  ['a number', -1.5, '-1.5'],
  ['a number in a text', '-5.25', '-5.25'],
  ['a large number in a text', '-9007199254740993', '-9007199254740993'],
  ['a number with an exponent in a text', '-1e3', '-1e3'],
  ['a sign alone', '-', "'-"],
  ['a sum', '-5+1', "'-5+1"],
  ['a formula of full width', '＝1+1', "'＝1+1"],
  ['a full-width plus', '＋1', "'＋1"],
  ['a full-width minus', '－1+1', "'－1+1"],
  ['a full-width at sign', '＠SUM(1)', "'＠SUM(1)"],
  ['NaN', Number.NaN, ''],
  ['null', null, ''],
  ['an object', { a: 'b' }, '"{""a"":""b""}"'],
])('%s', (_, value, cell) => {
  expect([...toCsv({ head: ['x'], rows: [[value]] })]).toEqual([`x\n${cell}\n`]);
});

test('many rows come in chunks, each row once', () => {
  const rows = Array.from({ length: 12_000 }, (_, n) => [n]);
  const pieces = [...toCsv({ head: ['n'], rows })];
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(`n\n${rows.join('\n')}\n`);
});

test('objects become rows with the chosen fields', () => {
  expect([...toCsv(createTable([{ a: 1, b: 'x', c: 2 }], { B: 'b', first: 'a' }))].join('')).toBe(
    'B,first\nx,1\n',
  );
});
