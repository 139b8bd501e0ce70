import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError, tryOr } from '../errors.ts';
import {
  makePrivateFolder,
  PRIVATE_FILE,
  renameFile,
  resolveLink,
  syncFolder,
  systemError,
} from './files.ts';
import { acquireLock } from './lock.ts';
import { checkMade, type Machine } from './machine.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/** The flags of a new file: an existing one, or a link, is refused. */
export const CREATE_NEW = O_CREAT | O_EXCL | O_RDWR | (O_NOFOLLOW ?? 0);

/** A lock that was taken over while the process was stopped is taken again so often. */
const MAX_TRIES = 3;

/** A file whose lock this process holds. */
interface LockedFile {
  write(content: string | Uint8Array): void;
  /** Renames the file, and returns its new path. */
  moveAside(): string;
  /** Returns the file system's time, in milliseconds. */
  fileTime(): number;
}

/**
 * Changes a file under its lock, and makes its folder if it is missing. `change` is synchronous, so
 * that no signal interrupts it, and runs again if the lock was lost. It should read before it
 * writes: that refuses a file of another user.
 * @throws CliError if the lock stays taken or the file belongs to another user; the system's error.
 */
export async function withLockedFile<T>(
  path: string,
  machine: Machine,
  clock: Clock,
  change: (file: LockedFile) => T,
): Promise<T> {
  makePrivateFolder(dirname(path), machine);
  for (let tries = 1; ; tries += 1) {
    const target = resolveLink(path);
    const lock = await acquireLock(target, machine, clock);
    try {
      return change({
        write: (content) => writeDurably(target, content, { isMine: lock.isHeld, machine }),
        moveAside: () => moveAside(target, clock.now()),
        fileTime: lock.fileTime,
      });
    } catch (error) {
      if (!(error instanceof LockLost)) throw error;
      if (tries === MAX_TRIES) {
        throw new CliError('usage', `Another svc took ${path} over. Nothing was changed.`);
      }
    } finally {
      lock.release();
    }
  }
}

interface WriteOptions {
  readonly keepsMode?: boolean;
  readonly isMine?: () => boolean;
  readonly machine?: Machine;
}

/**
 * Replaces a whole file, or leaves the old one untouched. A link is replaced as well, unless {@link
 * resolveLink} was asked before.
 * @param options.keepsMode keeps the mode of an existing file, and gives a new one the usual mode;
 * private otherwise
 * @param options.isMine whether the file's lock is still held; asked last
 * @param options.machine whose file it must be, because svc reads it later
 * @throws LockLost if another process is writing the file now; CliError `usage` if the file system
 * keeps no modes or owners; the system's error
 */
export function writeDurably(
  path: string,
  content: string | Uint8Array,
  { keepsMode = false, isMine = () => true, machine }: WriteOptions = {},
): void {
  const formerStats = keepsMode
    ? statSync(path, { throwIfNoEntry: false })
    : { mode: PRIVATE_FILE };
  const mode = formerStats && formerStats.mode & 0o777;
  // The next writer removes what a killed process left.
  const unfinished = `${path}.tmp`;
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, CREATE_NEW, mode ?? 0o666);
  try {
    fillFile(descriptor, Buffer.from(content), mode);
    if (machine !== undefined) checkMade(unfinished, machine);
    if (!isMine()) throw new LockLost();
    // The name may lead to the file of another writer by now.
    const { ino } = fstatSync(descriptor);
    if (lstatSync(unfinished, { throwIfNoEntry: false })?.ino !== ino) throw new LockLost();
    renameFile(unfinished, path);
  } catch (error) {
    if (!(error instanceof LockLost)) rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(path));
}

/**
 * Replaces the content of an open file, on disk. Checks the size: a full disk may take some bytes
 * and report no error.
 * @param mode rights that the file must have, even if the umask removed them
 */
export function fillFile(descriptor: number, bytes: Uint8Array, mode = 0): void {
  if ((mode & ~fstatSync(descriptor).mode) !== 0) fchmodSync(descriptor, mode);
  for (let written = 0; written < bytes.length; ) {
    const count = writeSync(descriptor, bytes, written, bytes.length - written, written);
    if (count === 0) throw systemError('no byte could be written', 'ENOSPC');
    written += count;
  }
  const { size } = fstatSync(descriptor);
  if (size < bytes.length) {
    throw systemError('the file is shorter than what was written', 'EIO');
  }
  if (size > bytes.length) ftruncateSync(descriptor, bytes.length);
  fsyncSync(descriptor);
}

/** Renames a damaged file: its content may still matter. */
function moveAside(file: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '');
  const newPath = `${file}.corrupt-${time}`;
  // A file that was moved aside in the same millisecond keeps its name.
  if (existsSync(newPath)) return moveAside(file, nowMs + 1);
  renameFile(file, newPath);
  // Some file systems keep no modes.
  tryOr(() => chmodSync(newPath, PRIVATE_FILE), undefined);
  syncFolder(dirname(newPath));
  return newPath;
}

/** The error of a lock that another process has now; nothing was replaced. */
export class LockLost extends Error {
  override readonly message = 'another process writes the file';
}
