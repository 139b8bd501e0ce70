#!/usr/bin/env node
'use strict';
// The smallest entry that can start the built program. It answers what needs no program at all: an
// old Node, the version, and the help of `svc` alone. Written so that any Node can parse it.
var fs = require('fs');
var path = require('path');

var dist = path.join(__filename, '..', '..', 'dist');
var words = process.argv.slice(2);

/**
 * Prints a text of the build. Returns false if the program has to do it instead.
 * @param {string} file
 */
function answer(file) {
  try {
    fs.writeSync(1, fs.readFileSync(path.join(dist, file), 'utf8'));
    return true;
  } catch (error) {
    return isSettled(/** @type {NodeJS.ErrnoException} */ (error).code);
  }
}

/**
 * Whether nothing is left to do after this error.
 * @param {string | undefined} code
 */
function isSettled(code) {
  if (code === 'EPIPE') return true;
  if (code === 'ENOENT' || code === 'EAGAIN') return false;
  fs.writeSync(2, 'Error: Cannot write to standard output (' + code + ').\n');
  process.exitCode = 1;
  return true;
}

/** Only the program knows how to paint and to wrap; a character device may be a terminal. */
function isPlain() {
  try {
    return process.env['FORCE_COLOR'] === undefined && !fs.fstatSync(1).isCharacterDevice();
  } catch (_error) {
    return false;
  }
}

function answeredAtOnce() {
  if (words.length !== 1) return false;
  if (words[0] === '--version' || words[0] === '-V') return answer('version.txt');
  return ['--help', '-h', 'help'].indexOf(words[0] || '') >= 0 && isPlain() && answer('help.txt');
}

function isOld() {
  var numbers = process.versions.node.split('.');
  var major = Number(numbers[0]);
  return major < 20 || (major === 20 && Number(numbers[1]) < 19);
}

/** Reads the version; undefined in a clone that was not built. */
function builtVersion() {
  try {
    return fs.readFileSync(path.join(dist, 'version.txt'), 'utf8').trim();
  } catch (_error) {
    return undefined;
  }
}

function startProgram() {
  var version = builtVersion();
  if (version === undefined) {
    fs.writeSync(2, 'Error: This clone of svc is not built. Run in its folder: npm run build\n');
    process.exitCode = 2;
    return;
  }
  // In parentheses, so that the type checker does not look into what is built.
  var program = /** @type {(path: string) => { start(version: string, entry: string): void }} */ (
    require
  )('../dist/main.cjs');
  program.start(version, __filename);
}

if (isOld()) {
  fs.writeSync(2, 'svc needs Node 20.19 or newer; this is ' + process.versions.node + '.\n');
  process.exitCode = 2;
} else if (!answeredAtOnce()) {
  startProgram();
}
