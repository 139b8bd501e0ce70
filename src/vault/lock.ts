import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError, codeOf } from '../errors.ts';
import type { Machine } from './machine.ts';
import { PRIVATE_FILE } from './read.ts';

/** Milliseconds after which a lock counts as left behind even though its owner seems to live; it is held for a few. */
const STALE_MS = 10_000;
/** Milliseconds to wait for a lock. */
const PATIENCE_MS = 5_000;
/** Milliseconds between two tries. */
const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 20;

/** The sole right to change a file. */
export interface Lock {
  /** Whether no other process has taken it over. */
  isHeld(): boolean;
  /** Time in milliseconds as the file system tells it, to compare with the times of files. */
  fileTime(): number;
  /** Says that its owner still lives, where it is held for longer than a few milliseconds. */
  renew(): void;
  release(): void;
}

/**
 * Waits for the lock of a file: a folder `<file>.lock` with one file in it, named after the owner.
 *
 * The folder is made beside its place and renamed into it, which succeeds for one process only, and only while that
 * place is free or an empty folder. A dead owner is removed by its name, never the folder as a whole, so that two who
 * find the same dead owner cannot take the lock from a third who was quicker than both.
 * @throws CliError `usage` when another process keeps it for `patienceMs`, or for as long as the clock's user waits;
 *   what the clock's sleep throws; system errors where the folder cannot be written.
 */
export async function acquireLock(
  file: string,
  machine: Machine,
  clock: Clock,
  patienceMs = PATIENCE_MS,
): Promise<Lock> {
  const claim = `${ownerMark(machine)}-${randomBytes(6).toString('hex')}`;
  const place = `${file}.lock`;
  const prepared = `${place}-${claim}`;
  const deadline = clock.monotonic() + Math.min(patienceMs, clock.patienceMs ?? patienceMs);
  let fileTime = (): number => 0;
  try {
    fileTime = prepare(prepared, claim, clock);
    while (!take(prepared, place, machine)) {
      const wasAbandoned = removeAbandoned(place, '', machine, fileTime());
      if (machine.platform === 'win32') removeEmpty(place);
      if (clock.monotonic() >= deadline) throw busy(file);
      if (!wasAbandoned) await clock.sleep(SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS));
      // A process that was stopped for long finds that another has swept its folder away.
      if (!exists(prepared)) fileTime = prepare(prepared, claim, clock);
    }
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    throw error;
  }
  const owner = join(place, claim);
  touch(owner, fileTime());
  removeAbandoned(dirname(place), `${basename(place)}-`, machine, fileTime());
  return {
    isHeld: () => exists(owner),
    fileTime,
    renew: () => touch(owner, fileTime()),
    release() {
      rmSync(owner, { force: true });
      removeEmpty(place);
    },
  };
}

/** Makes the folder that becomes the lock; returns the file system's clock, which is not always that of the machine. */
function prepare(prepared: string, claim: string, clock: Clock): () => number {
  mkdirSync(prepared, { mode: 0o700 });
  const path = join(prepared, claim);
  writeFileSync(path, '', { flag: 'wx', mode: PRIVATE_FILE });
  const { mtimeMs } = statSync(path);
  const since = clock.monotonic();
  return () => mtimeMs + clock.monotonic() - since;
}

function take(prepared: string, place: string, machine: Machine): boolean {
  try {
    renameSync(prepared, place);
    return true;
  } catch (error) {
    const taken = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];
    // Windows renames onto no folder at all, empty or not, and calls it a matter of rights.
    if (machine.platform === 'win32') taken.push('EPERM', 'EACCES', 'EBUSY');
    if (taken.includes(codeOf(error))) return false;
    throw error;
  }
}

/** Removes what dead owners left in a folder, and says if there was any; the mark of the owner follows the prefix. */
function removeAbandoned(folder: string, prefix: string, machine: Machine, now: number): boolean {
  let isAnyRemoved = false;
  for (const name of namesIn(folder)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (!isAbandoned(name.slice(prefix.length), now - stats.mtimeMs, STALE_MS, machine)) continue;
    isAnyRemoved = removeQuietly(path) || isAnyRemoved;
  }
  return isAnyRemoved;
}

function removeQuietly(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    // Somebody else's: whoever needs the place waits and then says so.
    return false;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The time of waiting does not count towards the age of the lock. */
function touch(path: string, now: number): void {
  try {
    utimesSync(path, now / 1000, now / 1000);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty: the next owner is in it already.
  }
}

function busy(file: string): CliError {
  return new CliError('usage', `Another svc keeps ${file} locked.`, {
    hint: `the same command again; if no other svc is running, remove ${file}.lock`,
  });
}

/** The mark that a process puts into the names of its files: which machine, which process. */
export function ownerMark(machine: Machine): string {
  return `${hostMark(machine.hostname)}-${machine.pid}`;
}

/**
 * Whether the owner named by a mark has left its file behind: its process is dead, or the file is older than `staleMs`.
 * A process of another machine sharing the folder is judged by age alone, a number there means nothing here.
 */
export function isAbandoned(mark: string, ageMs: number, staleMs: number, machine: Machine): boolean {
  // A file from the future was written before the clock was set back; its age is not known, so it counts as old.
  if (Math.abs(ageMs) > staleMs) return true;
  const [host, pid] = mark.split('-');
  return host === hostMark(machine.hostname) && /^\d{1,10}$/.test(pid ?? '') && !machine.isAlive(Number(pid));
}

function hostMark(hostname: string): string {
  return createHash('sha256').update(hostname).digest('hex').slice(0, 8);
}
