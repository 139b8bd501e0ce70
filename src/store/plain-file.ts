import { closeSync, constants, createReadStream, createWriteStream, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from './machine.ts';

/** No file of svc comes near this; a larger one is not ours. */
export const LARGEST_BYTES = 8 * 1024 * 1024;

/** Without O_NONBLOCK, a named pipe in place of a file would keep svc waiting for ever. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The text of a file that is read by itself, without a byte order mark; `undefined` where there is none, or where the
 * user may not even look.
 * @throws Error for a file that is there and cannot be read, a link that leads nowhere, and what is no plain file.
 */
export function readPlainFile(path: string): string | undefined {
  // Most are not there, and an error takes longer than to look.
  if (isAbsent(path)) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(path, READ_AT_ONCE);
  } catch (error) {
    if (isAbsent(path)) return undefined;
    throw codeOf(error) === 'ENOENT' ? new Error('it is a link that leads nowhere') : error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a plain file');
    if (stats.size > LARGEST_BYTES) throw new Error('it is too large to be one of svc');
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    closeSync(descriptor);
  }
}

/** Whether nothing has the name, as far as this user can see: the folders above it may be somebody else's. */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return ['ENOTDIR', 'EACCES'].includes(codeOf(error));
  }
}

/**
 * A file that the user names, which may as well be a pipe or a device; `undefined` where it holds more than `maxBytes`.
 * @throws the system's error; an error as well when the signal aborts.
 */
export async function readUpTo(path: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of addAbortSignal(signal, await openToRead(path))) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return undefined;
  }
  return Buffer.concat(chunks);
}

/** To open a pipe as a file is one would wait for its other end in a thread that even the end of the process waits for. */
async function openToRead(path: string): Promise<Readable> {
  if (!statSync(path).isFIFO()) return createReadStream(path);
  const { Socket } = await import('node:net');
  return new Socket({ fd: openSync(path, READ_AT_ONCE), readable: true, writable: false });
}

/**
 * Writes to a file that the user names, which may as well be a pipe or a device.
 * @param isNew whether it must not be there yet
 * @throws the system's error: `ENXIO` for a pipe that nobody reads; an error as well when the signal aborts.
 */
export async function writeNamed(path: string, text: string, isNew: boolean, signal: AbortSignal): Promise<void> {
  const isPipe = statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
  await pipeline([text], isPipe ? await openPipe(path) : createWriteStream(path, { flags: isNew ? 'wx' : 'w' }), { signal });
}

async function openPipe(path: string): Promise<Writable> {
  const { Socket } = await import('node:net');
  const fd = openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
  return new Socket({ fd, readable: false, writable: true });
}
