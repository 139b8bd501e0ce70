// Builds dist/, or the folder given as argument: the program, its help, its man page, its schemas,
// its version and the licences of its packages.

import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { bundle } from './bundle.mjs';
import { loadSpec } from './generate/fields.mjs';
import { manPage } from './generate/man.mjs';
import { openApi, schemaFiles } from './generate/openapi.mjs';
import { noticesOf } from './notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = process.argv[2] ?? join(root, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const { files, metafile } = await bundle(root);
files.set('THIRD-PARTY-NOTICES', await noticesOf(metafile, root));
files.set('version.txt', `${version}\n`);

// Replaces dist/ only once the build is complete, so that a failed build or a running svc does no
// harm.
const next = await mkdtemp(`${dist}-`);
try {
  await chmod(next, 0o755);
  for (const [name, text] of files) await writeFile(join(next, name), text);
  // For systems without an xdg-open of their own.
  await copyFile(join(root, 'node_modules/open/xdg-open'), join(next, 'xdg-open'));
  await writeFile(join(next, 'jq.wasm.br'), await compressedJq());
  await chmod(join(next, 'xdg-open'), 0o755);
  // Rendered at build time, so that showing it loads nothing.
  await writeFile(join(next, 'help.txt'), svc('--help'));
  for (const folder of ['man', 'schema']) await mkdir(join(next, folder));
  for (const [path, text] of Object.entries(await descriptions()))
    await writeFile(join(next, path), text);
  await rename(dist, `${next}-former`).catch(() => undefined);
  await rename(next, dist);
} finally {
  for (const left of [next, `${next}-former`]) await rm(left, { recursive: true, force: true });
}

/**
 * Compresses jq as far as brotli can. That takes seconds, so the file of the last build is kept if
 * it holds the same jq.
 */
async function compressedJq() {
  const jq = await readFile(join(root, 'node_modules/jq-wasm/dist/build/jq.wasm'));
  try {
    const last = await readFile(join(root, 'dist/jq.wasm.br'));
    if (brotliDecompressSync(last).equals(jq)) return last;
  } catch {
    // There is none, or it is damaged.
  }
  return brotliCompressSync(jq, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
}

/** The man page, the OpenAPI document, and the JSON Schema of each document that svc prints. */
async function descriptions() {
  const spec = await loadSpec(root);
  return {
    'man/svc.1': manPage(JSON.parse(svc('help', '--json'))),
    'openapi.json': openApi(spec, version),
    ...schemaFiles(spec),
  };
}

/**
 * What the program that was just built prints.
 * @param {string[]} words
 */
function svc(...words) {
  const start = `require(${JSON.stringify(join(next, 'main.cjs'))}).start('${version}', '')`;
  return execFileSync(process.execPath, ['-e', start, 'svc', ...words], {
    encoding: 'utf8',
    env: {},
  });
}
