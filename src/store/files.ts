import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { CliError, getErrorCode, tryOr } from '../errors.ts';
import { checkMade, checkTrusted, type Machine, UnfitDisk } from './machine.ts';
import { describeSystemError } from './problem.ts';

/** The mode of a file for its owner alone. */
export const PRIVATE_FILE = 0o600;
/** The mode of a folder for its owner alone. */
const PRIVATE_FOLDER = 0o700;

/** The flags for reading: without O_NONBLOCK, a named pipe would block svc for ever. */
export const READ_NONBLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Makes a folder and those above it, one by one: Node's recursive `mkdir` never returns on `/proc`.
 * @param onMade is called for each that did not exist
 */
export function makeFolder(
  folder: string,
  mode?: number,
  onMade: (path: string) => void = () => undefined,
): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() === false) {
    throw systemError('not a folder', 'ENOTDIR');
  }
  if (stats !== undefined) return;
  makeFolder(dirname(folder), mode, onMade);
  try {
    mkdirSync(folder, { mode });
    onMade(folder);
    // The umask may have removed the user's own rights.
    if (mode !== undefined) chmodSync(folder, mode);
    syncFolder(dirname(folder));
  } catch (error) {
    // Another process was faster.
    if (getErrorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes a folder for the owner alone, and those above it that are missing. Returns the new ones,
 * the innermost last.
 * @throws CliError `usage` if its file system keeps no modes or owners, so that svc would not use
 * the folder later; the system's error. Nothing is left behind then.
 */
export function makePrivateFolder(folder: string, machine: Machine): readonly string[] {
  const newFolders: string[] = [];
  try {
    makeFolder(folder, PRIVATE_FOLDER, (path) => newFolders.push(path));
    for (const path of newFolders) checkMade(path, machine);
  } catch (error) {
    removeFolders(newFolders);
    const last = newFolders.at(-1);
    // SMB and vfat refuse to set a mode, even to the one who made the folder.
    if (last === undefined || getErrorCode(error) !== 'EPERM') throw error;
    throw new UnfitDisk(last, 'cannot be closed to others');
  }
  return newFolders;
}

/** Removes new folders, the innermost last in the list, as far as they are empty. */
export function removeFolders(made: readonly string[]): void {
  for (const path of made.toReversed()) tryOr(() => rmdirSync(path), undefined);
}

/** The errors of file systems that cannot flush a folder. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'];

/** Flushes the entries of a folder to disk, where the file system can do that. */
export function syncFolder(folder: string): void {
  try {
    withOpen(folder, 'r', fsyncSync);
  } catch (error) {
    if (!CANNOT_SYNC.includes(getErrorCode(error))) throw error;
  }
}

/** A file that Windows has in use is renamed after so many tries at most, one each 10 ms. */
const RENAME_TRIES = 200;

/**
 * Renames a file. Windows refuses that while a program has one of the two open, if only to scan.
 */
export function renameFile(from: string, to: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!isInUse(error, platform()) || tries === RENAME_TRIES) throw error;
      pauseSync(10);
    }
  }
}

/** Whether Windows refuses because another program uses the file. */
export function isInUse(error: unknown, on: string): boolean {
  return on === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(getErrorCode(error));
}

/** Makes an error such as the system's own, for what it does not report. */
export function systemError(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Blocks the whole process for some milliseconds. */
export function pauseSync(waitMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
}

/** Lists the names in a folder: none if it does not exist or the user has no access. */
export function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(getErrorCode(error))) return [];
    throw error;
  }
}

/** Opens a file, and closes it after the work. */
export function withOpen<T>(
  path: string,
  flags: string | number,
  work: (descriptor: number, stats: Stats) => T,
): T {
  const descriptor = openSync(path, flags);
  try {
    return work(descriptor, fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a text without its byte order mark. Returns undefined if there is no such file, or no
 * access to its folder.
 * @param check inspects the entry, then the file behind a link, before anything is read
 * @throws Error also for a broken link, and anything but a plain file.
 */
export function readPlainFile(
  path: string,
  check: (stats: Stats) => void = () => undefined,
): string | undefined {
  // Most of these files do not exist, and a failing open is slower than this look.
  const entry = findEntry(path);
  if (entry === undefined) return undefined;
  check(entry);
  return readText(path, check);
}

/**
 * A text that only its owner should see. `openness` says whether others could read it until now, or
 * still can, since its file system keeps no modes.
 */
export type PrivateFile = Readonly<{ text: string; openness: 'closed' | 'now_closed' | 'open' }>;

/**
 * Reads a file with secrets, and closes it to others. Returns undefined if it does not exist.
 * @throws CliError `usage` if others may have written the file, or if it is not a plain file or
 * cannot be read.
 */
export function readPrivateFile(path: string, machine: Machine): PrivateFile | undefined {
  checkTrusted(path, 'The file', machine, true);
  let openness: PrivateFile['openness'] = 'closed';
  try {
    const text = readText(path, (stats, descriptor) => {
      if (!stats.isFile() || !isOpen(stats) || machine.platform === 'win32') return;
      // A read-only file system refuses, and one without modes ignores it.
      tryOr(() => fchmodSync(descriptor, PRIVATE_FILE), undefined);
      openness = isOpen(fstatSync(descriptor)) ? 'open' : 'now_closed';
    });
    return text === undefined ? undefined : { text, openness };
  } catch (error) {
    throw unreadableError(path, error);
  }
}

function isOpen({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0;
}

function readText(
  path: string,
  check: (stats: Stats, descriptor: number) => void,
): string | undefined {
  try {
    return withOpen(path, READ_NONBLOCKING, (descriptor, stats) => {
      check(stats, descriptor);
      if (stats.isDirectory()) throw new Error('it is a folder');
      if (!stats.isFile()) throw new Error('it is not a plain file');
      if (stats.size > MAX_BYTES) throw new Error('it is too large to be one of svc');
      return new TextDecoder().decode(toUtf8(readFileSync(descriptor)));
    });
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') throw error;
    if (findEntry(path)?.isSymbolicLink()) throw new Error(BROKEN_LINK);
    return undefined;
  }
}

const BROKEN_LINK = 'it is a link that leads nowhere';

/**
 * Resolves a link, so that writing keeps the links of a dotfile manager.
 * @throws CliError `usage` for a broken link.
 */
export function resolveLink(path: string): string {
  if (!findEntry(path)?.isSymbolicLink()) return path;
  try {
    return realpathSync(path);
  } catch {
    throw unreadableError(path, new Error(BROKEN_LINK));
  }
}

/** Returns text as UTF-8: Windows PowerShell writes UTF-16 with a byte order mark. */
export function toUtf8(bytes: Buffer): Buffer {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return isUtf16 ? Buffer.from(bytes.subarray(2).toString('utf16le')) : bytes;
}

/**
 * Looks at an entry. One that the user cannot see counts as absent: a folder above may be
 * another's.
 */
function findEntry(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (['ENOTDIR', 'EACCES'].includes(getErrorCode(error))) return undefined;
    throw error;
  }
}

function unreadableError(path: string, cause: unknown): CliError {
  const hint = 'Fix the file or move it away, or set SVC_CONFIG_DIR to another folder.';
  return new CliError('usage', `Cannot read ${path}: ${describeSystemError(cause)}.`, {
    cause,
    hint,
  });
}
