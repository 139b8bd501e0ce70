import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { changeDocument, readDocument } from '../store/document.ts';
import type { Machine } from '../store/machine.ts';
import { type FoundJournal, journalsIn, sweepJournals } from './journal.ts';
import { CREDENTIALS, type CredentialRecord, type Credentials, isSameSignIn, put } from './record.ts';

type Records = readonly CredentialRecord[];

/** Where the sign-ins of one configuration folder are kept. */
export interface Place {
  /** The configuration folder. */
  readonly folder: string;
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

/**
 * Reads the sign-ins without a lock and without conf. Writes nothing, but closes a file that others could read.
 * @throws CliError that names the path: `unauthenticated` if the file is damaged, `usage` if it cannot be used.
 */
export function readCredentials(place: Place): StoredCredentials {
  const path = credentialsPath(place);
  const { content, wasOpen } = readDocument<Credentials>(path, CREDENTIALS, place.machine);
  const { current, credentials } = withJournals(content, recordsIn(journalsIn(place.folder, place.machine)));
  const unmerged = credentials.filter((record) => !content.credentials.includes(record)).length;
  const warnings = wasOpen ? [`Others could read ${path}; now only you can.`] : [];
  return { current, credentials, unmerged, warnings };
}

/** The path of the credentials file. */
export function credentialsPath({ folder }: Pick<Place, 'folder'>): string {
  return join(folder, 'credentials.json');
}

/** The sign-ins in journals, the oldest first. */
export function recordsIn(journals: readonly FoundJournal[]): readonly CredentialRecord[] {
  return journals.flatMap(({ record }) => record ?? []);
}

/** Adds the sign-ins of journals, the oldest first. Of two for the same profile, the later one stays. */
export function withJournals(stored: Credentials, journaled: readonly CredentialRecord[]): Credentials {
  let merged = stored;
  for (const record of journaled) {
    const isMerged = merged.credentials.some(
      (known) => isSameSignIn(known, record) && known.createdAt >= record.createdAt,
    );
    if (!isMerged) merged = put(merged, record);
  }
  return merged;
}

/** Computes the new sign-ins. Runs again if the lock was lost. */
export type Edit = (stored: Credentials) => Credentials;

/**
 * Changes the stored sign-ins under their lock. Merges journals first, so that none can undo a later change, and removes
 * them once the file is on disk.
 */
export function changeCredentials(place: Place, edit: Edit, options?: { readonly setsAside: boolean }) {
  const { folder, machine, clock } = place;
  const at = { path: credentialsPath(place), machine, clock };
  return changeDocument<Credentials, Changed>(
    at,
    CREDENTIALS,
    ({ content, setAside, write, fileTime }) => {
      const journals = journalsIn(folder, machine);
      const journaled = recordsIn(journals);
      const { current, credentials } = edit(withJournals(content, journaled));
      if (current !== content.current || credentials !== content.credentials) write({ current, credentials });
      // The oldest first: if the process is killed in between, the latest remains and wins again.
      sweepJournals(journals, fileTime(), new Date(clock.now()), machine);
      return { stored: credentials, known: [...content.credentials, ...journaled], setAside };
    },
    options,
  );
}

/** The result of a change. */
interface Changed {
  readonly stored: Records;
  /** The sign-ins that were stored before. */
  readonly known: Records;
  /** The new path of a damaged file. */
  readonly setAside: string | undefined;
}
