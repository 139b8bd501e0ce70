import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  statSync,
} from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';
import type { Machine } from './machine.ts';

/** A deeper path is a mistake, or a file system without an end. */
const MAX_DEPTH = 64;

const PRIVATE = 0o700;

/** Makes a folder and its missing parents, each for the user alone. */
export function makePrivateFolder(folder: string, machine: Machine): void {
  makeFolder(folder, PRIVATE);
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  if (machine.platform !== 'win32') tighten(folder, machine);
}

/** Makes a folder and its missing parents one by one: Node's recursive `mkdir` never returns on `/proc`. */
export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (
    let level = folder;
    missing.length < MAX_DEPTH && statSync(level, { throwIfNoEntry: false }) === undefined;
    level = dirname(level)
  ) {
    missing.unshift(level);
  }
  for (const level of missing) makeLevel(level, mode);
}

/** Flushes the entries of a folder to disk, so that they survive a power cut. Skips file systems that cannot do it. */
export function syncFolder(folder: string): void {
  try {
    withOpen(folder, 'r', fsyncSync);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'].includes(codeOf(error))) throw error;
  }
}

/** Opens a file for one piece of work, and closes it. `mode` is for a file that this makes. */
export function withOpen<T>(
  path: string,
  flags: string | number,
  work: (descriptor: number, stats: Stats) => T,
  mode?: number,
): T {
  const descriptor = openSync(path, flags, mode);
  try {
    return work(descriptor, fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** On Windows: how often a rename is tried, and the pause before the next try, in milliseconds. */
const RENAME_TRIES = 200;
const RENAME_PAUSE_MS = 10;

/**
 * Renames a file, and replaces what has the new name. Windows refuses that while any program has one of the two open, if
 * only to scan it, so it is tried there for two seconds. Synchronous, so that no signal interrupts it.
 */
export function renameFile(from: string, to: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const isInUse = platform() === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
      if (!isInUse || tries === RENAME_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_PAUSE_MS);
    }
  }
}

/** Lists the names in a folder. Returns none if reading fails with one of the given codes. */
export function namesIn(folder: string, ignored: readonly string[] = ['ENOENT']): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (ignored.includes(codeOf(error))) return [];
    throw error;
  }
}

/** The paths of the files in some folders whose name is meant. Passes over a folder that does not exist or cannot be read. */
export function pathsIn(
  folders: ReadonlyArray<string | undefined>,
  isMeant: (name: string) => boolean,
): readonly string[] {
  return [...new Set(folders)].flatMap((folder) => {
    const names = folder === undefined ? [] : readableNamesIn(folder);
    return names.filter(isMeant).map((name) => join(folder ?? '', name));
  });
}

/** The names in a folder; none if it does not exist or the user has no access. */
export function readableNamesIn(folder: string): readonly string[] {
  return namesIn(folder, ['ENOENT', 'ENOTDIR', 'EACCES']);
}

function makeLevel(level: string, mode?: number): void {
  try {
    mkdirSync(level, { mode });
    // The umask may have removed the user's own rights.
    if (mode !== undefined) chmodSync(level, mode);
    syncFolder(dirname(level));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !statSync(level).isDirectory()) throw error;
  }
}

/**
 * Closes an existing folder to others if it belongs to svc: it has that name, or is empty. Any other folder that the
 * user points at (a project, `/tmp`) may have to stay open; the files in it are private anyway.
 */
function tighten(folder: string, machine: Machine): void {
  const { mode, uid } = statSync(folder);
  const isOpen = (mode & 0o077) !== 0;
  const isSticky = (mode & 0o1000) !== 0;
  if (!isOpen || isSticky || uid !== machine.uid) return;
  if (basename(folder) === 'svc' || readdirSync(folder).length === 0) chmodSync(folder, PRIVATE);
}
