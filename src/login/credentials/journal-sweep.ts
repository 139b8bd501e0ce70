import { rmSync, statSync, truncateSync } from 'node:fs';
import { setAside } from '../../store/locked-file.ts';
import type { Machine } from '../../store/machine.ts';
import { isAbandoned } from '../../store/owner.ts';
import type { Journal } from './journal.ts';

/** Milliseconds after which the blank reservation of another machine counts as left behind; no login lives that long. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** Removes a journal whose sign-in is in the credentials file. One that cannot be removed is emptied. */
export function removeJournal(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    truncateSync(path);
  }
}

/** Removes what a dead login left: a blank reservation goes, a half-written one is set aside for its owner to look at. */
export function sweepJournal(journal: Journal, fileTime: number, now: Date, machine: Machine): void {
  const stats = statSync(journal.path, { throwIfNoEntry: false });
  if (stats === undefined || !isAbandoned(journal.owner, fileTime - stats.mtimeMs, STALE_MS, machine)) return;
  if (journal.isBlank) removeJournal(journal.path);
  else if (journal.record === undefined) setAside(journal.path, now);
}
