import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './folder.ts';
import type { Machine } from './machine.ts';
import { CREATE_PRIVATE, checkOwner, PRIVATE_FILE, targetOf } from './private-file.ts';

/** The one name of a file that is still being written; under the lock, one left by a killed process is in nobody's way. */
export function unfinishedName(target: string): string {
  return `${target}.tmp`;
}

/**
 * Replaces a file as a whole, or leaves the old one untouched: all bytes, on the disk, then renamed over it. The caller
 * holds the lock of the file, and `isMine` says that it still does. Synchronous, so that no signal comes between.
 * @throws the system's error; the old file is then intact.
 */
export function writeDurably(path: string, bytes: Uint8Array, machine: Machine, isMine: () => boolean): void {
  const target = targetOf(path);
  const old = statSync(target, { throwIfNoEntry: false });
  if (old !== undefined) checkOwner(path, old, machine);
  const unfinished = unfinishedName(target);
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, CREATE_PRIVATE, PRIVATE_FILE);
  try {
    // The umask may have taken the user's own rights.
    if (machine.platform !== 'win32') fchmodSync(descriptor, PRIVATE_FILE);
    writeAll(descriptor, bytes);
    fsyncSync(descriptor);
    if (!isMine() || !isSameFile(descriptor, unfinished)) throw new LockLost(path);
    renameSync(unfinished, target);
  } catch (error) {
    if (!(error instanceof LockLost)) rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(target));
}

/** Whether the name still stands for the open file, and not for that of a successor. */
function isSameFile(descriptor: number, path: string): boolean {
  return fstatSync(descriptor).ino === lstatSync(path, { throwIfNoEntry: false })?.ino;
}

/** Another process took the lock over because this one seemed dead; nothing was replaced. */
export class LockLost extends Error {
  constructor(path: string) {
    super(`the lock of ${path} was taken over`);
    this.name = 'LockLost';
  }
}

/** Writes every byte from the start of the file; a full disk may take only some of them and report no error. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    const count = writeSync(descriptor, bytes, written, bytes.length - written, written);
    if (count === 0) throw Object.assign(new Error('no byte could be written'), { code: 'ENOSPC' });
    written += count;
  }
  const { size } = fstatSync(descriptor);
  if (size < bytes.length) throw Object.assign(new Error('the file is shorter than what was written'), { code: 'EIO' });
}
