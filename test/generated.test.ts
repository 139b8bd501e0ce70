import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/svc.ts';

const ROOT = join(import.meta.dirname, '..');
/** Files with generated parts, and how those may be old. */
const PARTLY: ReadonlyArray<readonly [file: string, part: RegExp]> = [
  ['docs/json.md', /^\| (?:\[`svc |`).*\n/gm],
  ['scripts/install/server.json', /(?<="version": ")[\d.]+/g],
];
const ALL = ['docs/commands.md', ...PARTLY.map(([file]) => file)];

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8');
const generate = (root: string, ...words: readonly string[]) => {
  const terminal = { LANG: 'tr_TR.UTF-8', COLUMNS: '40', FORCE_COLOR: '3' };
  const env = { ...terminal, TZ: 'Pacific/Chatham', SVC_ORG: 'a', SVC_DEBUG: '1' };
  return execa(process.execPath, [join(root, 'scripts/generate.mjs'), ...words], {
    reject: false,
    env,
    extendEnv: false,
  });
};

test('generated files are reported if they are stale, and written again as they were, in an odd terminal too', async () => {
  const folder = await temporaryFolder();
  const parts = [
    'bin',
    'dist',
    'scripts',
    'completions',
    'docs',
    'skills',
    'package.json',
    'src/contract',
    'src/json',
  ];
  for (const part of parts) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  rmSync(join(folder, 'docs/commands.md'));
  for (const [file, part] of PARTLY)
    writeFileSync(join(folder, file), read(folder, file).replaceAll(part, ''));
  const { exitCode, stderr } = await generate(folder, '--check');
  const said = ALL.map((file) => `${file} is not current: npm run docs`);
  expect([exitCode, stderr.split('\n').sort()]).toEqual([1, said.sort()]);
  await generate(folder);
  for (const file of ALL) expect(read(folder, file), file).toBe(read(ROOT, file));
});
