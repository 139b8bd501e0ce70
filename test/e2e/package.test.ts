import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';

const ROOT = join(import.meta.dirname, '../..');
const MB = 1_000_000;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: ReadonlyArray<{ readonly path: string; readonly mode: number }>;
}

/** What may be in the package, and how many of each there are. */
const CONTENTS: ReadonlyArray<readonly [path: RegExp, atLeast: number, atMost: number]> = [
  [/^package\.json$/, 1, 1],
  [/^(README|CHANGELOG)\.md$/, 2, 2],
  [/^LICENSE$/, 1, 1],
  [/^bin\/svc\.cjs$/, 1, 1],
  [/^dist\/main\.cjs$/, 1, 1],
  [/^dist\/[\w-]+-[A-Z0-9]{8}\.cjs$/, 20, 200],
  [/^dist\/jq\.wasm\.br$/, 1, 1],
  [/^dist\/(xdg-open|help\.txt|version\.txt|THIRD-PARTY-NOTICES)$/, 4, 4],
  [/^completions\/(_svc|svc\.(bash|fish|ps1))$/, 4, 4],
  [/^dist\/(man\/svc\.1|openapi\.json)$/, 2, 2],
  [/^docs\/([a-z-]+|README)\.md$/, 8, 20],
  [/^skills\/svc\/SKILL\.md$/, 1, 1],
  [/^dist\/schema\/[a-z-]+\.json$/, 30, 60],
];

/** Runs npm with a home, and so a cache, in which there is nothing. */
async function npm(home: string, ...words: readonly string[]): Promise<string> {
  const env = { HOME: home, npm_config_cache: join(home, 'cache') };
  return (await execa('npm', words, { cwd: ROOT, env })).stdout;
}

describe('the package', () => {
  let packed: Packed;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-package-'));
    const [one] = JSON.parse(await npm(folder, 'pack', '--json', '--pack-destination', folder));
    packed = { ...one, filename: join(folder, one.filename) };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('is small, and contains the program, its texts and its licences, and nothing else', () => {
    expect(packed.size).toBeLessThanOrEqual(0.95 * MB);
    expect(packed.unpackedSize).toBeLessThanOrEqual(3 * MB);
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => !CONTENTS.some(([known]) => known.test(path)))).toEqual([]);
    for (const [known, atLeast, atMost] of CONTENTS) {
      const count = paths.filter((path) => known.test(path)).length;
      expect(count >= atLeast && count <= atMost, `${known}: ${count}`).toBe(true);
    }
  });

  test('needs no other package, and runs nothing when it is installed', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual(['devDependencies']);
    expect(Object.keys(manifest.scripts).filter((name) => /install|prepare|publish/.test(name))).toEqual([]);
  });

  test('installs into an empty prefix without a network, and runs from there', async () => {
    const home = await temporaryFolder();
    const prefix = join(home, 'prefix');
    await npm(home, 'install', '--global', '--offline', '--prefix', prefix, packed.filename);
    const svc = (...words: string[]) =>
      execa(join(prefix, 'bin/svc'), words, { cwd: '/', env: { HOME: home }, input: '' });
    expect((await svc('--version')).stdout).toBe(readFileSync(join(ROOT, 'dist/version.txt'), 'utf8').trim());
    expect((await svc('--help')).stdout).toContain('svc sandbox tour');
    expect((await svc('completion', 'bash')).stdout).toContain('Completion of svc for bash');
    const page = (folder: string) => readFileSync(join(folder, 'svc.1'), 'utf8');
    expect(page(join(prefix, 'share/man/man1'))).toBe(page(join(ROOT, 'dist/man')));
  });
});

describe('the build', () => {
  let one: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    one = await bundle(ROOT);
  });

  test('gives the same files every time, and names no folder of this machine', async () => {
    // Another process made this one, for another folder.
    const dist = join((await builtProgram()).command[1], '../../dist');
    for (const [name, text] of one.files) expect(readFileSync(join(dist, name), 'utf8') === text, name).toBe(true);
    const named = [...one.files].filter(([, text]) => text.includes(ROOT)).map(([name]) => name);
    expect(named).toEqual([]);
  });
});
