// What stands around the tables, and where they are written.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { gzipSync } from 'node:zlib';
import { table } from './table.mjs';

const [START, END] = ['<!-- figures -->', '<!-- /figures -->'];

/**
 * Where and when it was measured, and how.
 * @param {number} rounds
 */
export function machine(rounds) {
  const date = new Date().toISOString().slice(0, 10);
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const [cpu] = cpus();
  return `${date}, ${type()} ${process.arch}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory}; medians of ${rounds} rounds.`;
}

/**
 * The sizes of what users install.
 * @param {string} root the project's folder
 * @param {string} [binary] the executable
 */
export function sizes(root, binary) {
  const npm = (/** @type {string[]} */ words) =>
    execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ size, unpackedSize }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts']));
  const { dependencies = {} } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  return table(
    ['Size', 'Target', 'Now'],
    [
      ['downloaded', '≤ 1 MB', megabytes(size)],
      ['installed', '≤ 3 MB', megabytes(unpackedSize)],
      ['packages', '1', String(1 + Object.keys(dependencies).length)],
      ...(binary === undefined ? [] : executableSizes(readFileSync(binary), megabytes)),
    ],
  );
}

/**
 * @param {Buffer} bytes
 * @param {(bytes: number) => string} megabytes
 */
function executableSizes(bytes, megabytes) {
  return [
    ['executable, packed with gzip', '≤ 45 MB', megabytes(gzipSync(bytes).length)],
    ['executable', '≤ 130 MB', megabytes(bytes.length)],
  ];
}

/**
 * Writes the text between the marks of a file.
 * @param {string} file
 * @param {string} text
 */
export function record(file, text) {
  const page = readFileSync(file, 'utf8');
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} has no part between ${START} and ${END}`);
  writeFileSync(file, `${page.slice(0, from)}${START}\n${text}\n${page.slice(to)}`);
}
