import { constants, createReadStream, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { collectBytes } from '../collect.ts';
import { usageError } from '../errors.ts';
import { IS_BUN } from '../runtime.ts';
import { READ_NONBLOCKING } from './files.ts';
import { isPipe } from './pipe.ts';
import { describeSystemError } from './problem.ts';

/**
 * Reads a file, a pipe or a device. Returns undefined for more than `maxBytes`. Throws the system's
 * error.
 */
export async function readUpTo(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const source: Readable = isPolled(path)
    ? await openPipe(path, READ_NONBLOCKING, false)
    : createReadStream(path);
  return collectBytes(addAbortSignal(signal, source), maxBytes);
}

/**
 * Writes to a file, a pipe or a device. Throws the system's error, as `ENXIO` for a pipe without a
 * reader.
 */
export async function writeNamedFile(
  path: string,
  text: string,
  isNew: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (!isPolled(path)) return writeFile(path, text, { flag: isNew ? 'wx' : 'w', signal });
  const flags = constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);
  await pipeline([text], await openPipe(path, flags, true), { signal });
}

const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)/i;

/**
 * Whether a file may be called so: on Windows, Node makes files called `nul` or `a:b` that other
 * programs cannot open, show or remove.
 */
export function isFileName(name: string, on: string = platform()): boolean {
  return on !== 'win32' || !(DEVICE.test(name) || name.includes(':') || /[. ]$/.test(name));
}

/**
 * Whether a file is opened as a socket. Bun reads nothing from one, and can exit from a file
 * stream.
 */
function isPolled(path: string): boolean {
  return !IS_BUN && isPipe(path);
}

/**
 * Opens a pipe as a socket: a file stream of Node waits for the other end in a thread that keeps
 * the process from exiting.
 */
async function openPipe(path: string, flags: number, writable: boolean) {
  const { Socket } = await import('node:net');
  return new Socket({ fd: openSync(path, flags), readable: !writable, writable });
}

/**
 * Reads the file that an option names.
 * @throws CliError `usage`, with that option, for a file that cannot be read or has more than
 * `maxBytes`
 */
export async function readNamedFile(
  path: string,
  option: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = await readUpTo(path, maxBytes, signal).catch((error: unknown) => {
    throw usageError(
      `${option}: ${path} cannot be read: ${describeSystemError(error)}.`,
      `Use ${option} <file>, or - for standard input.`,
    );
  });
  if (bytes === undefined) throw usageError(`${option}: ${path} has more than ${maxBytes} bytes.`);
  return bytes;
}
