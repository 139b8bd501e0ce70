#!/usr/bin/env node
'use strict';
// The smallest entry that can start the built program. It answers what needs no program at all: an old Node, the
// version, and the help of `svc` alone. Written so that any Node can parse it.
var fs = require('fs');
var path = require('path');

var dist = path.join(__filename, '..', '..', 'dist');
var words = process.argv.slice(2);

/**
 * Prints a text of the build. Returns false if the program has to do it instead.
 * @param {string} file
 * @param {(text: string) => string} prepare
 */
function answer(file, prepare) {
  try {
    fs.writeSync(1, prepare(fs.readFileSync(path.join(dist, file), 'utf8')));
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

/**
 * Makes headings bold on a terminal that shows colours.
 * @param {string} text
 */
function emphasized(text) {
  var plain = process.env['NO_COLOR'] || process.env['TERM'] === 'dumb' || !isTerminal();
  return plain ? text : text.replace(/^(\S.*:)$/gm, '\u001B[1m$1\u001B[22m');
}

/** The text is 80 columns wide, and knows one kind of terminal. */
function isUsual() {
  if (process.env['FORCE_COLOR'] !== undefined) return false;
  if (!isTerminal()) return true;
  return (process.env['TERM'] || process.platform === 'win32') && !(process.stdout.columns < 80);
}

/** Loading `tty` takes a millisecond, so pipes and files are told apart without it. */
function isTerminal() {
  try {
    if (!fs.fstatSync(1).isCharacterDevice()) return false;
  } catch (_error) {
    // Some consoles cannot be looked at like this.
  }
  return require('tty').isatty(1);
}

/** Help that is taller than the terminal goes through a pager, which is the program's work. */
function fits() {
  if (!isTerminal()) return true;
  try {
    return !(process.stdout.rows < fs.readFileSync(path.join(dist, 'help.txt'), 'utf8').split('\n').length);
  } catch (_error) {
    return false;
  }
}

function answeredAtOnce() {
  if (words.length > 1) return false;
  if (words[0] === '--version' || words[0] === '-V') return answer('version.txt', String);
  if (words[0] !== undefined && ['--help', '-h', 'help'].indexOf(words[0]) < 0) return false;
  return isUsual() && fits() && answer('help.txt', emphasized);
}

function isOld() {
  var numbers = process.versions.node.split('.');
  var major = Number(numbers[0]);
  return major < 20 || (major === 20 && Number(numbers[1]) < 19);
}

function startProgram() {
  var version = fs.readFileSync(path.join(dist, 'version.txt'), 'utf8').trim();
  // In parentheses, so that the type checker does not look into what is built.
  var program = /** @type {(path: string) => { start(version: string, entry: string): void }} */ (require)(
    '../dist/main.cjs',
  );
  program.start(version, __filename);
}

if (isOld()) {
  fs.writeSync(2, 'svc needs Node 20.19 or newer; this is ' + process.versions.node + '.\n');
  process.exitCode = 2;
} else if (!answeredAtOnce()) {
  startProgram();
}
