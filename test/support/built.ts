import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './program.ts';

const ROOT = join(import.meta.dirname, '../..');

/** svc as it is installed, built from the sources as they are now into a folder of its own; `dist/` is not touched. */
export async function buildProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-built-'));
  for (const part of ['bin', 'package.json']) await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.mjs'), join(folder, 'dist')]);
  return {
    command: [process.execPath, join(folder, 'bin/svc.cjs')],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
