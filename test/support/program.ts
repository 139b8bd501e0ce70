import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { once } from '../../src/once.ts';

/** svc as a program of its own, for tests that kill it or give it a terminal. */
export interface Program {
  /** The words that start it. */
  readonly command: readonly [node: string, script: string];
}

const ROOT = join(import.meta.dirname, '../..');

/** svc as it is installed, built from the sources as they are now; once for all test files of a worker. */
export const builtProgram = once(async (): Promise<Program> => {
  const folder = await mkdtemp(join(inject('scratch'), 'svc-'));
  // Other users run it as well.
  await chmod(folder, 0o755);
  for (const part of ['bin', 'package.json']) await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.mjs'), join(folder, 'dist')]);
  return { command: [process.execPath, join(folder, 'bin/svc.cjs')] };
});
