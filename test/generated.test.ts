import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { needs } from './support/needs.ts';
import { svc, temporaryFolder } from './support/svc.ts';

const ROOT = join(import.meta.dirname, '..');
const GENERATED = ['docs/commands.md'];
const PAGE = join(ROOT, 'dist/man/svc.1');
/** Files with generated parts, and how those may be old. */
const PARTLY: ReadonlyArray<readonly [file: string, part: RegExp]> = [
  ['docs/json.md', /^\| (?:\[`svc |`).*\n/gm],
  ['scripts/install/server.json', /(?<="version": ")[\d.]+/g],
];
const ALL = [...GENERATED, ...PARTLY.map(([file]) => file)];

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8');

const check = (root: string, env: Readonly<Record<string, string>> = {}) =>
  execa(process.execPath, [join(root, 'scripts/generate.mjs'), '--check'], { reject: false, env, extendEnv: false });

/** The built program and the table of fields with what is generated from them, in a folder that may be changed. */
async function copy(): Promise<string> {
  const folder = await temporaryFolder();
  const parts = ['bin', 'dist', 'scripts', 'completions', 'docs', 'skills', 'package.json'];
  for (const part of [...parts, 'src/spec', 'src/json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

describe('generated files', () => {
  test('are current, in an odd terminal, language and time zone as well', async () => {
    const terminal = { LANG: 'tr_TR.UTF-8', COLUMNS: '40', FORCE_COLOR: '3' };
    const odd = { ...terminal, TZ: 'Pacific/Chatham', SVC_ORG: 'a', SVC_DEBUG: '1' };
    expect(await check(ROOT, odd)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('are reported if they are stale, and written again as they were', async () => {
    const folder = await copy();
    for (const file of GENERATED) rmSync(join(folder, file));
    for (const [file, part] of PARTLY) {
      const path = join(folder, file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(part, ''));
    }
    const { exitCode, stderr } = await check(folder);
    const said = ALL.map((file) => `${file} is not current: npm run docs`);
    expect([exitCode, stderr.split('\n').sort()]).toEqual([1, said.sort()]);
    await execa(process.execPath, [join(folder, 'scripts/generate.mjs')]);
    for (const file of ALL) expect(read(folder, file), file).toBe(read(ROOT, file));
  });
});

describe('the man page', () => {
  test('is where package.json says', async () => {
    const { man, files } = JSON.parse(read(ROOT, 'package.json'));
    expect({ man, files }).toMatchObject({ man: ['dist/man/svc.1'], files: expect.arrayContaining(['dist']) });
  });

  const mandoc = needs('mandoc');
  test.skipIf(mandoc.missing)(mandoc.title('has no fault that mandoc finds, but its missing date'), async () => {
    const { stdout } = await execa('mandoc', ['-T', 'lint', PAGE], { reject: false });
    expect(stdout.split('\n').filter((line) => !line.includes('missing date'))).toEqual([]);
  });
});

test('every command and every option of it stands in the reference and in the man page', async () => {
  const { stdout } = await svc(['help', '--json']);
  const leaves = (commands: Command[]): Command[] =>
    commands.flatMap((one) => (one.commands.length === 0 ? [one] : leaves(one.commands)));
  const reference = read(ROOT, 'docs/commands.md');
  const page = readFileSync(PAGE, 'utf8').replaceAll('\\-', '-');
  for (const { path, options } of leaves(JSON.parse(stdout).commands)) {
    const [, section = ''] = reference.split(`\n## ${path}\n`);
    expect(page).toContain(`.SS ${path}`);
    for (const { flags } of options) {
      expect(section.split('\n## ')[0]).toContain(`\`${flags.replaceAll('|', '\\|')}\``);
      expect(page).toContain(`\\fB${flags.replace('…', '...')}\\fR`);
    }
  }
});

interface Command {
  readonly path: string;
  readonly options: ReadonlyArray<{ readonly flags: string }>;
  readonly commands: Command[];
}
