import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './program.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Writes what the build bundles into a folder. */
const BUNDLE = `
const { bundle } = await import(process.argv[1] + '/scripts/bundle.mjs');
const { mkdir, writeFile } = await import('node:fs/promises');
await mkdir(process.argv[2], { recursive: true });
const { files } = await bundle(process.argv[1]);
for (const [name, text] of files) await writeFile(process.argv[2] + '/' + name, text);
`;

/** svc as it is installed, built from the sources as they are now into a folder of its own; `dist/` is not touched. */
export async function buildProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-built-'));
  const arguments_ = ['--input-type=module', '-e', BUNDLE, ROOT, join(folder, 'dist')];
  await promisify(execFile)(process.execPath, arguments_);
  await cp(join(ROOT, 'node_modules/open/xdg-open'), join(folder, 'dist/xdg-open'));
  await cp(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  return {
    command: [process.execPath, join(folder, 'bin/svc.cjs')],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
