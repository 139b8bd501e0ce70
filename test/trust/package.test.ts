import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildProgram } from '../support/built.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const own = read('package.json');
const lock: Readonly<Record<string, { version: string; resolved?: string; integrity?: string; link?: boolean }>> =
  read('package-lock.json').packages;

test('whoever installs svc installs one package, and runs nothing of it', () => {
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies']) {
    expect(own[kind] ?? {}, kind).toEqual({});
  }
  const runAtInstall = /^(pre|post)?(install|prepare|uninstall)$|^(pre|post)?pack$/;
  expect(Object.keys(own.scripts).filter((name) => runAtInstall.test(name))).toEqual([]);
});

test('what is published is named: the entry, the built program, and its documentation', () => {
  expect(own.files).toEqual(['bin/svc.cjs', 'dist', 'completions', 'man', 'CHANGELOG.md']);
});

test('every library has one exact version, with the hash of what it is', () => {
  for (const [name, version] of Object.entries(own.devDependencies)) {
    expect([name, version]).toEqual([name, lock[`node_modules/${name}`]?.version]);
  }
  const unsure = Object.entries(lock).filter(
    ([path, { integrity, link }]) => path !== '' && !link && !/^sha512-/.test(integrity ?? ''),
  );
  expect(unsure).toEqual([]);
});

test('the HTTP library is new enough to have its known faults mended', () => {
  const [major = 0, minor = 0] = String(own.devDependencies.undici).split('.').map(Number);
  expect([major, minor >= 30]).toEqual([7, true]);
});

test('two builds are the same bytes, and say nothing of where they were made', async () => {
  const [first, second] = await Promise.all([buildProgram(), buildProgram()]);
  onTestFinished(() => first.remove());
  onTestFinished(() => second.remove());
  const filesOf = ([, script]: readonly [string, string]) => {
    const dist = join(dirname(dirname(script)), 'dist');
    const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const isFile = (name: string) => statSync(join(dist, name)).isFile();
    return Object.fromEntries(
      names.filter(isFile).map((name) => [name, readFileSync(join(dist, name)).toString('latin1')]),
    );
  };
  const [files, again] = [filesOf(first.command), filesOf(second.command)];
  expect(Object.keys(files).sort()).toEqual(Object.keys(again).sort());
  expect(Object.keys(files).filter((name) => files[name] !== again[name])).toEqual([]);
  const places = [ROOT, dirname(dirname(first.command[1]))];
  expect(Object.entries(files).filter(([, text]) => places.some((place) => text.includes(place)))).toEqual([]);
  expect(existsSync(join(dirname(dirname(first.command[1])), 'dist/THIRD-PARTY-NOTICES'))).toBe(true);
});
