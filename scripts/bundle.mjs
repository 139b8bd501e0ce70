// Bundles the program for speed: `main.cjs` holds what every command needs, and each command, shared part and library
// is a chunk that is read when it is asked for. Everything is CommonJS: Node starts it two to four milliseconds sooner.
// esbuild splits ESM only, so it splits first, and its chunks are then joined and turned into CommonJS.

import { basename } from 'node:path';
import { build, transform } from 'esbuild';
import { jqAsFile, stubs } from './libraries.mjs';

const COMMON = { platform: 'node', target: 'node20.19', legalComments: 'none', charset: 'ascii' };

const CJS = { ...COMMON, format: 'cjs', minify: true };

/** A plain object: the getters that esbuild would make for exports cost half a millisecond in the largest file. */
const EXPORTS = { __exports: 'module.exports' };

/**
 * Bundles src/start.ts.
 * @param {string} root the project's folder
 * @param {{ jq?: 'file' | 'inline' }} options whether jq is a file beside the program, or inside it
 * @returns {Promise<{ files: Map<string, string>, metafile: import('esbuild').Metafile }>} the text of each file
 */
export async function bundle(root, { jq = 'file' } = {}) {
  const { outputFiles, metafile } = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: { main: 'src/start.ts' },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    chunkNames: '[name]-[hash]',
    define: { 'import.meta.url': '__url' },
    plugins: jq === 'file' ? [stubs, jqAsFile] : [stubs],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const chunks = new Map(outputFiles.map(({ path, text }) => [basename(path), compileAtOnce(text)]));
  const core = coreOf(metafile, chunks);
  const names = new Set();
  const files = new Map();
  for (const [name, text] of chunks) {
    if (core.has(name)) continue;
    const { code } = await transform(plainExports(fromMain(text, core, names)), { ...CJS, define: EXPORTS });
    files.set(cjs(name), loadByRequire(code));
  }
  files.set('main.cjs', loadByRequire(await join(chunks, names)));
  return { files, metafile };
}

/** Reading one more file takes as long as reading this many characters more in a file that is read anyway. */
const COST_OF_A_FILE = 4_000;

/** Modules of Node that cost next to nothing; `crypto`, `net` or `child_process` cost milliseconds. */
const CHEAP = /^node:(buffer|events|fs|os|path|process)$/;

/** The chunks of `main.cjs`: what it loads at once, and what costs less to read in vain than to read apart. */
function coreOf(metafile, chunks) {
  const imports = (name) =>
    metafile.outputs[`dist/${name}`].imports
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .map(({ path }) => basename(path));
  const closure = (name) => {
    const all = new Set([name]);
    for (const one of all) for (const other of imports(one)) all.add(other);
    return all;
  };
  const isCheap = (name) =>
    [...closure(name)].every((one) =>
      metafile.outputs[`dist/${one}`].imports.every(({ path, external }) => !external || CHEAP.test(path)),
    );
  const core = closure('main.js');
  const commands = [...chunks.keys()].filter((name) =>
    metafile.outputs[`dist/${name}`].entryPoint?.startsWith('src/commands/'),
  );
  const needs = commands.map(closure);
  for (const [name, text] of chunks) {
    const users = needs.filter((need) => need.has(name)).length;
    const isReadApart = users * COST_OF_A_FILE < (commands.length - users) * text.length;
    if (users > 1 && !isReadApart && !commands.includes(name) && isCheap(name)) core.add(name);
  }
  return core;
}

/** What a chunk imports of the core, it gets from `main.js`; the names are collected, so that it exports no others. */
function fromMain(text, core, names) {
  const specifiers = [];
  const rest = text.replaceAll(/^import (?:\{([^}]*)\} from )?"\.\/([\w.-]+)";$/gm, (line, list, chunk) => {
    if (!core.has(chunk)) return line;
    for (const [name, local = name] of pairsOf(list)) {
      names.add(`${chunk} ${name}`);
      specifiers.push(`${nameIn(chunk, name)} as ${local}`);
    }
    return '';
  });
  const rewritten = specifiers.length === 0 ? rest : `import { ${specifiers.join(', ')} } from "./main.js";\n${rest}`;
  const missed = [...core].find((chunk) => chunk !== 'main.js' && rewritten.includes(chunk));
  if (missed !== undefined) throw new Error(`bundle: an import of ${missed} was not understood`);
  return rewritten;
}

/** Exports as a plain object, as those of `main.js` are. */
function plainExports(text) {
  return text.replace(/^export \{([^}]*)\};$/m, (_, list) => {
    const fields = pairsOf(list).map(([local, name = local]) => `${name}: ${local}`);
    return `__exports = { ${fields.join(', ')} };`;
  });
}

/** `a, b as c` as pairs. */
function pairsOf(list = '') {
  return list
    .split(',')
    .map((one) => one.trim().split(' as '))
    .filter(([name]) => name !== '');
}

/** The name under which `main.js` exports a name of one of its chunks. */
function nameIn(chunk, name) {
  return `${name}_${chunk.replaceAll(/^chunk-|\.js$|\W/g, '')}`;
}

/** The core as one CommonJS file. */
async function join(chunks, names) {
  const exported = [...names].sort().map((entry) => {
    const [chunk, name] = entry.split(' ');
    return { chunk, name, as: nameIn(chunk, name) };
  });
  const lines = exported.map(({ chunk, name, as }) => `import { ${name} as ${as} } from "./${chunk}";`);
  const all = `__exports = { start, ${exported.map(({ as }) => as).join(', ')} };`;
  const inMemory = {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\// }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path, external: true } : { path: basename(path), namespace: 'chunk' },
      );
      onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: chunks.get(path), loader: 'js' }));
    },
  };
  const { outputFiles } = await build({
    ...CJS,
    stdin: { contents: ['import { start } from "./main.js";', ...lines, all].join('\n') },
    define: EXPORTS,
    bundle: true,
    plugins: [inMemory],
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/**
 * CommonJS packages stand in functions that are called as soon as they are read. In parentheses they are compiled at
 * once; without, V8 would read them twice.
 */
function compileAtOnce(text) {
  return text.replaceAll(
    /^ {2}("[^"]+")(\([\w, ]*\)) \{\n([\s\S]*?)\n {2}\}\n\}\);$/gm,
    (_, name, parameters, body) => `  ${name}: (function${parameters} {\n${body}\n  })\n});`,
  );
}

/** A native `import()` would start Node's ESM loader, which costs more than all of svc's own files. */
function loadByRequire(code) {
  const text = code
    .replaceAll(/\bimport\("(node:[\w/]+)"\)/g, 'Promise.resolve().then(()=>require("$1"))')
    .replaceAll(/\bimport\("\.\/([\w.-]+)"\)/g, (_, name) => `Promise.resolve().then(()=>require("./${name}"))`)
    .replaceAll(/\brequire\("\.\/([\w.-]+)"\)/g, (_, name) => `require("./${cjs(name)}")`);
  return text.includes('__url') ? `const __url=require("node:url").pathToFileURL(__filename).href;${text}` : text;
}

function cjs(name) {
  return name.replace(/\.js$/, '.cjs');
}
