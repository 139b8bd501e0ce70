// The beginning of the single executable. What is defined here becomes part of its start-up snapshot: the parts that
// every command needs are compiled already when it starts. The other files of the program are assets of the executable.
'use strict';

/** Where the files of the package seem to be, for code that asks for them by their path. */
const FOLDER = '/svc';

const loaded = new Map();

/** Runs the code of a file, which is given as a function. */
function define(name, code) {
  const module = { exports: {} };
  loaded.set(name, module);
  code(module.exports, requireHere, module, process.execPath, `${FOLDER}/bin`);
  return module.exports;
}

function requireHere(id) {
  if (id === 'fs') return { ...require('node:fs'), readFileSync: read };
  const name = nameOf(id);
  return name === undefined ? require(id) : (loaded.get(name)?.exports ?? load(name));
}

function load(name) {
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  return define(name, require('node:vm').compileFunction(asset(name), parameters, { filename: name }));
}

/** Reads a file; those of the package are assets. */
function read(path, ...options) {
  const name = nameOf(path);
  return name === undefined ? require('node:fs').readFileSync(path, ...options) : asset(name);
}

function asset(name) {
  return require('node:sea').getAsset(name, 'utf8');
}

/** `./buy-ABC.cjs` and `/svc/dist/help.txt` are files of dist/. */
function nameOf(path) {
  return /^(?:\.|\/svc\/bin\/\.\.\/dist|\/svc\/dist)\/([\w.-]+)$/.exec(path.replaceAll('\\', '/'))?.[1];
}

/** Starts the program now; where the executable is being built, whenever it starts. */
// biome-ignore lint/correctness/noUnusedVariables: scripts/binary.mjs writes the call behind this
function run(bin) {
  const { startupSnapshot } = require('node:v8');
  const start = () => define('svc.cjs', bin);
  if (startupSnapshot.isBuildingSnapshot()) startupSnapshot.setDeserializeMainFunction(start);
  else start();
}
