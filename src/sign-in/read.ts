import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import { isObject, parseJson } from '../json/values.ts';
import { readableNamesIn } from '../store/folder.ts';
import type { Machine } from '../store/machine.ts';
import { readPrivateFile } from '../store/read.ts';
import {
  type CredentialRecord,
  type Credentials,
  isSameSignIn,
  NO_CREDENTIALS,
  parseCredentials,
  parseRecord,
  put,
} from './records.ts';

/** The file of the stored sign-ins, in the configuration folder. */
export const CREDENTIALS_FILE = 'credentials.json';

/** Where the sign-ins of one configuration folder are kept. */
export interface Place {
  /** The configuration folder. */
  readonly folder: string;
  /** The folder for a sign-in that the configuration folder does not take. */
  readonly stateDir: string | undefined;
  /** The parent of temporary folders, the last resort. */
  readonly tempDir: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** The stored sign-ins, including those in journals. */
export interface StoredCredentials extends Credentials {
  /** How many sign-ins are not in the credentials file yet; `settle` merges them. */
  readonly unmerged: number;
  /** Sentences for the user, such as that others could read the file. */
  readonly warnings: readonly string[];
}

/** A journal file: a reservation that is still blank, or one sign-in that is not merged yet. */
export interface SignInJournal {
  readonly path: string;
  /** Absent while the journal is blank or only half written. */
  readonly record: CredentialRecord | undefined;
  readonly isBlank: boolean;
  /** The mark of the process that made it. */
  readonly owner: string;
}

/**
 * Reads the sign-ins without a lock and without conf. Writes nothing, but closes a file that others could read.
 * @throws CliError `unauthenticated` that names the path, if the file is damaged or belongs to another user.
 */
export function readCredentials(place: Place): StoredCredentials {
  const path = credentialsPath(place);
  const found = readFile(path, place.machine);
  const file = found === undefined ? NO_CREDENTIALS : parseCredentials(found.text, path);
  const { current, credentials } = withNew(file, recordsIn(journalsOf(place)));
  const unmerged = credentials.filter((record) => !file.credentials.includes(record)).length;
  const warnings = found?.wasOpen ? [`Others could read ${path}; now only you can.`] : [];
  return { current, credentials, unmerged, warnings };
}

/** Without its file, svc is signed out. */
function readFile(path: string, machine: Machine) {
  try {
    return readPrivateFile(path, machine);
  } catch (error) {
    throw error instanceof CliError ? new CliError('unauthenticated', error.message, error.details) : error;
  }
}

/** The path of the credentials file. */
export function credentialsPath(place: Place): string {
  return join(place.folder, CREDENTIALS_FILE);
}

/** Adds new sign-ins to the stored ones. Of two for the same profile, the later one stays. */
export function withNew<T extends Credentials>(stored: T, records: readonly CredentialRecord[]): T {
  let merged = stored;
  for (const record of records.toSorted((a, b) => compare(a.createdAt, b.createdAt))) {
    const isMerged = merged.credentials.some(
      (known) => isSameSignIn(known, record) && known.createdAt >= record.createdAt,
    );
    if (!isMerged) merged = { ...merged, ...put(merged, record) };
  }
  return merged;
}

/** The sign-ins in journals. */
export function recordsIn(journals: readonly SignInJournal[]): readonly CredentialRecord[] {
  return journals.flatMap(({ record }) => record ?? []);
}

/** Finds every journal of a configuration folder, there and in the state folder; the oldest sign-in first. */
export function journalsOf({ folder, stateDir, machine }: Place): SignInJournal[] {
  const folders = new Set([folder, stateDir ?? folder]);
  const journals = [...folders].flatMap((inFolder) =>
    readableNamesIn(inFolder).flatMap((name) => {
      const owner = JOURNAL.exec(name)?.[1];
      return owner === undefined
        ? []
        : readJournal(join(inFolder, name), owner, inFolder === folder ? undefined : folder, machine);
    }),
  );
  return journals.sort((a, b) => compare(a.record?.createdAt ?? '', b.record?.createdAt ?? ''));
}

const JOURNAL = /^login-([0-9a-f]{8}-\d+)-[0-9a-f]+\.json$/;

/** The name of a new journal. */
export function journalName(owner: string, random: string): string {
  return `login-${owner}-${random}.json`;
}

/** Whether a file may be a journal. */
export function isJournalName(name: string): boolean {
  return JOURNAL.test(name);
}

const JOURNAL_FORMAT = 1;

/** The text of a journal; `folder` is the configuration folder that the sign-in belongs to. */
export function journalText(record: CredentialRecord, folder: string): string {
  return `${JSON.stringify({ version: JOURNAL_FORMAT, folder, credential: record }, undefined, 2)}\n`;
}

/**
 * Reads a journal. `folder` is the configuration folder that it must name, unless it is in that folder: the folder may
 * have been mounted under another path when the journal was written. A half-written one may belong to any folder.
 */
function readJournal(path: string, owner: string, folder: string | undefined, machine: Machine): SignInJournal[] {
  let text: string | undefined;
  try {
    text = readPrivateFile(path, machine)?.text;
  } catch {
    // A file of another user, or an unreadable one, must not stop the command.
    return [];
  }
  if (text === undefined) return [];
  const content = parseJson(text);
  // That of a newer svc is left to it.
  if (isObject(content) && Number(content['version']) > JOURNAL_FORMAT) return [];
  if (folder !== undefined && isObject(content) && content['folder'] !== folder) return [];
  const record = isObject(content) ? parseRecord(content['credential']) : undefined;
  return [{ path, record, isBlank: text.trim() === '', owner }];
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
