import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { once } from '../../src/once.ts';
import { until } from './until.ts';

/** svc as a program of its own, for tests that kill it or give it a terminal. */
export interface Program {
  readonly command: readonly [runner: string, program: string];
}

const ROOT = join(import.meta.dirname, '../..');

/** The executable that is tested instead of the package; see `npm run test:binary`. */
export const EXECUTABLE = process.env['SVC_TEST_PROGRAM']
  ? resolve(process.env['SVC_TEST_PROGRAM'])
  : undefined;

/**
 * The executable for tests that are about it: the tested one, or one that `npm run build:binary`
 * left.
 */
export const builtExecutable = [
  EXECUTABLE,
  join(ROOT, `dist-binary/svc-${process.platform}-${process.arch}`),
].find((file) => file !== undefined && existsSync(file));

/** svc as it stands in this folder, after `npm run build`. */
export const PROGRAM: Program['command'] = EXECUTABLE
  ? ['/usr/bin/env', EXECUTABLE]
  : [process.execPath, join(ROOT, 'bin/svc.cjs')];

/** Makes a folder in the scratch folder of the run. One worker makes it, and the others wait. */
export async function madeOnce(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(inject('scratch'), name);
  const result = `${folder}-result`;
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) await writeFile(`${result}.new`, await make(folder).then(() => '', String));
  if (isFirst) await rename(`${result}.new`, result);
  await until(() => existsSync(result));
  const problem = await readFile(result, 'utf8');
  if (problem !== '') throw new Error(problem);
  return folder;
}

/** svc as it is installed, built from the sources as they are now. */
export const builtProgram = once(async (): Promise<Program> => {
  if (EXECUTABLE !== undefined) return { command: PROGRAM };
  return { command: [process.execPath, join(await madeOnce('program', build), 'bin/svc.cjs')] };
});

async function build(folder: string): Promise<void> {
  // Other users run it as well.
  await chmod(folder, 0o755);
  for (const part of ['bin', 'docs', 'skills', 'package.json', 'CHANGELOG.md'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await promisify(execFile)(process.execPath, [
    join(ROOT, 'scripts/build.mjs'),
    join(folder, 'dist'),
  ]);
}

/** The environment in which Node or Bun loads a script before svc. */
export function preloading(script: string): Readonly<Record<string, string>> {
  return EXECUTABLE === undefined
    ? { NODE_OPTIONS: `--require ${script}` }
    : { BUN_OPTIONS: `--preload ${script}` };
}
