import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Machine } from '../../store/machine.ts';
import { readPrivateFile } from '../../store/private-file.ts';
import { NO_CREDENTIALS, parseCredentials } from './format.ts';
import { findJournals, type Journal } from './journal.ts';
import { type Credentials, put } from './records.ts';

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

/** Every journal that belongs to the folder, wherever it had to be written. */
export function journalsOf(place: Place): Journal[] {
  const { folder, stateDir, machine } = place;
  const places = stateDir === undefined || stateDir === folder ? [folder] : [folder, stateDir];
  return places.flatMap((one) => findJournals(one, folder, machine));
}

/** The stored sign-ins together with those that only a journal holds so far. */
export function withJournals<T extends Credentials>(stored: T, journals: readonly Journal[]): T {
  let merged = stored;
  for (const { record } of journals) {
    const isNew = record !== undefined && !merged.credentials.some((known) => known.token === record.token);
    if (isNew) merged = { ...merged, ...put(merged, record) };
  }
  return merged;
}

/**
 * Reads without writing anything (a file that is open to others is closed to them), without a lock and without conf.
 * @throws CliError `unauthenticated` that names the path, where the file is damaged or of somebody else.
 */
export function readCredentials(place: Place): StoredCredentials {
  const path = credentialsPath(place);
  const found = readPrivateFile(path, place.machine);
  const file = found === undefined ? NO_CREDENTIALS : parseCredentials(found.text, path);
  const merged = withJournals(file, journalsOf(place));
  const known = new Set(file.credentials);
  const unmerged = merged.credentials.filter((record) => !known.has(record)).length;
  const warnings = found?.wasOpen ? [`Others could read ${path}; now only you can.`] : [];
  return { current: merged.current, credentials: merged.credentials, unmerged, warnings };
}
