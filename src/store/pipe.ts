import { readSync, statSync } from 'node:fs';
import { getErrorCode } from '../errors.ts';
import { pauseSync, READ_NONBLOCKING, withOpen } from './files.ts';

const PAUSE_MS = 10;

/** The text of each pipe by its path: who reads a pipe a second time finds it empty. */
const texts = new Map<string, string>();

/** Whether the path leads to a pipe, such as one that a shell makes of `<(command)`. */
export function isPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * Reads a pipe to its end, once a process.
 * @throws Error if it has more than `maxBytes`, or does not end within `patienceMs`; the system's
 */
export function readPipe(path: string, maxBytes: number, patienceMs: number): string {
  const text =
    texts.get(path) ??
    withOpen(path, READ_NONBLOCKING, (pipe) => readToEnd(pipe, maxBytes, patienceMs));
  texts.set(path, text);
  return text;
}

function readToEnd(pipe: number, maxBytes: number, patienceMs: number): string {
  const bytes = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += PAUSE_MS) {
    const count = readSome(pipe, bytes, length);
    length += count ?? 0;
    if (length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    // At first nobody may have opened the other end.
    if (count === 0 && length > 0) return bytes.toString('utf8', 0, length);
    if (!count) pauseSync(PAUSE_MS);
  }
  throw new Error(`it did not end within ${patienceMs / 1000} s`);
}

/** Returns the number of bytes read, or undefined if there is nothing yet. */
function readSome(pipe: number, bytes: Buffer, start: number): number | undefined {
  try {
    return readSync(pipe, bytes, start, bytes.length - start, null);
  } catch (error) {
    if (getErrorCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}
