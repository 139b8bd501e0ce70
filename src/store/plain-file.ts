import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { codeOf } from './machine.ts';

/** No file of svc comes near this; a larger one is not ours. */
export const LARGEST_BYTES = 8 * 1024 * 1024;

/** Without O_NONBLOCK, a named pipe in place of a file would keep svc waiting for ever. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The text of a file that is read by itself, without a byte order mark; `undefined` where there is none, or where the
 * user may not even look.
 * @param check looks at what has the name, and at the file behind a link, before it is read; what it throws is passed on
 * @throws Error for a file that is there and cannot be read, a link that leads nowhere, and what is no plain file.
 */
export function readPlainFile(path: string, check?: (stats: Stats) => void): string | undefined {
  // Most are not there, and an error takes longer than to look.
  const named = lookAt(path);
  if (named === undefined) return undefined;
  check?.(named);
  let descriptor: number;
  try {
    descriptor = openSync(path, READ_AT_ONCE);
  } catch (error) {
    if (lookAt(path) === undefined) return undefined;
    throw codeOf(error) === 'ENOENT' ? new Error('it is a link that leads nowhere') : error;
  }
  try {
    const stats = fstatSync(descriptor);
    check?.(stats);
    if (!stats.isFile()) throw new Error('it is not a plain file');
    if (stats.size > LARGEST_BYTES) throw new Error('it is too large to be one of svc');
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    closeSync(descriptor);
  }
}

/** What has the name, as far as this user can see: the folders above it may be somebody else's. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (['ENOTDIR', 'EACCES'].includes(codeOf(error))) return undefined;
    throw error;
  }
}
