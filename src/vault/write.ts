import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import { makePrivateFolder, syncFolder } from './folder.ts';
import { acquireLock } from './lock.ts';
import type { Machine } from './machine.ts';
import { PRIVATE_FILE, type PrivateFile, readPrivateFile, targetOf } from './read.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/** Creates a file that does not exist yet; a link in its place is refused. */
export const CREATE_NEW = O_CREAT | O_EXCL | O_RDWR | (O_NOFOLLOW ?? 0);

/** How often a change starts again because its lock was taken over while the process was stopped. */
const MOST_TRIES = 3;

/** What may differ between the files that are written durably. */
export interface WriteOptions {
  /** Whether an existing file keeps its mode and a new one gets the usual one; the file is private otherwise. */
  readonly keepsMode?: boolean;
  /** Whether no other process has taken the lock of the file over; asked last. */
  readonly isMine?: () => boolean;
}

/** The one name of a file that is still being written; the next writer removes one that a killed process left. */
export function unfinishedName(target: string): string {
  return `${target}.tmp`;
}

/**
 * Replaces a file as a whole, or leaves the old one untouched: all bytes, on the disk, then renamed over it. A link is
 * replaced as well; see {@link targetOf}. Synchronous, so that no signal comes between.
 * @throws LockLost if another process writes the file by now; the system's error. The old file is then intact.
 */
export function writeDurably(path: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const { keepsMode = false, isMine = () => true } = options;
  const mode = keepsMode ? modeOf(path) : PRIVATE_FILE;
  const unfinished = unfinishedName(path);
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, CREATE_NEW, mode ?? 0o666);
  try {
    fillFile(descriptor, Buffer.from(content), mode);
    if (!isMine() || !isSameFile(descriptor, unfinished)) throw new LockLost(path);
    renameSync(unfinished, path);
  } catch (error) {
    if (!(error instanceof LockLost)) rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(path));
}

/**
 * Makes an open file hold these bytes alone, on the disk. A full disk may take only some of them and report no error.
 * @param mode rights that the file must have, even if the umask has taken them
 */
export function fillFile(descriptor: number, bytes: Uint8Array, mode = 0): void {
  if ((mode & ~fstatSync(descriptor).mode) !== 0) fchmodSync(descriptor, mode);
  for (let written = 0; written < bytes.length; ) {
    const count = writeSync(descriptor, bytes, written, bytes.length - written, written);
    if (count === 0) throw Object.assign(new Error('no byte could be written'), { code: 'ENOSPC' });
    written += count;
  }
  const { size } = fstatSync(descriptor);
  if (size < bytes.length) throw Object.assign(new Error('the file is shorter than what was written'), { code: 'EIO' });
  if (size > bytes.length) ftruncateSync(descriptor, bytes.length);
  fsyncSync(descriptor);
}

function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stats.mode & 0o777;
}

/** Whether the name still stands for the open file, and not for that of a successor. */
function isSameFile(descriptor: number, path: string): boolean {
  return fstatSync(descriptor).ino === lstatSync(path, { throwIfNoEntry: false })?.ino;
}

/** Another process writes the file, which took its lock over or needs none; nothing was replaced. */
export class LockLost extends Error {
  constructor(path: string) {
    super(`another process writes ${path}`);
    this.name = 'LockLost';
  }
}

/** A file that nobody else changes now. */
export interface LockedFile {
  read(): PrivateFile | undefined;
  /** Replaces the file as a whole, or leaves it untouched and throws. */
  write(content: string | Uint8Array): void;
  /** Renames the file to `<file>.<why>-<time>`, `corrupt` unless told otherwise, and returns that path. */
  setAside(why?: 'corrupt' | 'old'): string;
  /** Time in milliseconds as the file system tells it. */
  fileTime(): number;
}

/**
 * Changes a file under its lock; the change itself is synchronous, so that no signal interrupts it. It reads the file
 * before it writes, which refuses one of another user. It may run again from the start if the lock was lost. Makes the
 * folder if it is missing.
 * @throws CliError for a lock that stays taken and for a file of another user; system errors of the writing.
 */
export async function withLockedFile<T>(
  path: string,
  machine: Machine,
  clock: Clock,
  change: (file: LockedFile) => T,
): Promise<T> {
  makePrivateFolder(dirname(path), machine);
  for (let tries = 1; ; tries += 1) {
    const target = targetOf(path);
    const lock = await acquireLock(target, machine, clock);
    try {
      rmSync(unfinishedName(target), { force: true });
      return change({
        read: () => readPrivateFile(path, machine),
        write: (content) => writeDurably(target, content, { isMine: lock.isHeld }),
        setAside: (why) => setAside(target, new Date(clock.now()), why),
        fileTime: lock.fileTime,
      });
    } catch (error) {
      if (!(error instanceof LockLost)) throw error;
      if (tries === MOST_TRIES) throw new CliError('usage', `Another svc took ${path} over. Nothing was changed.`);
    } finally {
      lock.release();
    }
  }
}

/** Replaces the text of a file under its lock; `change` is given the old text and returns the new, or nothing. */
export async function updateFile(
  path: string,
  machine: Machine,
  clock: Clock,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  await withLockedFile(path, machine, clock, (file) => {
    const text = change(file.read()?.text);
    if (text !== undefined) file.write(text);
  });
}

/** Renames a file that cannot be understood; what it held may still matter to its owner, so it is never deleted. */
export function setAside(file: string, at: Date, why: 'corrupt' | 'old' = 'corrupt'): string {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const aside = firstFree(`${file}.${why}-${stamp}`);
  renameSync(file, aside);
  chmodSync(aside, PRIVATE_FILE);
  syncFolder(dirname(aside));
  return aside;
}

function firstFree(path: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${path}-${number}`;
    if (statSync(candidate, { throwIfNoEntry: false }) === undefined) return candidate;
  }
}
