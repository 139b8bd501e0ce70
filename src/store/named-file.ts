import { isUtf8 } from 'node:buffer';
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

/**
 * Reads the text of a file that a person made: UTF-8 with or without a mark, or UTF-16 with one, as
 * Windows PowerShell writes it.
 * @param name the file in messages
 * @throws CliError `usage` for other bytes: what stands for them would be sent in their place
 */
export function decodeUserText(bytes: Buffer, name: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes.subarray(2), name);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return decodeUtf16(swapPairs(bytes.subarray(2)), name);
  }
  if (bytes.includes(0)) {
    throw notTextError(`${name} has a byte 0 in it: it is no text, or UTF-16 without a mark.`);
  }

  if (!isUtf8(bytes)) {
    throw notTextError(`${name} is not UTF-8 text, from line ${findLine(bytes)} on.`);
  }
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function notTextError(message: string) {
  return usageError(message, 'Nothing was sent. Save the file as UTF-8.');
}

function decodeUtf16(littleEndian: Buffer, name: string): string {
  const text = littleEndian.toString('utf16le');
  const isWhole = littleEndian.length % 2 === 0 && text.isWellFormed();
  if (!isWhole) throw notTextError(`${name} begins as UTF-16 text does, and is none.`);
  return text;
}

/** Leaves an odd number of bytes as it is: {@link decodeUtf16} refuses it. */
function swapPairs(bytes: Buffer): Buffer {
  return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16() : bytes;
}

/** Finds the line of the first byte that is no UTF-8, from 1. */
function findLine(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n');
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;
}
