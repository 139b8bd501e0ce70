import { changeDocument } from '../store/document.ts';
import { credentialsPath, journalsIn, recordsIn, withJournals } from './credentials.ts';
import { sweepJournals } from './journal.ts';
import { CREDENTIALS } from './record.ts';
import type { CredentialRecord, Credentials, Place } from './types.ts';

type Records = readonly CredentialRecord[];

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
