import { constants, fdatasyncSync, readSync, rmSync, type Stats, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../errors.ts';
import { makePrivateFolder, namesIn, withOpen } from './folder.ts';
import type { Machine } from './machine.ts';
import { PRIVATE_FILE, READ_NONBLOCKING } from './read.ts';

const DAY_MS = 24 * 3_600_000;
const DAY_FILE = /^(\d{4}-\d\d-\d\d)\.ndjson$/;

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
/** Without O_NONBLOCK, a named pipe in place of a file would block svc for ever. */
const APPEND = O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/** Of a longer day only the end is read, which has the latest lines. */
const MAX_DAY_BYTES = 16 * 1024 * 1024;

/** See {@link openHistory}. */
export type DayHistory = ReturnType<typeof openHistory>;

/**
 * Opens a folder of lines that are only ever added, in a private file for each day (UTC). Each addition is one write at the
 * end of a file, so writers tear no line of each other and need no lock. A day that is too old is removed as a whole.
 * @param days how long a day is kept
 */
export function openHistory(folder: string, days: number, machine: Machine) {
  const timeOf = (name: string) => Date.parse(DAY_FILE.exec(name)?.[1] ?? '');
  const isKept = (name: string, now: number) => timeOf(name) + (days + 1) * DAY_MS > now;
  return {
    /**
     * Adds entries as JSON. Throws the system's error.
     * @param onDisk whether to wait until the disk has them
     */
    add(entries: readonly object[], now: number, { onDisk = false } = {}): void {
      if (entries.length === 0) return;
      makePrivateFolder(folder, machine);
      const isNew = append(join(folder, `${new Date(now).toISOString().slice(0, 10)}.ndjson`), entries, onDisk);
      if (!isNew) return;
      for (const name of namesIn(folder)) {
        if (!Number.isNaN(timeOf(name)) && !isKept(name, now)) rmSync(join(folder, name), { force: true });
      }
    },
    /** Yields the lines of each day, the latest day first. Skips a day that cannot be read. */
    *read(now: number): Iterable<readonly string[]> {
      const names = namesIn(folder, ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'EIO']).filter((name) =>
        isKept(name, now),
      );
      for (const name of [...names].sort().reverse()) yield linesOf(join(folder, name));
    },
  };
}

/** Returns whether the file was empty. */
function append(path: string, entries: readonly object[], onDisk: boolean): boolean {
  const add = (descriptor: number, stats: Stats) => {
    if (!stats.isFile()) throw new Error('it is not a plain file');
    // The line end comes first, so that a line which a full disk has cut spoils no other.
    const bytes = Buffer.from(entries.map((entry) => `\n${JSON.stringify(entry)}`).join(''));
    if (writeSync(descriptor, bytes) < bytes.length) throw new Error('there is no space left');
    if (onDisk) fdatasyncSync(descriptor);
    return stats.size === 0;
  };
  return withOpen(path, APPEND, add, PRIVATE_FILE);
}

function linesOf(path: string): readonly string[] {
  const read = (descriptor: number, stats: Stats) => {
    if (!stats.isFile()) return [];
    const bytes = Buffer.alloc(Math.min(stats.size, MAX_DAY_BYTES));
    const length = readSync(descriptor, bytes, 0, bytes.length, stats.size - bytes.length);
    const lines = bytes.toString('utf8', 0, length).split('\n');
    return (bytes.length < stats.size ? lines.slice(1) : lines).filter((line) => line !== '');
  };
  try {
    return withOpen(path, READ_NONBLOCKING, read);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return [];
  }
}
