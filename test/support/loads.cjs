// Preloaded with `node --require`: at its end, the process writes to $LOADS which files and modules of Node it loaded,
// and which of these it had when it opened its first connection.
'use strict';
const { subscribe } = require('node:diagnostics_channel');
const { writeFileSync } = require('node:fs');
const Module = require('node:module');

const before = new Set(process.moduleLoadList);
const files = [];
const load = Module._load;
Module._load = function record(request, parent, isMain) {
  if (request.startsWith('.') || request.startsWith('/')) files.push(Module._resolveFilename(request, parent, isMain));
  return load.apply(this, [request, parent, isMain]);
};
const modules = () =>
  process.moduleLoadList
    .filter((name) => name.startsWith('NativeModule ') && !before.has(name))
    .map((name) => name.slice('NativeModule '.length));
let atConnect;
subscribe('net.client.socket', () => {
  atConnect ??= modules();
});
process.on('exit', () => {
  writeFileSync(process.env.LOADS, JSON.stringify({ files: [...new Set(files)], modules: modules(), atConnect }));
});
