import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { codeOf } from '../../errors.ts';
import { isObject, parseJson } from '../../json/values.ts';
import type { Machine } from '../machine.ts';
import { readPrivateFile } from '../read.ts';
import {
  type CredentialRecord,
  type Credentials,
  isSameSignIn,
  NO_CREDENTIALS,
  parseCredentials,
  parseRecord,
  put,
} from './records.ts';

const NAME = /^login-([0-9a-f]{8}-\d+)-[0-9a-f]+\.json$/;

/** A journal that was found: a reservation that is still blank, or one sign-in that no merge has seen yet. */
export interface Journal {
  readonly path: string;
  /** The sign-in in it; absent while it is blank or only half written. */
  readonly record: CredentialRecord | undefined;
  readonly isBlank: boolean;
  /** Which process made it. */
  readonly owner: string;
}

/** The name of a new journal. */
export function journalName(owner: string, random: string): string {
  return `login-${owner}-${random}.json`;
}

/** Whether a file may be a journal. */
export function isJournalName(name: string): boolean {
  return NAME.test(name);
}

/** The text of a journal; `folder` is the configuration folder that the sign-in belongs to. */
export function journalText(record: CredentialRecord, folder: string): string {
  return `${JSON.stringify({ version: 1, folder, credential: record }, undefined, 2)}\n`;
}

/**
 * The journals in a place that belong to a configuration folder. Those in the folder itself belong to it by their
 * place, whatever path it was mounted under when they were written; of the others, half a journal may be of any folder.
 */
function findJournals(place: string, folder: string, machine: Machine): Journal[] {
  return namesIn(place).flatMap((name) => {
    const owner = NAME.exec(name)?.[1];
    return owner === undefined
      ? []
      : readJournal(join(place, name), owner, place === folder ? undefined : folder, machine);
  });
}

function readJournal(path: string, owner: string, folder: string | undefined, machine: Machine): Journal[] {
  let text: string | undefined;
  try {
    text = readPrivateFile(path, machine)?.text;
  } catch {
    // Of another user, or unreadable: no reason to fail what the user wants to do now.
    return [];
  }
  if (text === undefined) return [];
  const content = parseJson(text);
  if (folder !== undefined && isObject(content) && content['folder'] !== folder) return [];
  const record = isObject(content) ? parseRecord(content['credential']) : undefined;
  return [{ path, record, isBlank: text.trim() === '', owner }];
}

/** The names in a folder; none where there is no folder that may be read. */
export function namesIn(place: string): readonly string[] {
  try {
    return readdirSync(place);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) return [];
    throw error;
  }
}

/** The file of the stored sign-ins, in the configuration folder. */
export const CREDENTIALS_FILE = 'credentials.json';

/** Where the sign-ins of one configuration folder are kept, and by whom. */
export interface Place {
  /** The configuration folder. */
  readonly folder: string;
  /** The folder for a sign-in that the configuration folder does not take. */
  readonly stateDir: string | undefined;
  /** Where temporary folders are made, as the last resort. */
  readonly tempDir: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** The stored sign-ins as they were read. */
export interface StoredCredentials extends Credentials {
  /** Sign-ins that are used but not in the credentials file yet; `settle` merges them. */
  readonly unmerged: number;
  /** What the user should know, such as that others could read the file. */
  readonly warnings: readonly string[];
}

/** The path of the credentials file. */
export function credentialsPath(place: Place): string {
  return join(place.folder, CREDENTIALS_FILE);
}

/** Every journal that belongs to the folder, wherever it had to be written; the oldest sign-in first. */
export function journalsOf(place: Place): Journal[] {
  const { folder, stateDir, machine } = place;
  const places = stateDir === undefined || stateDir === folder ? [folder] : [folder, stateDir];
  const journals = places.flatMap((one) => findJournals(one, folder, machine));
  return journals.sort((a, b) => compare(a.record?.createdAt ?? '', b.record?.createdAt ?? ''));
}

/** The sign-ins that journals hold. */
export function recordsIn(journals: readonly Journal[]): readonly CredentialRecord[] {
  return journals.flatMap(({ record }) => record ?? []);
}

/** The stored sign-ins together with new ones; of two for the same profile, the later one stays. */
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

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Reads without writing anything (a file that is open to others is closed to them), without a lock and without conf.
 * @throws CliError `unauthenticated` that names the path, where the file is damaged or of somebody else.
 */
export function readCredentials(place: Place): StoredCredentials {
  const path = credentialsPath(place);
  const found = readPrivateFile(path, place.machine);
  const file = found === undefined ? NO_CREDENTIALS : parseCredentials(found.text, path);
  const merged = withNew(file, recordsIn(journalsOf(place)));
  const known = new Set(file.credentials);
  const unmerged = merged.credentials.filter((record) => !known.has(record)).length;
  const warnings = found?.wasOpen ? [`Others could read ${path}; now only you can.`] : [];
  return { current: merged.current, credentials: merged.credentials, unmerged, warnings };
}
