import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPlaces, readMutants } from '../scripts/mutants/rows.mjs';

const ROOT = join(import.meta.dirname, '..');

test('each row of mutants.jsonl finds its text once in its file, and its tests are there', () => {
  const rows = readMutants(ROOT);
  const lost = rows.filter(({ file, search }) => countPlaces(file, search) !== 1);

  expect(rows.length).toBeGreaterThan(500);
  expect(
    lost.map(({ file, search }) => `${file}: ${search}`),
    'code that was renamed or moved: write its new text and path into these rows',
  ).toEqual([]);
  expect(
    rows.flatMap(({ tests }) => tests).filter((path) => !existsSync(join(ROOT, path))),
  ).toEqual([]);
});

test.each([
  ['a line break', 'save(one, two);', 'save(\n  one,\n  two\n);'],
  ['a closing comma', 'save(one, two);', 'save(\n  one,\n  two,\n);'],
  ['a space', '{ one }', '{one}'],
])('%s hides no row', (_what, search, source) => {
  expect(findPlaces(`// first\n${source}\n`, search)).toEqual([
    { start: 9, end: 9 + source.length },
  ]);
});

test('a text that stands twice has two places', () => {
  expect(findPlaces('a(b); a( b );', 'a(b);')).toHaveLength(2);
  expect(findPlaces('a(b, c)', 'a(b c)')).toEqual([]);
});

function countPlaces(file: string, search: string): number {
  const path = join(ROOT, file);
  return existsSync(path) ? findPlaces(readFileSync(path, 'utf8'), search).length : 0;
}
