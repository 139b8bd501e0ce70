// Writes zip archives, which Windows opens without another program. Its Explorer reads nothing better than deflate: xz would
// save a quarter of the executable, and 7-Zip's slow deflate a twentieth.
import { crc32, deflateRawSync } from 'node:zlib';

/** Version 2.0 of the format; the high byte says that modes are those of Unix. */
const MADE_BY = 0x0314;
const NEEDS = 20;
const DEFLATE = 8;
const UTF8_NAMES = 0x0800;

/**
 * The bytes of a zip archive.
 * @param {ReadonlyArray<Required<import('./tar.mjs').Entry>>} entries files, in this order
 * @param {number} time of all entries, in seconds since 1970; zip counts from 1980, in steps of two seconds
 */
export function zip(entries, time) {
  /** @type {Buffer[]} */
  const files = [];
  /** @type {Buffer[]} */
  const directory = [];
  let offset = 0;
  for (const { path, mode, data } of entries) {
    const name = Buffer.from(path);
    const compressed = deflateRawSync(data, { level: 9 });
    const common = commonFields({ time, data, compressed, name });
    const file = Buffer.concat([u32(0x04034b50), common, name, compressed]);
    // Comment, disk and internal attributes are empty.
    const place = Buffer.concat([Buffer.alloc(6), u32((0o100000 | mode) * 0x10000), u32(offset)]);
    directory.push(u32(0x02014b50), u16(MADE_BY), common, place, name);
    files.push(file);
    offset += file.length;
  }
  const entriesOfDirectory = Buffer.concat(directory);
  const count = u16(entries.length);
  const end = [u32(0x06054b50), u32(0), count, count, u32(entriesOfDirectory.length), u32(offset), u16(0)];
  return Buffer.concat([...files, entriesOfDirectory, ...end]);
}

/**
 * What an entry says both before its bytes and in the directory at the end.
 * @param {{ time: number, data: Buffer, compressed: Buffer, name: Buffer }} entry
 */
function commonFields({ time, data, compressed, name }) {
  const date = new Date(time * 1000);
  const clock = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return Buffer.concat([
    ...[u16(NEEDS), u16(UTF8_NAMES), u16(DEFLATE), u16(clock), u16(day)],
    ...[u32(crc32(data)), u32(compressed.length), u32(data.length), u16(name.length), u16(0)],
  ]);
}

/** @param {number} value */
function u16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** @param {number} value */
function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
