// Writes tar archives: own code, because bytes must not depend on the system's tar, and there is no tar on Windows that
// sets owners.
import { execFileSync } from 'node:child_process';

const BLOCK = 512;

/**
 * @typedef {object} Entry a file, or a folder if it has no data
 * @property {string} path relative, with forward slashes
 * @property {number} mode
 * @property {Buffer} [data]
 */

/**
 * The bytes of a tar archive (ustar, POSIX.1-1988), owned by root.
 * @param {readonly Entry[]} entries in this order
 * @param {number} time of all entries, in seconds since 1970
 */
export function tar(entries, time) {
  const blocks = entries.flatMap(({ path, mode, data }) => {
    const size = data?.length ?? 0;
    const padding = Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
    return [header({ path, mode, size, time, type: data === undefined ? '5' : '0' }), data ?? Buffer.alloc(0), padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** @param {{ path: string, mode: number, size: number, time: number, type: string }} entry */
function header({ path, mode, size, time, type }) {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar archive.`);
  const block = Buffer.alloc(BLOCK);
  /** @param {number} value @param {number} offset @param {number} length */
  const octal = (value, offset, length) => block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset);
  block.write(path, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(time, 136, 12);
  block.write(type, 156);
  block.write('ustar\x0000', 257);
  block.write('root', 265);
  block.write('root', 297);
  // The sum counts its own field as spaces.
  block.fill(' ', 148, 156);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

/**
 * Compresses with xz, which makes executables a quarter smaller than gzip does. Its bytes depend on the level and on the
 * release of xz, but not on the number of processors.
 * @param {Buffer} bytes @param {number} level 0 to 9
 */
export function xz(bytes, level) {
  return execFileSync('xz', [`-${level}`, '--threads=2', '--stdout'], {
    input: bytes,
    maxBuffer: 1e9,
    env: pathOnly(),
  });
}

/** Without `XZ_DEFAULTS` and `XZ_OPT`. */
function pathOnly() {
  return { PATH: process.env['PATH'] };
}
