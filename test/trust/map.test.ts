import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
const SOAK = readFileSync(join(ROOT, 'scripts/soak.mjs'), 'utf8');
const FIGURES = [...SOAK.matchAll(/^ {2}\['([^']+)', ([\d_]+), \d+, '([^']+)'/gm)];

/**
 * Whether there is a test of this name below `test/`; an asterisk stands for the end of the name.
 */
function isThere(name: string): boolean {
  if (!name.endsWith('*')) return existsSync(join(ROOT, 'test', `${name}.test.ts`));
  const folder = join(ROOT, 'test', dirname(name));
  return (
    existsSync(folder) &&
    readdirSync(folder).some((file) => file.startsWith(basename(name).slice(0, -1)))
  );
}

test('the page about reliability names tests that exist', () => {
  const rows = PAGE.slice(PAGE.indexOf('Paths are below')).matchAll(
    /^\| .* \| ((?:`[^`]+`[^|`]*)+) \|$/gm,
  );
  const names = [...rows].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

test('every figure is measured by tests that exist, and the page has at least its goal', () => {
  const tried = [...PAGE.matchAll(/^\| (.+?) \| ([\d,]+) \| .* \|$/gm)];
  expect(tried.map(([, name]) => name).sort()).toEqual(FIGURES.map(([, name]) => name).sort());
  for (const [, name = '', goal = '', files = ''] of FIGURES) {
    const [, , count = ''] = tried.find(([, figure]) => figure === name) ?? [];
    expect(Number(count.replaceAll(',', '')), name).toBeGreaterThanOrEqual(
      Number(goal.replaceAll('_', '')),
    );
    expect(
      files.split(' ').filter((path) => !existsSync(join(ROOT, 'test', path)) && !isThere(path)),
    ).toEqual([]);
  }
});
