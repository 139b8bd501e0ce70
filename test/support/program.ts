import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** svc as a program of its own, for tests that kill it or give it a terminal. */
export interface Program {
  /** The words that start it. */
  readonly command: readonly [node: string, script: string];
  remove(): Promise<void>;
}

const START = join(import.meta.dirname, '../../src/start.ts');

/** Bundles the program into a temporary folder, which `remove` removes. It shares nothing with `dist/`. */
export async function bundleProgram(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-program-'));
  await build({
    stdin: {
      contents: `import { start } from ${JSON.stringify(START)};\nvoid start('0.0.0-test', process.argv[1]);\n`,
      resolveDir: import.meta.dirname,
      sourcefile: 'svc.ts',
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    minify: true,
    outdir: folder,
    entryNames: 'svc',
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return {
    command: [process.execPath, join(folder, 'svc.mjs')],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
