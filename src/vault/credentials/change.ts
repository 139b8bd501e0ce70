import { rmSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from '../../errors.ts';
import { lazy } from '../../lazy.ts';
import { makePrivateFolder } from '../folder.ts';
import { isAbandoned } from '../lock.ts';
import type { Machine } from '../machine.ts';
import { type LockedFile, setAside as setFileAside, withLockedFile } from '../write.ts';
import { CREDENTIALS_FILE, credentialsPath, type Journal, journalsOf, type Place, recordsIn, withNew } from './read.ts';
import {
  type CredentialRecord,
  type Credentials,
  type CredentialsFile,
  checkWritable,
  isDamage,
  NO_CREDENTIALS,
  parseCredentials,
  toJson,
} from './records.ts';

/** What takes the place of conf's own writing. */
interface ConfHooks {
  /** Replaces the file. */
  write(bytes: Buffer): void;
  /** Makes the folder of the file. */
  ensureFolder(): void;
}

/** conf as it is at run time: the two hooks are private to TypeScript alone. */
interface OpenConf {
  store: Record<string, unknown>;
  _write(value: unknown): void;
  _ensureDirectory(): void;
}
type OpenConfClass = new (options: Readonly<Record<string, unknown>>) => OpenConf;

/** Opens the credentials file of a folder as a conf store whose writing goes through the hooks. */
type OpenCredentialsFile = (folder: string, hooks: ConfHooks) => { store: Record<string, unknown> };

/**
 * Loads conf. Its own writing loses the file on a full disk, writes in place where `SNAP` is set, and leaves files with
 * the token behind when killed; so both of its hooks are replaced. A test fails if a newer conf stops calling them.
 */
export async function loadConf(): Promise<OpenCredentialsFile> {
  const Base = (await lazy.conf()) as unknown as OpenConfClass;
  return (folder, hooks) => {
    // The hooks come from around the class and not from its fields: conf's constructor may call them before any exist.
    class CredentialsConf extends Base {
      override _write(value: unknown): void {
        hooks.write(Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`));
      }

      override _ensureDirectory(): void {
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

/** Milliseconds after which the blank reservation of another machine counts as left behind; no login lives that long. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** One change of the stored sign-ins. Its functions may be asked again after a lost lock, so they only compute. */
export interface Change {
  /** A new sign-in, unless it is merged already. */
  readonly added?: () => CredentialRecord | undefined;
  /** What else becomes of the sign-ins. */
  readonly edit?: ((stored: Credentials) => Credentials) | undefined;
  readonly onDamage: 'refuse' | 'set aside';
}

/** What a change did. */
interface Changed {
  /** The sign-ins as they are now. */
  readonly stored: Credentials;
  /** Sign-ins whose place a new one took; no other sign-in has their token. */
  readonly displaced: readonly CredentialRecord[];
  /** Where a damaged file is now. */
  readonly setAside: string | undefined;
}

/**
 * Reads, changes and writes the stored sign-ins under their lock. Journals are merged first, so that none can outlive a
 * later change, and removed once the file is on the disk.
 * @throws CliError where the file is damaged (unless it is to be set aside), of a newer svc or of somebody else, or the
 *   lock stays taken; system errors of the writing.
 */
export async function changeCredentials(place: Place, { added, edit, onDamage }: Change): Promise<Changed> {
  const openFile = await loadConf();
  const { machine, clock } = place;
  const path = credentialsPath(place);
  return await withLockedFile(path, machine, clock, (locked) => {
    const { file, setAside } = readFile(locked, path, onDamage);
    checkWritable(file, path);
    const journals = journalsOf(place);
    const records = [...recordsIn(journals), ...listOf(added?.())];
    const merged = withNew(file, records);
    const next = { ...merged, ...edit?.(merged) };
    if (next.credentials !== file.credentials || next.current !== file.current) {
      writeThroughConf(openFile, locked, place, next);
    }
    // The oldest first: whoever is killed in between leaves the latest, which wins again.
    for (const journal of journals) {
      if (journal.record === undefined) sweepJournal(journal, locked.fileTime(), new Date(clock.now()), machine);
      else removeJournal(journal.path);
    }
    return { stored: next, displaced: without([...file.credentials, ...records], merged.credentials), setAside };
  });
}

/** The records whose token none of the others has. */
export function without(
  records: readonly CredentialRecord[],
  others: readonly CredentialRecord[],
): readonly CredentialRecord[] {
  const tokens = new Set(others.map(({ token }) => token));
  return records.filter(({ token }) => !tokens.has(token));
}

function listOf<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

function readFile(
  locked: LockedFile,
  path: string,
  onDamage: 'refuse' | 'set aside',
): { file: CredentialsFile; setAside: string | undefined } {
  const text = locked.read()?.text;
  try {
    return { file: text === undefined ? NO_CREDENTIALS : parseCredentials(text, path), setAside: undefined };
  } catch (error) {
    if (onDamage === 'refuse' || !isDamage(error)) throw error;
    return { file: NO_CREDENTIALS, setAside: locked.setAside() };
  }
}

function writeThroughConf(
  openFile: OpenCredentialsFile,
  locked: LockedFile,
  place: Place,
  file: CredentialsFile,
): void {
  let isWritten = false;
  const conf = openFile(dirname(credentialsPath(place)), {
    ensureFolder: () => makePrivateFolder(place.folder, place.machine),
    write(bytes) {
      locked.write(bytes);
      isWritten = true;
    },
  });
  conf.store = toJson(file);
  if (!isWritten) throw new CliError('unexpected', 'The credentials file was not written: conf went past its hook.');
}

/** Removes a journal whose sign-in is in the credentials file. One that cannot be removed is emptied. */
function removeJournal(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    truncateSync(path);
  }
}

/** Removes what a dead login left: a blank reservation goes, a half-written one is set aside for its owner to look at. */
function sweepJournal(journal: Journal, fileTime: number, now: Date, machine: Machine): void {
  const stats = statSync(journal.path, { throwIfNoEntry: false });
  if (stats === undefined || !isAbandoned(journal.owner, fileTime - stats.mtimeMs, STALE_MS, machine)) return;
  if (journal.isBlank) removeJournal(journal.path);
  else if (journal.record === undefined) setFileAside(journal.path, now);
}
