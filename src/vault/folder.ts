import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { codeOf } from '../errors.ts';
import type { Machine } from './machine.ts';

/** Deeper paths are a mistake, or a file system that never ends. */
const DEEPEST = 64;

const PRIVATE = 0o700;

/**
 * Makes a folder and those above it, each for the user alone. One level after the other: the recursive `mkdir` of Node
 * never returns on `/proc`.
 */
export function makePrivateFolder(folder: string, machine: Machine): void {
  for (const level of missingLevels(folder)) makeLevel(level, PRIVATE);
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  if (machine.platform !== 'win32') tighten(folder, machine);
}

/** Makes a folder and those above it with the usual rights; one level after the other, as above. */
export function makeFolder(folder: string): void {
  for (const level of missingLevels(folder)) makeLevel(level);
}

/** Makes the entries of a folder last through a power cut; file systems that cannot do it are left as they are. */
export function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF'].includes(codeOf(error))) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The folders that do not exist yet, the highest first. */
function missingLevels(folder: string): string[] {
  const missing: string[] = [];
  let level = folder;
  while (missing.length < DEEPEST && statSync(level, { throwIfNoEntry: false }) === undefined) {
    missing.unshift(level);
    level = dirname(level);
  }
  return missing;
}

function makeLevel(level: string, mode?: number): void {
  try {
    mkdirSync(level, { mode });
    // The umask may have taken the user's own rights as well.
    if (mode !== undefined) chmodSync(level, mode);
    syncFolder(dirname(level));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !statSync(level).isDirectory()) throw error;
  }
}

/**
 * Closes an existing folder to others where it is svc's own: named after it, or empty. Another folder that the user
 * points at (a project, `/tmp`) may have to stay open, and the files in it are private in any case.
 */
function tighten(folder: string, machine: Machine): void {
  const { mode, uid } = statSync(folder);
  const open = (mode & 0o077) !== 0;
  const sticky = (mode & 0o1000) !== 0;
  if (!open || sticky || uid !== machine.uid) return;
  if (basename(folder) === 'svc' || readdirSync(folder).length === 0) chmodSync(folder, PRIVATE);
}
