import { rmSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Options } from 'conf';
import { CliError } from '../errors.ts';
import { lazy } from '../lazy.ts';
import { makePrivateFolder } from '../store/folder.ts';
import { isAbandoned } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';
import { type LockedFile, setAside as setFileAside, withLockedFile } from '../store/write.ts';
import {
  CREDENTIALS_FILE,
  credentialsPath,
  journalsOf,
  type Place,
  recordsIn,
  type SignInJournal,
  withNew,
} from './read.ts';
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
  const openConf = await loadConf();
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
      writeThroughConf(openConf, locked, place, next);
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

function writeThroughConf(
  openConf: Awaited<ReturnType<typeof loadConf>>,
  locked: LockedFile,
  place: Place,
  { version, current, credentials, other }: CredentialsFile,
): void {
  let isWritten = false;
  const conf = openConf(dirname(credentialsPath(place)), {
    ensureFolder: () => makePrivateFolder(place.folder, place.machine),
    write(bytes) {
      locked.write(bytes);
      isWritten = true;
    },
  });
  conf.store = { ...other, version, current, credentials };
  if (!isWritten) throw new CliError('unexpected', 'The credentials file was not written: conf went past its hook.');
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

/** Replaces the file operations of conf. */
interface ConfHooks {
  write(bytes: Buffer): void;
  ensureFolder(): void;
}

/** What svc uses of conf. Its type declares the two hooks as private, so they are replaced without it. */
interface OpenConf {
  store: Record<string, unknown>;
}

type ConfOptions = Readonly<Partial<Options<Record<string, unknown>>>>;

/**
 * Loads conf. Its own writing loses the file on a full disk, writes in place if `SNAP` is set, and leaves files with the
 * token behind when killed, so both of its hooks are replaced. A test fails if a newer conf stops calling them.
 */
export async function loadConf(): Promise<(folder: string, hooks: ConfHooks) => OpenConf> {
  const Base: new (options: ConfOptions) => OpenConf = await lazy.conf();
  return (folder, hooks) => {
    // The hooks come from the closure: conf's constructor may call them before the class has fields.
    class CredentialsConf extends Base {
      _write(value: unknown): void {
        hooks.write(Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`));
      }

      _ensureDirectory(): void {
        hooks.ensureFolder();
      }
    }
    return new CredentialsConf({
      cwd: folder,
      configName: CREDENTIALS_FILE.replace('.json', ''),
      projectSuffix: '',
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      deserialize: (text: string) => JSON.parse(text.replace(/^\uFEFF/, '')),
    });
  };
}
