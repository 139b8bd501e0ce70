import { readSync, statSync } from 'node:fs';
import { codeOf } from '../errors.ts';
import { READ_NONBLOCKING, withOpen } from './files.ts';

const PAUSE_MS = 10;

/** What was read of each pipe: a run inside this process would find it empty. */
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
  const known = texts.get(path);
  if (known !== undefined) return known;
  const text = withOpen(path, READ_NONBLOCKING, (pipe) => readToEnd(pipe, maxBytes, patienceMs));
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
    if (count === undefined || count === 0)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  throw new Error(`it did not end within ${patienceMs / 1000} s`);
}

/** Undefined if there is nothing yet. */
function readSome(pipe: number, bytes: Buffer, start: number): number | undefined {
  try {
    return readSync(pipe, bytes, start, bytes.length - start, null);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}
