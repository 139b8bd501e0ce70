import { rmSync, statSync, truncateSync } from 'node:fs';
import { loadConf } from '../store/conf.ts';
import { isAbandoned } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';
import { type LockedFile, setAside as setFileAside, withLockedFile } from '../store/write.ts';
import { credentialsPath, journalsOf, type Place, recordsIn, type SignInJournal, withNew } from './read.ts';
import {
  type CredentialRecord,
  type Credentials,
  type CredentialsFile,
  checkWritable,
  isDamage,
  NO_CREDENTIALS,
  parseCredentials,
} from './records.ts';

/** Milliseconds after which a blank reservation of another machine counts as abandoned; no login takes that long. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** A change of the stored sign-ins. Its functions must only compute: they run again if the lock was lost. */
export interface Change {
  /** Returns a new sign-in, or undefined if it is merged already. */
  readonly added?: () => CredentialRecord | undefined;
  readonly edit?: ((stored: Credentials) => Credentials) | undefined;
  readonly onDamage: 'refuse' | 'set aside';
}

/** The result of a change. */
interface Changed {
  readonly stored: Credentials;
  /** Sign-ins that a new one replaced and whose token is stored nowhere else. */
  readonly displaced: readonly CredentialRecord[];
  /** The new path of a damaged file. */
  readonly setAside: string | undefined;
}

/**
 * Reads, changes and writes the stored sign-ins under their lock. Merges journals first, so that none can undo a later
 * change, and removes them once the file is on disk.
 * @throws CliError if the file is damaged (unless it is set aside), was written by a newer svc or belongs to another
 *   user, or if the lock stays taken; system errors of the writing.
 */
export async function changeCredentials(place: Place, { added, edit, onDamage }: Change): Promise<Changed> {
  const writeThroughConf = await loadConf();
  const { machine, clock } = place;
  const path = credentialsPath(place);
  let setAside: string | undefined;
  return await withLockedFile(path, machine, clock, (locked) => {
    const file = readFile(locked, path, onDamage, (aside) => {
      setAside = aside;
    });
    checkWritable(file, path);
    const journals = journalsOf(place);
    const records = [...recordsIn(journals), added?.() ?? []].flat();
    const merged = withNew(file, records);
    const next = { ...merged, ...edit?.(merged) };
    if (next.credentials !== file.credentials || next.current !== file.current) {
      const { version, current, credentials, other } = next;
      writeThroughConf(path, { ...other, version, current, credentials }, locked.write);
    }
    // The oldest first: if the process is killed in between, the latest remains and wins again.
    for (const journal of journals) {
      if (journal.record === undefined) sweepJournal(journal, locked.fileTime(), new Date(clock.now()), machine);
      else removeJournal(journal.path);
    }
    const displaced = withoutTokensOf([...file.credentials, ...records], merged.credentials);
    return { stored: next, displaced, setAside };
  });
}

/** The records whose token is not among the others. */
export function withoutTokensOf(
  records: readonly CredentialRecord[],
  others: readonly CredentialRecord[],
): readonly CredentialRecord[] {
  const tokens = new Set(others.map(({ token }) => token));
  return records.filter(({ token }) => !tokens.has(token));
}

function readFile(
  locked: LockedFile,
  path: string,
  onDamage: Change['onDamage'],
  onSetAside: (path: string) => void,
): CredentialsFile {
  const text = locked.read()?.text;
  try {
    return text === undefined ? NO_CREDENTIALS : parseCredentials(text, path);
  } catch (error) {
    if (onDamage === 'refuse' || !isDamage(error)) throw error;
    onSetAside(locked.setAside());
    return NO_CREDENTIALS;
  }
}

/** Removes a journal whose sign-in is in the credentials file, or empties it if it cannot be removed. */
function removeJournal(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    truncateSync(path);
  }
}

/** Removes the blank reservation of a dead login, and sets a half-written one aside: its text may still matter. */
function sweepJournal(journal: SignInJournal, fileTime: number, now: Date, machine: Machine): void {
  const stats = statSync(journal.path, { throwIfNoEntry: false });
  if (stats === undefined || !isAbandoned(journal.owner, fileTime - stats.mtimeMs, STALE_MS, machine)) return;
  if (journal.isBlank) removeJournal(journal.path);
  else setFileAside(journal.path, now);
}
