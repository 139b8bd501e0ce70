// Preloaded with `node --require`: at its end, the process writes to $LOADS which files and modules
// of Node it loaded.
'use strict';
const { writeFileSync } = require('node:fs');

/** @typedef {{ filename: string }} Parent */
/**
 * What Node keeps to itself.
 * @typedef {object} Loader
 * @property {(request: string, parent: Parent, isMain: boolean) => unknown} _load
 * @property {(request: string, parent: Parent, isMain: boolean) => string} _resolveFilename
 */
const Module = /** @type {Loader} */ (/** @type {unknown} */ (require('node:module')));
/** @returns {string[]} */
const loaded = () => Reflect.get(process, 'moduleLoadList');

const before = new Set(loaded());
/** @type {string[]} */
const files = [];
const load = Module._load;
Module._load = function record(request, parent, isMain) {
  if (request.startsWith('.') || request.startsWith('/'))
    files.push(Module._resolveFilename(request, parent, isMain));
  return load.apply(this, [request, parent, isMain]);
};
const modules = () =>
  loaded()
    .filter((name) => name.startsWith('NativeModule ') && !before.has(name))
    .map((name) => name.slice('NativeModule '.length));
process.on('exit', () => {
  writeFileSync(
    process.env['LOADS'] ?? '',
    JSON.stringify({ files: [...new Set(files)], modules: modules() }),
  );
});
