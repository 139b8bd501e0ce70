// Builds dist/: the program as CommonJS chunks that load each other lazily, its help text, and the licences it carries.
// esbuild splits ESM only, so the chunks are split as ESM first and turned into CommonJS one by one.

import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { noticesOf } from './notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** Parts of libraries that are never reached, and what stands in their place. */
const STUBS = {
  // conf writes through svc's own durable writer and is given no schema.
  atomically: 'export const writeFileSync = () => { throw new Error("unreachable"); };',
  'ajv/dist/2020.js': 'export class Ajv2020 {}; export default { Ajv2020, default: Ajv2020 };',
  'ajv-formats': 'export default () => undefined;',
};

const stubs = {
  name: 'stubs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(atomically|ajv|ajv-formats)(\/|$)/ }, ({ path }) =>
      path in STUBS ? { path, namespace: 'stub' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => ({ contents: STUBS[path], loader: 'js' }));
  },
};

const split = await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts' },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  keepNames: false,
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  define: { 'import.meta.url': '__url' },
  plugins: [stubs],
  metafile: true,
  write: false,
  logLevel: 'warning',
});

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
for (const file of split.outputFiles) {
  const { code } = await transform(file.text, { format: 'cjs', target: 'node20.19', minify: true, platform: 'node' });
  // Chunks are loaded by require: a native import() of CommonJS would start Node's ESM loader, which costs more.
  const named = code
    .replaceAll(/\bimport\("\.\/([\w.-]+)\.js"\)/g, 'Promise.resolve().then(()=>require("./$1.cjs"))')
    .replaceAll(/(["'])\.\/([\w.-]+)\.js\1/g, '$1./$2.cjs$1');
  const usesUrl = named.includes('__url');
  const text = usesUrl ? `const __url=require("node:url").pathToFileURL(__filename).href;${named}` : named;
  await writeFile(join(dist, basename(file.path).replace(/\.js$/, '.cjs')), text);
}

// `open` brings its own xdg-open for systems without one.
await copyFile(join(root, 'node_modules/open/xdg-open'), join(dist, 'xdg-open'));
await chmod(join(dist, 'xdg-open'), 0o755);
await writeFile(join(dist, 'THIRD-PARTY-NOTICES'), await noticesOf(split.metafile, root));
await writeFile(join(dist, 'version.txt'), `${version}\n`);

// The help of `svc` alone is written once here, so that showing it loads nothing.
const help = execFileSync(process.execPath, [join(root, 'bin/svc.cjs'), '--help'], { encoding: 'utf8', env: {} });
await writeFile(join(dist, 'help.txt'), help);
