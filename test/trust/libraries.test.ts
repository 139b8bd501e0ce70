import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));
const libraries: Readonly<Record<string, string>> = read('package.json').devDependencies;
interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}

const lock: Readonly<Record<string, Locked>> = read('package-lock.json').packages;

test('every library has one exact version, with the hash of what it is', () => {
  for (const [name, version] of Object.entries(libraries)) {
    expect([name, version]).toEqual([name, lock[`node_modules/${name}`]?.version]);
  }
  const unsure = Object.entries(lock).filter(
    ([path, { integrity, link }]) => path !== '' && !link && !/^sha512-/.test(integrity ?? ''),
  );
  expect(unsure).toEqual([]);
});

test('the lockfile has no registry address', () => {
  const addressed = Object.entries(lock).filter(([, { resolved }]) => resolved !== undefined);
  expect(addressed).toEqual([]);
});

test('installing them runs nothing; the one that would is known and does without', () => {
  const eager = Object.entries(lock).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(eager.map(([path]) => path)).toEqual(['node_modules/esbuild']);
  const setup = readFileSync(join(import.meta.dirname, '../../scripts/setup.mjs'), 'utf8');
  expect(setup).toMatch(/'npm', \['ci', '--ignore-scripts'/);
});

test('the HTTP library is new enough to have its known faults mended', () => {
  const [major = 0, minor = 0] = (libraries['undici'] ?? '').split('.').map(Number);
  expect([major, minor >= 30]).toEqual([7, true]);
});
