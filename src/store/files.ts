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
import { CliError, codeOf } from '../errors.ts';
import { tryRead } from '../once.ts';
import type { Machine } from './machine.ts';
import { describeSystemError } from './problem.ts';
import { checkMade, checkTrusted, UnfitDisk } from './trust.ts';

/** For the owner alone. */
export const PRIVATE_FILE = 0o600;
/** The same for a folder. */
export const PRIVATE_FOLDER = 0o700;

/** Without O_NONBLOCK, a named pipe in place of a file would block svc for ever. */
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
  if (stats?.isDirectory() === false)
    throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
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
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes a folder for the owner alone, and those above it that are missing. Returns the new ones, the
 * innermost last.
 * @throws CliError `usage` if its file system keeps no modes or owners, so that svc would not use
 * the folder later; the system's error. Nothing is left behind then.
 */
export function makePrivateFolder(folder: string, machine: Machine): readonly string[] {
  const made: string[] = [];
  try {
    makeFolder(folder, PRIVATE_FOLDER, (path) => made.push(path));
    for (const path of made) checkMade(path, machine);
  } catch (error) {
    removeFolders(made);
    const [last] = made.slice(-1);
    // SMB and vfat refuse to set a mode, even to the one who made the folder.
    throw last !== undefined && codeOf(error) === 'EPERM'
      ? new UnfitDisk(last, 'cannot be closed to others')
      : error;
  }
  return made;
}

/** Removes new folders, the innermost last in the list, as far as they are empty. */
export function removeFolders(made: readonly string[]): void {
  for (const path of made.toReversed()) tryRead(() => rmdirSync(path), undefined);
}

/** Flushes its entries to disk, where the file system can do that. */
export function syncFolder(folder: string): void {
  try {
    withOpen(folder, 'r', fsyncSync);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'].includes(codeOf(error)))
      throw error;
  }
}

/** On Windows, every 10 ms. */
const RENAME_TRIES = 200;

/** Windows refuses that while any program has one of the two open, if only to scan it. */
export function renameFile(from: string, to: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isInUse =
        platform() === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
      if (!isInUse || tries === RENAME_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** None if the folder does not exist or the user has no access. */
export function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) return [];
    throw error;
  }
}

/** Closes the file after the work. */
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
export function readPlainFile(path: string, check?: (stats: Stats) => void): string | undefined {
  // Most of these files do not exist, and a failing open is slower than this look.
  const entry = findEntry(path);
  if (entry === undefined) return undefined;
  check?.(entry);
  return readText(path, (stats) => check?.(stats));
}

/** `openness`: others could read it until now, or still can, as its file system keeps no modes. */
export type PrivateFile = Readonly<{ text: string; openness: 'closed' | 'now_closed' | 'open' }>;

/**
 * With secrets: closes it to others. Returns undefined if it does not exist.
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
      tryRead(() => fchmodSync(descriptor, PRIVATE_FILE), undefined);
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
    if (codeOf(error) !== 'ENOENT') throw error;
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

/** Windows PowerShell writes UTF-16 with a byte order mark. */
export function toUtf8(bytes: Buffer): Buffer {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return isUtf16 ? Buffer.from(bytes.subarray(2).toString('utf16le')) : bytes;
}

/** Undefined also for what the user cannot see: a folder above it may belong to another user. */
function findEntry(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (['ENOTDIR', 'EACCES'].includes(codeOf(error))) return undefined;
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
