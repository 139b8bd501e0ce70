// Builds dist/, or the folder given as argument: the program, its help text, its version and the licences of its packages.

import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { bundle } from './bundle.mjs';
import { noticesOf } from './notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = process.argv[2] ?? join(root, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const { files, metafile } = await bundle(root);
files.set('THIRD-PARTY-NOTICES', await noticesOf(metafile, root));
files.set('version.txt', `${version}\n`);

// Replaces dist/ only once the build is complete, so that a failed build or a running svc does no harm.
const next = await mkdtemp(`${dist}-`);
try {
  await chmod(next, 0o755);
  for (const [name, text] of files) await writeFile(join(next, name), text);
  // For systems without an xdg-open of their own.
  await copyFile(join(root, 'node_modules/open/xdg-open'), join(next, 'xdg-open'));
  await writeFile(join(next, 'jq.wasm.br'), await compressedJq());
  await chmod(join(next, 'xdg-open'), 0o755);
  await writeFile(join(next, 'help.txt'), help(join(next, 'main.cjs')));
  await rename(dist, `${next}-former`).catch(() => undefined);
  await rename(next, dist);
} finally {
  for (const left of [next, `${next}-former`]) await rm(left, { recursive: true, force: true });
}

/** Compresses jq as far as brotli can. That takes seconds, so the file of the last build is kept if it holds the same jq. */
async function compressedJq() {
  const jq = await readFile(join(root, 'node_modules/jq-wasm/dist/build/jq.wasm'));
  try {
    const last = await readFile(join(root, 'dist/jq.wasm.br'));
    if (brotliDecompressSync(last).equals(jq)) return last;
  } catch {
    // There is none, or it is damaged.
  }
  return brotliCompressSync(jq, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });
}

/**
 * Renders the help of `svc` at build time, so that showing it loads nothing.
 * @param {string} program the path of main.cjs
 */
function help(program) {
  const start = `require(${JSON.stringify(program)}).start('${version}', '')`;
  return execFileSync(process.execPath, ['-e', start, 'svc', '--help'], { encoding: 'utf8', env: {} });
}
