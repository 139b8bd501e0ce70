import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { getErrorCode } from '../errors.ts';
import { PRIVATE_FILE, READ_NONBLOCKING, renameFile, systemError, withOpen } from './files.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
const APPEND = O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/** A private file of JSON lines that is open; {@link openLines} makes it. */
export type LineFile = ReturnType<typeof openLines>;

/**
 * Opens a private file of JSON lines to add to, and makes it if it is missing. Each addition is one
 * write at the end, so that several processes need no lock. Throws the system's error, also for a
 * link and anything but a plain file.
 */
export function openLines(path: string) {
  const descriptor = openSync(path, APPEND, PRIVATE_FILE);
  let isTorn = false;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a plain file');
    const last = Buffer.alloc(1);
    isTorn = readSync(descriptor, last, 0, 1, stats.size - 1) > 0 && last.toString() !== '\n';
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return {
    /** Throws the system's error; a full disk may then have taken a part. */
    add(...entries: readonly object[]): void {
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      const bytes = Buffer.from(isTorn ? `\n${lines}` : lines);
      isTorn = true;
      if (writeSync(descriptor, bytes) < bytes.length) {
        throw systemError('only a part could be written', 'ENOSPC');
      }
      isTorn = false;
    },
    /**
     * Resolves when the disk has what was added before. Calls that come while it is busy share the
     * next flush.
     */
    flush: shareRuns(() => promisify(fdatasync)(descriptor)),
    close: () => closeSync(descriptor),
  };
}

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Adds lines to a file that svc never empties: the latest 16 MiB stay, and at most twice as much.
 */
export function addLines(path: string, ...entries: readonly object[]): void {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameFile(path, `${path}.old`);
  const file = openLines(path);
  try {
    file.add(...entries);
  } finally {
    file.close();
  }
}

/**
 * Reads what {@link addLines} has added, the oldest first; a line that was cut is among them. Skips
 * what cannot be read.
 */
export function readLines(path: string): readonly string[] {
  return [`${path}.old`, path].flatMap(readFileLines);
}

function readFileLines(path: string): readonly string[] {
  try {
    return withOpen(path, READ_NONBLOCKING, (descriptor, stats) => {
      const text = stats.isFile() ? readFileSync(descriptor, 'utf8') : '';
      return text.split('\n').filter((line) => line !== '');
    });
  } catch (error) {
    if (getErrorCode(error) === '') throw error;
    return [];
  }
}

/** Makes calls that come while the work is busy share its next run. */
function shareRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = work();
        return running;
      });
    return next;
  };
}
