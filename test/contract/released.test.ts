import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contractOf, narrowed } from '../../scripts/release/contract.mjs';

const ROOT = join(import.meta.dirname, '../..');
const RELEASED = JSON.parse(readFileSync(join(import.meta.dirname, 'released.json'), 'utf8'));

test('no field of the last release is removed or narrowed unless the CHANGELOG says so', () => {
  const now = contractOf(readFileSync(join(ROOT, 'docs/json.md'), 'utf8'));
  const [, unreleased = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## .*$/m);
  const silent = narrowed(RELEASED, now).filter((change) => {
    const [field = ''] = change.split(/ (?:is gone|was )/);
    return !unreleased.includes(`\`${field}\``);
  });
  expect(silent).toEqual([]);
  expect(Object.keys(RELEASED).length).toBeGreaterThan(200);
});

test.each([
  [{}, ['a: x is gone']],
  [{ 'a: x': 'string, optional' }, ['a: x was string, and is string, optional']],
  [{ 'a: x': 'string', 'a: y': 'string' }, []],
])('what became %j is found', (now, found) => {
  expect(narrowed({ 'a: x': 'string' }, now)).toEqual(found);
});
