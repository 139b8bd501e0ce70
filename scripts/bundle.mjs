// Bundles the program for speed: `main.cjs` is the code that every command needs, and each command,
// shared part and library is a chunk that is loaded on demand. Everything is CommonJS, which starts
// two to four milliseconds faster. esbuild splits ESM only, so its chunks are then joined and
// converted to CommonJS.

import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { build, transform } from 'esbuild';
import { jqAsFile, stubs } from './libraries.mjs';

/** @type {import('esbuild').CommonOptions} */
const COMMON = { platform: 'node', target: 'node20.19', legalComments: 'none', charset: 'ascii' };
/** @type {import('esbuild').CommonOptions} */
const CJS = { ...COMMON, format: 'cjs', minify: true };

/** @typedef {import('esbuild').Metafile} Metafile */

/** Exports as a plain object: esbuild's getters cost half a millisecond in the largest file. */
const EXPORTS = { __exports: 'module.exports' };

/**
 * Bundles src/start.ts.
 * @param {string} root the project's folder
 * @returns {Promise<{ files: Map<string, string>, metafile: Metafile }>} the text of each file
 */
export async function bundle(root) {
  const { outputFiles, metafile } = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: { main: 'src/start.ts' },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    chunkNames: '[name]-[hash]',
    define: {
      'import.meta.url': '__url',
      'process.env.SVC_DEFAULT_API_URL': JSON.stringify(defaultApiUrl()),
      'process.env.SVC_BUILT': JSON.stringify(iso(timeOfBuild(root))),
      'process.env.SVC_COMMIT': JSON.stringify(commitOfBuild(root)),
    },
    plugins: [stubs, jqAsFile],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const chunks = new Map(
    outputFiles.map(({ path, text }) => [basename(path), compileAtOnce(text)]),
  );
  const core = coreOf(metafile, chunks);
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const [name, text] of chunks) {
    if (core.has(name)) continue;
    const { code } = await transform(plainExports(fromMain(text, core, names)), {
      ...CJS,
      define: EXPORTS,
    });
    files.set(cjs(name), loadByRequire(code));
  }
  files.set('main.cjs', loadByRequire(await join(chunks, names)));
  return { files, metafile };
}

/** The address that a distributor makes svc for; empty without one. */
function defaultApiUrl() {
  const address = process.env['SVC_DEFAULT_API_URL'] ?? '';
  if (address !== '' && new URL(address).protocol !== 'https:')
    throw new Error('SVC_DEFAULT_API_URL is not an https address');
  return address;
}

/**
 * The time that the build and all files of a release carry, in seconds since 1970: that of the last
 * commit, unless a distributor sets another. Undefined outside a repository.
 * @param {string} root the project's folder
 */
export function timeOfBuild(root) {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given) return Number(given);
  const said = git(root, 'log', '-1', '--format=%ct');
  return said === undefined ? undefined : Number(said);
}

/**
 * The short hash of the commit, with `-dirty` if a file of it has changed. Twelve digits whatever
 * else is in the clone, so that all builds of a commit say the same. Where there is no repository,
 * as in an archive of the sources, what a distributor sets; else empty.
 * @param {string} root the project's folder
 */
function commitOfBuild(root) {
  return (
    git(root, 'describe', '--always', '--exclude=*', '--abbrev=12', '--dirty') ??
    process.env['SVC_COMMIT'] ??
    ''
  );
}

/**
 * What git prints; undefined outside a repository.
 * @param {string} root
 * @param {string[]} words
 */
