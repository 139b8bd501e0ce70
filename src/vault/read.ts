import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { CliError, codeOf } from '../errors.ts';
import type { Machine } from './machine.ts';
import { explain } from './problem.ts';

/** A file that only the user may read. */
export const PRIVATE_FILE = 0o600;

/** No file of svc comes near this; a larger one is not ours. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/** Without O_NONBLOCK, a named pipe in place of a file would keep svc waiting for ever. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads the text of a file, without a byte order mark. Returns undefined if it does not exist, or if the user may not
 * even look into its folder.
 * @param check looks at the entry itself, and at the file behind a link, before it is read; what it throws is passed on
 * @throws Error for a file that cannot be read, a link that leads nowhere, and anything but a plain file.
 */
export function readPlainFile(path: string, check?: (stats: Stats) => void): string | undefined {
  // Most are not there, and an error takes longer than to look.
  const named = lookAt(path);
  if (named === undefined) return undefined;
  check?.(named);
  let descriptor: number;
  try {
    descriptor = openSync(path, READ_AT_ONCE);
  } catch (error) {
    if (lookAt(path) === undefined) return undefined;
    throw codeOf(error) === 'ENOENT' ? new Error('it is a link that leads nowhere') : error;
  }
  try {
    const stats = fstatSync(descriptor);
    check?.(stats);
    return readOpen(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}

/** What a private file held, and whether others could read it until now. */
export interface PrivateFile {
  /** Without a byte order mark. */
  readonly text: string;
  /** Whether the file was open to others; it is closed to them now, where that was possible. */
  readonly wasOpen: boolean;
}

/**
 * Reads a file with secrets. Returns undefined if it does not exist. Writes nothing: it may only take rights from others.
 * @throws CliError `unauthenticated` if the file belongs to another user, is not a plain file or cannot be read.
 */
export function readPrivateFile(path: string, machine: Machine): PrivateFile | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(targetOf(path), READ_AT_ONCE);
    const stats = fstatSync(descriptor);
    checkOwner(path, stats, machine);
    const text = readOpen(descriptor, stats);
    return { text, wasOpen: closeToOthers(descriptor, stats, machine) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error instanceof CliError ? error : unreadable(path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * The file behind a link, so that a dotfile manager's link stays one; the path itself if it is not a link.
 * @throws CliError `unauthenticated` for a link that leads nowhere.
 */
export function targetOf(path: string): string {
  let isLink = false;
  try {
    isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? realpathSync(path) : path;
  } catch (error) {
    throw unreadable(path, error, isLink ? 'it is a link that leads nowhere' : undefined);
  }
}

function readOpen(descriptor: number, stats: Stats): string {
  if (!stats.isFile()) throw new Error('it is not a plain file');
  if (stats.size > LARGEST_BYTES) throw new Error('it is too large to be one of svc');
  return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '');
}

/** Looks at an entry as far as this user can: the folders above it may be another user's. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (['ENOTDIR', 'EACCES'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Refuses a file of another user, as `sudo` leaves behind. */
function checkOwner(path: string, stats: Stats, machine: Machine): void {
  if (machine.uid === undefined || stats.uid === machine.uid) return;
  const hint =
    machine.uid === 0 ? 'the same command without sudo' : `sudo chown "$(id -u)" '${path.replaceAll("'", "'\\''")}'`;
  throw new CliError('unauthenticated', `${path} belongs to another user (uid ${stats.uid}); svc does not use it.`, {
    hint,
  });
}

function closeToOthers(descriptor: number, stats: Stats, machine: Machine): boolean {
  if (machine.platform === 'win32' || (stats.mode & 0o077) === 0) return false;
  try {
    fchmodSync(descriptor, PRIVATE_FILE);
  } catch {
    // A read-only file system: the warning that follows is all that can be done.
  }
  return true;
}

function unreadable(path: string, cause: unknown, reason = explain(cause)): CliError {
  const hint = 'the same command, after mending the file or moving it away; or SVC_CONFIG_DIR=<another folder>';
  return new CliError('unauthenticated', `Cannot read ${path}: ${reason}.`, { cause, hint });
}
