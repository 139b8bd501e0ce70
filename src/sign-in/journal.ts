import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { changeDocument, type LockedDocument } from '../store/document.ts';
import { makePrivateFolder, PRIVATE_FILE, removeFolders, syncFolder } from '../store/files.ts';
import { getOwnerMark, hasEnded } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';
import { checkMade } from '../store/trust.ts';
import { CREATE_NEW, fillFile } from '../store/write.ts';
import {
  addJournaled,
  type FoundJournal,
  getCredentialsPath,
  JOURNAL_FORMAT,
  listJournals,
  listSignIns,
} from './credentials.ts';
import { CREDENTIALS } from './record.ts';
import type { CredentialRecord, Credentials, CredentialsFolder } from './types.ts';

// A token is handed out once. The file for it is made before anybody is asked to approve, and
// filled before anything else is done with the token. From then on every svc finds it here, until
// it is in the credentials file.

/** Bytes that a login reserves; the largest token needs a quarter of them. */
const RESERVED_BYTES = 16 * 1024;

/** Then a blank journal of another machine counts as abandoned. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** See {@link reserveJournal}. */
export type Journal = ReturnType<typeof reserveJournal>;

/**
 * Makes a journal on disk that is large enough, and that svc will read later. Leaves nothing behind
 * otherwise, no folder either.
 * @throws CliError `usage` if its file system keeps no modes or owners; the system's error
 */
export function reserveJournal(folder: string, machine: Machine) {
  const made = makePrivateFolder(folder, machine);
  const path = join(
    folder,
    `login-${getOwnerMark(machine)}-${randomBytes(6).toString('hex')}.json`,
  );
  let descriptor: number;
  try {
    descriptor = openSync(path, CREATE_NEW, PRIVATE_FILE);
  } catch (error) {
    removeFolders(made);
    throw error;
  }
  let isKept = false;
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(descriptor);
    if (isKept) return;
    try {
      removeJournal(path);
    } catch {
      // Its folder is gone, or no longer one.
    }
  };
  try {
    // Spaces after a journal do not change its meaning as JSON.
    fillFile(descriptor, Buffer.alloc(RESERVED_BYTES, ' '), PRIVATE_FILE);
    syncFolder(folder);
    checkMade(path, machine, true);
  } catch (error) {
    close();
    removeFolders(made);
    throw error;
  }
  return {
    path,
    /** Another svc removes it once it has merged it. */
    isThere: () => existsSync(path),
    /** Closes the file, and removes it unless it was filled. Never throws. */
    close,
    /** On disk, and reads it back. Throws the system's error. */
    fill(record: CredentialRecord): void {
      const bytes = Buffer.from(journalText(record));
      fillFile(descriptor, bytes);
      const held = Buffer.alloc(bytes.length);
      // Not by its name: another svc may have merged and removed it by now.
      readSync(descriptor, held, 0, held.length, 0);
      if (!held.equals(bytes)) throw new Error(`${path} does not hold what was written`);
      isKept = true;
    },
  };
}

/** With its version. */
function journalText(record: CredentialRecord): string {
  return `${JSON.stringify({ version: JOURNAL_FORMAT, credential: record }, undefined, 2)}\n`;
}

function sweepJournals(
  journals: readonly FoundJournal[],
  fileTime: number,
  machine: Machine,
): void {
  for (const { path, record, owner } of journals) {
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? fileTime;
    const isOld = Math.abs(fileTime - writtenAt) > STALE_MS;
    if (record !== undefined || isOld || hasEnded(owner, machine)) removeJournal(path);
  }
}

function removeJournal(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    truncateSync(path);
  }
}

/**
 * Merges journals first, so that none can undo a later change, and removes them once the file is on
 * disk. Returns what is stored, what was known before, and the new path of a damaged file.
 */
export function changeCredentials(
  place: CredentialsFolder,
  edit: (stored: Credentials) => Credentials,
  options: { readonly movesAside: boolean },
) {
  const { folder, machine, clock } = place;
  const change = ({ content, asidePath, write, fileTime }: LockedDocument<Credentials>) => {
    const journals = listJournals(folder, machine);
    const journaled = listSignIns(journals);
    const { current, credentials } = edit(addJournaled(content, journaled));
    if (current !== content.current || credentials !== content.credentials) {
      write({ current, credentials });
    }
    // The oldest first: if the process is killed in between, the latest remains and wins again.
    sweepJournals(journals, fileTime(), machine);
    return { stored: credentials, known: [...content.credentials, ...journaled], asidePath };
  };
  return changeDocument(
    { path: getCredentialsPath(place), machine, clock },
    CREDENTIALS,
    change,
    options,
  );
}
