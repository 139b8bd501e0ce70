import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Command } from '../../src/kit/define.ts';

const ROOT = join(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');

/** A command whose parameters are renamed. */
interface Subject {
  readonly load: () => Promise<{ readonly default: Command }>;
  /** The files and folders below `src/commands` that know its arguments and options. */
  readonly parts: readonly string[];
}

const SUBJECTS: readonly Subject[] = [
  // The commands that spend money or change a site.
  { load: () => import('../../src/commands/buy.ts'), parts: ['buy.ts', 'buy'] },
  { load: () => import('../../src/commands/wp/run.ts'), parts: ['wp/run.ts', 'wp/job.ts'] },
];

test('an argument or option that is renamed in its literal alone does not compile', async () => {
  // Git and biome ignore `dist-*`; outside src, no other test sees the copies.
  const folder = mkdtempSync(join(ROOT, 'dist-renamed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const renamed: Array<{ readonly path: string; readonly key: string }> = [];
  for (const { load, parts } of SUBJECTS) {
    const { path, args, options } = (await load()).default;
    for (const name of [path, `${path}, unchanged`]) copy(parts, join(folder, name));
    for (const key of [...Object.keys(args), ...Object.keys(options)]) {
      rename(key, join(folder, path));
      renamed.push({ path, key });
    }
  }
  const errors = await compile(folder);
  expect(errors.filter((line) => !renamed.some(({ path }) => line.startsWith(`${path}/`)))).toEqual([]);
  const isNoticed = ({ path, key }: (typeof renamed)[0]) =>
    errors.some((line) => line.startsWith(`${path}/`) && new RegExp(`["']${key}["']`).test(line));
  expect(renamed.filter((one) => !isNoticed(one))).toEqual([]);
});

function copy(parts: readonly string[], to: string): void {
  for (const part of parts) cpSync(join(SRC, 'commands', part), join(to, 'commands', part), { recursive: true });
}

/** Renames the key where it is declared: `plan: option(…)`, or `service: SERVICE_OPTION.service`. */
function rename(key: string, folder: string): void {
  const makers = 'flag|off|option|fileOption|choice|list|optionalValue|required|optional|rest';
  const declared = new RegExp(`(^ *|{ )${key}(?=: (?:(?:${makers})\\(|[A-Z]))`, 'gm');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const places = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(declared)].map(() => file),
  );
  const [file, ...others] = places;
  if (file === undefined || others.length > 0)
    throw new Error(`${key} is declared ${places.length} times in ${folder}`);
  const text = readFileSync(join(folder, file), 'utf8');
  writeFileSync(join(folder, file), text.replace(declared, `$1${key}Renamed`));
}

/** Compiles all copies at once, and returns the errors. Each names what the code around the literal asks for in vain. */
async function compile(folder: string): Promise<readonly string[]> {
  const copies = readdirSync(folder);
  const config = {
    extends: '../tsconfig.json',
    // What a copy imports and does not have comes from src.
    compilerOptions: { rootDirs: ['../src', ...copies] },
    include: [...copies, '../src/*.d.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false'];
  const { stdout } = await promisify(execFile)(process.execPath, tsc, { cwd: folder, maxBuffer: 2 ** 26 }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}
