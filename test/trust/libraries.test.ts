import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const libraries: Readonly<Record<string, string>> = JSON.parse(read('package.json')).devDependencies;

/** What the lockfile says of a package. */
type Locked = Readonly<Partial<Record<'version' | 'integrity' | 'resolved' | 'link' | 'hasInstallScript', string>>>;
const LOCKED = Object.entries<Locked>(JSON.parse(read('package-lock.json')).packages).filter(([path]) => path !== '');
const pathsOf = (isOdd: (locked: Locked) => unknown) => LOCKED.filter(([, one]) => isOdd(one)).map(([path]) => path);

test('every library has one exact version, with the hash of what it is, and no registry address', () => {
  const versions = new Map(LOCKED.map(([path, { version }]) => [path, version]));
  const locked = Object.keys(libraries).map((name) => [name, versions.get(`node_modules/${name}`)]);
  expect(Object.fromEntries(locked)).toEqual(libraries);
  expect(pathsOf(({ integrity = '', link }) => !link && !integrity.startsWith('sha512-'))).toEqual([]);
  expect(pathsOf(({ resolved }) => resolved)).toEqual([]);
});

test('installing them runs nothing; the one that would is known and does without', () => {
  expect(pathsOf(({ hasInstallScript }) => hasInstallScript)).toEqual(['node_modules/esbuild']);
  expect(read('scripts/setup.mjs')).toMatch(/'npm', \['ci', '--ignore-scripts'/);
});

test('the HTTP library is new enough to have its known faults mended', () => {
  const [major = 0, minor = 0] = (libraries['undici'] ?? '').split('.').map(Number);
  expect([major, minor >= 30]).toEqual([7, true]);
});
