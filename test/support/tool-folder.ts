import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/**
 * Installs packages that are not part of `npm ci`, for they have hundreds of dependencies, and
 * returns their folder.
 */
export async function toolFolder(name: string, packages: readonly string[]): Promise<string> {
  const folder = join(CACHE, name);
  const done = join(folder, 'installed');
  if (existsSync(done)) return folder;
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('npm', [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    ...packages,
  ]);
  await writeFile(done, '');
  return folder;
}
