import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { READ_AT_ONCE } from './read.ts';

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
  if (isPipe) await pipeline([text], await openToWrite(path), { signal });
  else await writeFile(path, text, { flag: isNew ? 'wx' : 'w', signal });
}

async function openToWrite(path: string): Promise<Writable> {
  const { Socket } = await import('node:net');
  const fd = openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
  return new Socket({ fd, readable: false, writable: true });
}
