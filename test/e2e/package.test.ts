import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');

/** What may be in the package, and how many of each there are. */
const CONTENTS: ReadonlyArray<readonly [path: RegExp, atLeast: number, atMost: number]> = [
  [/^(package\.json|(README|CHANGELOG)\.md|LICENSE)$/, 4, 4],
  [/^(bin\/svc|dist\/main)\.cjs$/, 2, 2],
  [/^dist\/[\w-]+-[A-Z0-9]{8}\.cjs$/, 20, 200],
  [
    /^dist\/(jq\.wasm\.br|xdg-open|help\.txt|version\.txt|THIRD-PARTY-NOTICES|man\/svc\.1|openapi\.json)$/,
    7,
    7,
  ],
  [/^completions\/(_svc|svc\.(bash|fish|ps1))$/, 4, 4],
  [/^docs\/([a-z-]+|README)\.md$/, 8, 20],
  [/^skills\/svc\/SKILL\.md$/, 1, 1],
  [/^dist\/schema\/[a-z-]+\.json$/, 30, 60],
];

test('the package is small, has what it needs and nothing else, and installs without a network', async () => {
  const home = await temporaryFolder();
  /** Runs npm with a home, and so a cache, in which there is nothing. */
  const npm = async (...words: readonly string[]) => {
    const env = { HOME: home, npm_config_cache: join(home, 'cache') };
    return (await execa('npm', words, { cwd: ROOT, env })).stdout;
  };
  const prefix = join(home, 'prefix');
  await mkdir(prefix);
  const [packed] = JSON.parse(await npm('pack', '--json', '--pack-destination', home));
  expect(packed.size).toBeLessThanOrEqual(950_000);
  expect(packed.unpackedSize).toBeLessThanOrEqual(3_000_000);
  const paths: readonly string[] = packed.files.map(({ path }: { path: string }) => path);
  expect(paths.filter((path) => !CONTENTS.some(([known]) => known.test(path)))).toEqual([]);
  for (const [known, atLeast, atMost] of CONTENTS) {
    const count = paths.filter((path) => known.test(path)).length;
    expect(count >= atLeast && count <= atMost, `${known}: ${count}`).toBe(true);
  }

  await npm('install', '--global', '--offline', '--prefix', prefix, join(home, packed.filename));
  const svc = async (...words: string[]) =>
    (await execa(join(prefix, 'bin/svc'), words, { cwd: '/', env: { HOME: home }, input: '' }))
      .stdout;
  expect(await svc('--version')).toBe(read(ROOT, 'dist/version.txt').trim());
  expect(await svc('completion', 'bash')).toContain('Completion of svc for bash');
  expect(read(prefix, 'share/man/man1/svc.1')).toBe(read(ROOT, 'dist/man/svc.1'));
});

test('the package needs no other, and runs nothing when it is installed', () => {
  const manifest = JSON.parse(read(ROOT, 'package.json'));
  expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual([
    'devDependencies',
  ]);
  expect(
    Object.keys(manifest.scripts).filter((name) => /install|prepare|publish/.test(name)),
  ).toEqual([]);
});

test('the build gives the same files every time, and names no folder of this machine', async () => {
  // Another process made this one, for another folder.
  const dist = join((await builtProgram()).command[1], '../../dist');
  for (const [name, text] of (await bundle(ROOT)).files) {
    expect(read(dist, name) === text, name).toBe(true);
    expect(text.includes(ROOT), name).toBe(false);
  }
});
