import { createHash, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError, getErrorCode, tryOr, usageError } from '../errors.ts';
import { shellWord } from '../shell-line.ts';
import { isInUse, PRIVATE_FILE, readFolder } from './files.ts';
import type { Machine } from './machine.ts';

/**
 * A lock that is older counts as abandoned even if its owner seems alive: most are kept for a few
 * milliseconds.
 */
const STALE_MS = 10_000;
const PATIENCE_MS = 5_000;
/** The pauses between two tries are random. */
const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 20;

/**
 * Waits for the lock of a file: a folder `<file>.lock` with one file in it, named after the owner.
 *
 * The folder is made under another name and renamed, which succeeds for one process only, and only
 * if the lock's name is free or an empty folder. A dead owner's file is removed by its name, never
 * the whole folder: of two processes that find the same dead owner, neither can remove the lock of
 * a third that was faster.
 * @throws CliError `in_use` after `patienceMs`, or the clock's own patience if that is shorter;
 * what its sleep throws.
 */
export async function acquireLock(
  file: string,
  machine: Machine,
  clock: Clock,
  patienceMs = PATIENCE_MS,
) {
  const claim = `${getOwnerMark(machine)}-${randomBytes(6).toString('hex')}`;
  const lock = `${file}.lock`;
  const prepared = `${lock}-${claim}`;
  const owner = join(lock, claim);
  const deadline = clock.monotonic() + Math.min(patienceMs, clock.patienceMs ?? patienceMs);
  let fileTime = (): number => 0;
  try {
    fileTime = prepare(prepared, claim, clock);
    while (!take(prepared, lock, machine, fileTime())) {
      if (clock.monotonic() >= deadline) {
        const hint = `Repeat the command. If no other svc is running, remove ${file}.lock first.`;
        throw new CliError('in_use', `Another svc keeps ${file} locked.`, { hint });
      }
      await clock.sleep(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
      // While this process was stopped, another one may have removed its folder as abandoned.
      if (findStats(prepared, machine) === undefined) fileTime = prepare(prepared, claim, clock);
    }
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    throw error;
  }
  // The time spent waiting does not count towards the age of the lock.
  const touch = () =>
    tryOr(() => utimesSync(owner, fileTime() / 1000, fileTime() / 1000), undefined);
  touch();
  removeAbandoned(dirname(lock), `${basename(lock)}-`, machine, fileTime());
  return {
    isHeld: () => findStats(owner, machine) !== undefined,
    /** The file system's time now, in milliseconds: to compare with the times of files. */
    fileTime,
    /** Keeps a lock that is needed for seconds from looking abandoned. */
    renew: touch,
    release(): void {
      // What Windows does not remove while another program reads it is soon abandoned.
      tryOr(() => rmSync(owner, { force: true }), undefined);
      // Fails if the next owner has taken it.
      tryOr(() => rmdirSync(lock), undefined);
    },
  };
}

/** Makes the folder, and returns the file system's clock, which may differ from the machine's. */
function prepare(prepared: string, claim: string, clock: Clock): () => number {
  mkdirSync(prepared, { mode: 0o700 });
  const path = join(prepared, claim);
  writeFileSync(path, '', { flag: 'wx', mode: PRIVATE_FILE });
  const { mtimeMs } = statSync(path);
  const since = clock.monotonic();
  return () => mtimeMs + clock.monotonic() - since;
}

function take(prepared: string, lock: string, machine: Machine, now: number): boolean {
  removeAbandoned(lock, '', machine, now);
  if (machine.platform === 'win32') tryOr(() => rmdirSync(lock), undefined);
  try {
    renameSync(prepared, lock);
    return true;
  } catch (error) {
    // Windows cannot rename onto a folder, even an empty one, and reports missing rights.
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(getErrorCode(error));
    if (isTaken || isInUse(error, machine.platform)) return false;
    if (findStats(lock, machine)?.isDirectory() === false) {
      const message = `${lock} is in the way: svc needs a folder of that name for its lock.`;
      throw usageError(message, `Look at it, then move it away: mv ${shellWord(lock)} /tmp/`);
    }
    throw error;
  }
}

/** Removes what dead owners left in a folder: the mark of the owner follows the prefix. */
function removeAbandoned(folder: string, prefix: string, machine: Machine, now: number): void {
  for (const name of readFolder(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(prefix)) continue;
    const stats = findStats(path, machine);
    if (stats === undefined) continue;

    // A time in the future was written before the clock was set back.
    const isOld = Math.abs(now - stats.mtimeMs) > STALE_MS;
    // What is not ours to remove stays; the waiter times out and reports it.
    if (isOld || hasEnded(name.slice(prefix.length), machine)) {
      tryOr(() => rmSync(path, { recursive: true, force: true }), undefined);
    }
  }
}

/** Looks at a file. One that Windows is about to remove counts as gone: it refuses all access. */
function findStats(path: string, machine: Machine): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isInUse(error, machine.platform)) return undefined;
    throw error;
  }
}

/** Returns what stands in a file name for its owner: the machine and the process. */
export function getOwnerMark({ hostname, pid }: Machine): string {
  return `${createHash('sha256').update(hostname).digest('hex').slice(0, 8)}-${pid}`;
}

/**
 * Whether an owner was a process of this machine, and has ended. Process ids of other machines mean
 * nothing here.
 */
export function hasEnded(mark: string, machine: Machine): boolean {
  const pid = Number(/^[0-9a-f]+-(\d{1,10})(?:-|$)/.exec(mark)?.[1]);
  return mark.startsWith(getOwnerMark({ ...machine, pid })) && !machine.isAlive(pid);
}
