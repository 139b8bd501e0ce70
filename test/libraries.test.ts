import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const libraries: Readonly<Record<string, string>> = JSON.parse(
  read('package.json'),
).devDependencies;

type Locked = Readonly<
  Partial<Record<'version' | 'integrity' | 'resolved' | 'link' | 'hasInstallScript', string>>
>;

test('every library has one exact version and its hash, no registry address, and runs nothing on installation', () => {
  const { '': _, ...locked }: Record<string, Locked> = JSON.parse(
    read('package-lock.json'),
  ).packages;
  const pathsOf = (isOdd: (one: Locked) => unknown) =>
    Object.keys(locked).filter((path) => isOdd(locked[path] ?? {}));
  for (const [name, version] of Object.entries(libraries))
    expect(locked[`node_modules/${name}`]).toMatchObject({ version });
  expect(pathsOf(({ integrity = '', link }) => !link && !integrity.startsWith('sha512-'))).toEqual(
    [],
  );
  expect(pathsOf(({ resolved }) => resolved)).toEqual([]);
  // It does without: packages are installed with --ignore-scripts.
  expect(pathsOf(({ hasInstallScript }) => hasInstallScript)).toEqual(['node_modules/esbuild']);
});
