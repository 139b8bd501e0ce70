import { chmodSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import { LockLost, unfinishedName, writeDurably } from './durable-write.ts';
import { makePrivateFolder, syncFolder } from './folder.ts';
import { acquireLock, type Lock } from './lock.ts';
import type { Machine } from './machine.ts';
import { PRIVATE_FILE, type PrivateFile, readPrivateFile, targetOf } from './private-file.ts';

/** How often a change starts again because its lock was taken over while the process was stopped. */
const MOST_TRIES = 3;

/** A file that nobody else changes now. */
export interface LockedFile {
  read(): PrivateFile | undefined;
  /** Replaces the file as a whole, or leaves it untouched and throws. */
  write(bytes: Uint8Array): void;
  /** Renames the file to `<file>.<why>-<time>`, `corrupt` unless told otherwise, and returns that path. */
  setAside(why?: 'corrupt' | 'old'): string;
  /** Time in milliseconds as the file system tells it. */
  fileTime(): number;
}

/**
 * Changes a file under its lock; the change itself is synchronous, so that no signal interrupts it. It may run again
 * from the start when the lock was lost. Makes the folder where it is missing.
 * @throws CliError for a lock that stays taken and for a file of somebody else; system errors of the writing.
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
      return change(lockedFile(path, target, lock, machine, clock));
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
    if (text !== undefined) file.write(Buffer.from(text));
  });
}

function lockedFile(path: string, target: string, lock: Lock, machine: Machine, clock: Clock): LockedFile {
  return {
    read: () => readPrivateFile(path, machine),
    write: (bytes) => writeDurably(target, bytes, machine, lock.isHeld),
    setAside: (why) => setAside(target, new Date(clock.now()), why),
    fileTime: lock.fileTime,
  };
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
