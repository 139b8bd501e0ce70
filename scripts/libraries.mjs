// esbuild plugins that leave out the parts of libraries that svc never uses.

/** Replacements of modules, by the importing package. */
const STUBS = [
  // conf writes through svc's own durable writer and is given no schema.
  { of: 'conf', path: 'atomically', text: 'export const writeFileSync = undefined;' },
  {
    of: 'conf',
    path: 'ajv/dist/2020.js',
    text: 'export class Ajv2020 {}; export default { default: Ajv2020 };',
  },
  { of: 'conf', path: 'ajv-formats', text: 'export default { default: () => undefined };' },
  // For the migrations of an app's settings; svc has none.
  { of: 'conf', path: 'semver', text: 'export default {};' },
  // svc names the folder itself; this would fail on load for a user without a home directory.
  { of: 'conf', path: 'env-paths', text: 'export default () => ({});' },
  // For bodies of `fetch`, such as forms; svc sends bytes.
  { of: 'undici', path: '../web/fetch/body.js', text: 'module.exports = {};' },
  // svc speaks HTTP/1.1 only.
  { of: 'undici', path: './client-h2.js', text: 'module.exports = {};' },
  // The second of two parsers; without it undici takes the one that runs on every processor.
  { of: 'undici', path: '../llhttp/llhttp_simd-wasm.js', text: 'module.exports = undefined;' },
  // svc checks arguments by its own command literals.
  {
    of: '@modelcontextprotocol/server',
    path: '@modelcontextprotocol/server/_shims',
    text: `export { default as process } from 'node:process';
      export class DefaultJsonSchemaValidator {
        getValidator() { return (data) => ({ valid: true, data, errorMessage: undefined }); }
      }`,
  },
  // For servers that describe their tools with zod; svc hands its JSON Schemas over as they are.
  {
    of: 'zod',
    path: '../core/json-schema-processors.js',
    text: 'export const toJSONSchema = undefined;',
  },
  {
    of: 'zod',
    path: '../core/to-json-schema.js',
    text: 'export const createToJSONSchemaMethod = () => undefined, createStandardJSONSchemaMethod = () => undefined;',
  },
  // For subcommands that are separate programs; it would be loaded at every start.
  { of: 'commander', path: 'node:child_process', text: 'module.exports = {};' },
  // svc draws its own spinner.
  { of: 'ora', path: 'cli-spinners', text: 'export default {};' },
  // The one of clack, which svc carries anyway: ora's own takes 60 ms to draw the first frame of a
  // spinner.
  { of: 'ora', path: 'string-width', text: "export { default } from 'fast-string-width';" },
];

/** @type {import('esbuild').Plugin} */
export const stubs = {
  name: 'stubs',
  setup({ onResolve, onLoad }) {
    for (const [index, { of, path }] of STUBS.entries()) {
      onResolve({ filter: exactly(path) }, ({ importer, resolveDir }) =>
        isInPackage(importer, of)
          ? { path, namespace: 'stub', pluginData: { index, resolveDir } }
          : undefined,
      );
    }
    onLoad({ filter: /.*/, namespace: 'stub' }, ({ pluginData: { index, resolveDir } }) => ({
      contents: STUBS[index]?.text ?? '',
      resolveDir,
    }));
  },
};

/**
 * Keeps jq in a compressed file of its own: inside JavaScript it would be a third larger.
 * @type {import('esbuild').Plugin}
 */
export const jqAsFile = {
  name: 'jq-as-file',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: exactly('jq-wasm/inline') }, ({ resolveDir }) => ({
      path: 'jq',
      namespace: 'jq-as-file',
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: 'jq-as-file' }, ({ pluginData }) => ({
      resolveDir: pluginData,
      contents: `
        import { readFileSync } from 'node:fs';
        import { brotliDecompressSync } from 'node:zlib';
        import { loadJq as load } from 'jq-wasm';
        const file = new URL('jq.wasm.br', import.meta.url);
        export const loadJq = () => load({ wasmBinary: brotliDecompressSync(readFileSync(file)) });`,
    }));
  },
};

/** @param {string} path */
function exactly(path) {
  return new RegExp(`^${path.replaceAll(/[./]/g, '\\$&')}$`);
}

/**
 * @param {string} file
 * @param {string} name
 */
function isInPackage(file, name) {
  return new RegExp(`[\\\\/]node_modules[\\\\/]${name}[\\\\/]`).test(file);
}