function git(root, ...words) {
  try {
    return execFileSync('git', words, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

/** @param {number | undefined} seconds since 1970 */
function iso(seconds) {
  return seconds === undefined ? '' : new Date(seconds * 1000).toISOString().replace('.000', '');
}

/** Reading another file takes as long as reading this many more characters of one. */
const COST_OF_A_FILE = 4_000;

/** Modules of Node that load at once; `crypto`, `net` or `child_process` take milliseconds. */
const CHEAP = /^node:(buffer|events|fs|os|path|process)$/;

/**
 * The chunks of `main.cjs`: those that it needs, and those that are cheaper to load in vain than
 * from their own file.
 * @param {Metafile} metafile
 * @param {ReadonlyMap<string, string>} chunks
 */
function coreOf(metafile, chunks) {
  const output = (/** @type {string} */ name) => metafile.outputs[`dist/${name}`];
  const imports = (/** @type {string} */ name) =>
    (output(name)?.imports ?? [])
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .map(({ path }) => basename(path));
  const closure = (/** @type {string} */ name) => {
    const all = new Set([name]);
    for (const one of all) for (const other of imports(one)) all.add(other);
    return all;
  };
  const isCheap = (/** @type {string} */ name) =>
    [...closure(name)].every((one) =>
      output(one)?.imports.every(({ path, external }) => !external || CHEAP.test(path)),
    );
  const core = closure('main.js');
  const commands = [...chunks.keys()].filter((name) =>
    output(name)?.entryPoint?.startsWith('src/commands/'),
  );
  const needs = commands.map(closure);
  for (const [name, text] of chunks) {
    const users = needs.filter((need) => need.has(name)).length;
    const isReadApart = users * COST_OF_A_FILE < (commands.length - users) * text.length;
    if (users > 1 && !isReadApart && !commands.includes(name) && isCheap(name)) core.add(name);
  }
  return core;
}

/**
 * Redirects a chunk's imports from core chunks to `main.js`, and collects their names, so that it
 * exports no others.
 * @param {string} text
 * @param {ReadonlySet<string>} core
 * @param {Set<string>} names
 */
function fromMain(text, core, names) {
  /** @type {string[]} */
  const specifiers = [];
  const rest = text.replaceAll(
    /^import (?:\{([^}]*)\} from )?"\.\/([\w.-]+)";$/gm,
    (line, list, chunk) => {
      if (!core.has(chunk)) return line;
      for (const [name = '', local = name] of pairsOf(list)) {
        names.add(`${chunk} ${name}`);
        specifiers.push(`${nameIn(chunk, name)} as ${local}`);
      }
      return '';
    },
  );
  const rewritten =
    specifiers.length === 0
      ? rest
      : `import { ${specifiers.join(', ')} } from "./main.js";\n${rest}`;
  const missed = [...core].find((chunk) => chunk !== 'main.js' && rewritten.includes(chunk));
  if (missed !== undefined) throw new Error(`bundle: an import of ${missed} was not understood`);
  return rewritten;
}

/** @param {string} text */
function plainExports(text) {
  return text.replace(/^export \{([^}]*)\};$/m, (_, list) => {
    const fields = pairsOf(list).map(([local, name = local]) => `${name}: ${local}`);
    return `__exports = { ${fields.join(', ')} };`;
  });
}

/** Reads `a, b as c` as pairs. */
function pairsOf(list = '') {
  return list
    .split(',')
    .map((one) => one.trim().split(' as '))
    .filter(([name]) => name !== '');
}

/**
 * The name under which `main.js` exports a name of a core chunk.
 * @param {string} chunk
 * @param {string} name
 */
function nameIn(chunk, name) {
  return `${name}_${chunk.replaceAll(/^chunk-|\.js$|\W/g, '')}`;
}

/**
 * Joins the core into one CommonJS file.
 * @param {ReadonlyMap<string, string>} chunks
 * @param {ReadonlySet<string>} names
 */
async function join(chunks, names) {
  const exported = [...names].sort().map((entry) => {
    const [chunk = '', name = ''] = entry.split(' ');
    return { chunk, name, as: nameIn(chunk, name) };
  });
  const lines = exported.map(
    ({ chunk, name, as }) => `import { ${name} as ${as} } from "./${chunk}";`,
  );
  const all = `__exports = { start, ${exported.map(({ as }) => as).join(', ')} };`;
  /** @type {import('esbuild').Plugin} */
  const inMemory = {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\// }, ({ path, kind }) =>
        kind === 'dynamic-import'
          ? { path, external: true }
          : { path: basename(path), namespace: 'chunk' },
      );
      onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
        contents: chunks.get(path) ?? '',
        loader: 'js',
      }));
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
  return outputFiles[0]?.text ?? '';
}

/**
 * Puts the functions of CommonJS packages in parentheses, which makes V8 compile them at once; they
 * are called right away, and V8 would otherwise parse them twice.
 * @param {string} text
 */
function compileAtOnce(text) {
  return text.replaceAll(
    /^ {2}("[^"]+")(\([\w, ]*\)) \{\n([\s\S]*?)\n {2}\}\n\}\);$/gm,
    (_, name, parameters, body) => `  ${name}: (function${parameters} {\n${body}\n  })\n});`,
  );
}

/**
 * Avoids Node's ESM loader, which costs more than all of svc's own files.
 * @param {string} code
 */
function loadByRequire(code) {
  const text = code
    .replaceAll(/\bimport\("(node:[\w/]+)"\)/g, 'Promise.resolve().then(()=>require("$1"))')
    .replaceAll(
      /\bimport\("\.\/([\w.-]+)"\)/g,
      (_, name) => `Promise.resolve().then(()=>require("./${name}"))`,
    )
    .replaceAll(/\brequire\("\.\/([\w.-]+)"\)/g, (_, name) => `require("./${cjs(name)}")`);
  return text.includes('__url')
    ? `const __url=require("node:url").pathToFileURL(__filename).href;${text}`
    : text;
}

/** @param {string} name */
function cjs(name) {
  return name.replace(/\.js$/, '.cjs');
}
