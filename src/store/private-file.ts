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
import { CliError } from '../errors.ts';
import { codeOf, type Machine } from './machine.ts';
import { LARGEST_BYTES, READ_AT_ONCE } from './plain-file.ts';
import { explain } from './problem.ts';

/** A file that only the user may read. */
export const PRIVATE_FILE = 0o600;

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/** Creates a file that is not there yet, private from its first byte; a link in its place is refused. */
export const CREATE_PRIVATE = O_CREAT | O_EXCL | O_RDWR | (O_NOFOLLOW ?? 0);

/** What a private file held, and whether others could read it until now. */
export interface PrivateFile {
  /** Without a byte order mark. */
  readonly text: string;
  /** Whether the file was open to others; it is closed to them now, where that was possible. */
  readonly wasOpen: boolean;
}

/**
 * Reads a file with secrets; `undefined` where there is none. Writes nothing: it may only take rights from others.
 * @throws CliError `unauthenticated` where the file belongs to somebody else, is no plain file or cannot be read.
 */
export function readPrivateFile(path: string, machine: Machine): PrivateFile | undefined {
  const target = targetOf(path);
  let descriptor: number;
  try {
    descriptor = openSync(target, READ_AT_ONCE);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, explain(error), error);
  }
  try {
    const stats = fstatSync(descriptor);
    checkOwner(path, stats, machine);
    if (!stats.isFile()) throw unreadable(path, 'it is not a plain file');
    if (stats.size > LARGEST_BYTES) throw unreadable(path, 'it is too large to be one of svc');
    const wasOpen = closeToOthers(descriptor, stats, machine);
    return { text: readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, ''), wasOpen };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The file behind a link, so that a dotfile manager's link stays one; the path itself where it is no link.
 * @throws CliError `unauthenticated` for a link that leads nowhere.
 */
export function targetOf(path: string): string {
  if (!lstatOrNothing(path)?.isSymbolicLink()) return path;
  try {
    return realpathSync(path);
  } catch (error) {
    throw unreadable(path, 'it is a link that leads nowhere', error);
  }
}

/** Refuses a file of another user, as `sudo` leaves behind. */
export function checkOwner(path: string, stats: Stats, machine: Machine): void {
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

function lstatOrNothing(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, explain(error), error);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): CliError {
  const hint = 'the same command, after mending the file or moving it away; or SVC_CONFIG_DIR=<another folder>';
  return new CliError('unauthenticated', `Cannot read ${path}: ${reason}.`, { cause, hint });
}
