import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));
const libraries: Readonly<Record<string, string>> = read('package.json').devDependencies;
const lock: Readonly<Record<string, { version: string; integrity?: string; link?: boolean }>> =
  read('package-lock.json').packages;

test('every library has one exact version, with the hash of what it is', () => {
  for (const [name, version] of Object.entries(libraries)) {
    expect([name, version]).toEqual([name, lock[`node_modules/${name}`]?.version]);
  }
  const unsure = Object.entries(lock).filter(
    ([path, { integrity, link }]) => path !== '' && !link && !/^sha512-/.test(integrity ?? ''),
  );
  expect(unsure).toEqual([]);
});

test('the HTTP library is new enough to have its known faults mended', () => {
  const [major = 0, minor = 0] = (libraries['undici'] ?? '').split('.').map(Number);
  expect([major, minor >= 30]).toEqual([7, true]);
});
