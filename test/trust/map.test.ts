import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { FIGURES, withFigures } from '../../scripts/figures.mjs';

const ROOT = join(import.meta.dirname, '../..');

/** Whether there is a test of this name below `test/`; an asterisk stands for the end of the name. */
function isThere(name: string): boolean {
  if (!name.endsWith('*')) return existsSync(join(ROOT, 'test', `${name}.test.ts`));
  const folder = join(ROOT, 'test', dirname(name));
  return existsSync(folder) && readdirSync(folder).some((file) => file.startsWith(basename(name).slice(0, -1)));
}

test('the page about reliability names tests that exist', () => {
  const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
  const rows = page.slice(page.indexOf('Paths are below')).matchAll(/^\| .* \| ((?:`[^`]+`[^|`]*)+) \|$/gm);
  const names = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

test('every figure is measured by existing tests, and the page has at least its goal', () => {
  const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
  expect(page).toBe(withFigures(page, new Map()));
  for (const { name, goal, files } of FIGURES) {
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    const [, tried = ''] = page.match(new RegExp(`^\\| ${name} \\| \\S+ \\| (\\S+) \\|`, 'm')) ?? [];
    if (tried !== '–') expect(Number(tried.replaceAll(',', '')), name).toBeGreaterThanOrEqual(goal);
  }
});

test('what was measured goes into the table, and the rest of it stays', () => {
  const page = 'before\n<!-- figures -->\n<!-- /figures -->\nafter\n';
  const once = withFigures(page, new Map([['Signals', '600']]));
  expect(once).toMatch(/^before\n<!-- figures -->\n[\s\S]*\n<!-- \/figures -->\nafter\n$/);
  const twice = withFigures(once, new Map([['Redirects', '360']]));
  expect(twice).toContain('| Signals | 600 | 600 | ');
  expect(twice).toContain('| Redirects | 360 | 360 | ');
  expect(twice).toContain('| Pipes | 100 | – | ');
});
