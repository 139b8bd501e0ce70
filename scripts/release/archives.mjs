// Archives of the same bytes wherever they are made: Debian's tar, xz, zip and dpkg-deb, told
// owner, order and time.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * @typedef {{ path: string, mode: number, data: Buffer }} Entry a file; its path is relative, with
 * forward slashes
 */

/** Where a tool writes, seen from the folder with the files. */
const OUTPUT = '../made.archive';
/**
 * xz makes blocks of a fixed size as soon as it has more than one thread, and other bytes with one.
 */
const THREADS = 2;

/**
 * @param {readonly Entry[]} entries
 * @param {number} time of all entries, in seconds since 1970
 * @param {number} level of xz, 0 to 9
 */
export function tarXz(entries, time, level) {
  const owner = ['--owner=root:0', '--group=root:0', `--mtime=@${time}`, '--format=ustar'];
  const words = [
    ...owner,
    '-I',
    `xz -${level} -T${THREADS}`,
    '-cf',
    OUTPUT,
    '--',
    ...sortedPaths(entries),
  ];
  return madeBy('tar', words, entries, time);
}

/**
 * @param {readonly Entry[]} entries
 * @param {number} time of all entries, in seconds since 1970; zip counts in steps of two seconds
 */
export function zip(entries, time) {
  return madeBy('zip', ['-q', '-X', '-9', OUTPUT, '--', ...sortedPaths(entries)], entries, time);
}

/**
 * @param {readonly Entry[]} entries with `DEBIAN/control`
 * @param {number} time of all entries, in seconds since 1970
 * @param {number} level of xz, 0 to 9
 */
export function deb(entries, time, level) {
  const words = [
    '--root-owner-group',
    '-Zxz',
    `-z${level}`,
    `--threads-max=${THREADS}`,
    '--build',
    '.',
    OUTPUT,
  ];
  return madeBy('dpkg-deb', words, entries, time);
}

/** @param {readonly Entry[]} entries */
function sortedPaths(entries) {
  return entries.map(({ path }) => path).sort();
}

/**
 * Lays the files out in a folder of their own, runs the tool there, and returns what it wrote.
 * @param {string} tool
 * @param {readonly string[]} words
 * @param {readonly Entry[]} entries
 * @param {number} time
 */
function madeBy(tool, words, entries, time) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-archive-'));
  const files = join(folder, 'files');
  const umask = process.umask(0o022);
  try {
    for (const { path, mode, data } of entries) {
      const file = join(files, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, data);
      chmodSync(file, mode);
      utimesSync(file, time, time);
    }
    // Nothing else of the user's environment, such as XZ_DEFAULTS, ZIPOPT and TAR_OPTIONS.
    const env = {
      PATH: process.env['PATH'],
      TZ: 'UTC',
      LC_ALL: 'C',
      SOURCE_DATE_EPOCH: String(time),
    };
    execFileSync(tool, words, { cwd: files, env, stdio: ['ignore', 'ignore', 'inherit'] });
    return readFileSync(join(files, OUTPUT));
  } finally {
    process.umask(umask);
    rmSync(folder, { recursive: true, force: true });
  }
}
