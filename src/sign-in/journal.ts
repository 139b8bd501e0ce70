import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../errors.ts';
import { changeDocument, type LockedDocument } from '../store/document.ts';
import { makePrivateFolder, PRIVATE_FILE, removeFolders, syncFolder } from '../store/files.ts';
import { getOwnerMark, hasEnded } from '../store/lock.ts';
import { checkMade, type Machine } from '../store/machine.ts';
import { CREATE_NEW, fillFile } from '../store/write.ts';
import {
  addJournaled,
  CREDENTIALS,
  type CredentialRecord,
  type Credentials,
  type CredentialsFolder,
  type FoundJournal,
  getCredentialsPath,
  JOURNAL_FORMAT,
  listJournals,
  listSignIns,
} from './credentials.ts';

/** The bytes that a login reserves; the largest token needs a quarter of them. */
const RESERVED_BYTES = 16 * 1024;

/** A blank journal of another machine that is older counts as abandoned. */
const STALE_MS = 24 * 60 * 60 * 1000;

/**
 * The file of one sign-in. A token is handed out once: its journal is made before anybody is asked
 * to approve, and filled before anything else is done with the token. From then on every svc finds
 * it here, until it is in the credentials file.
 */
export class Journal {
  readonly path: string;
  readonly #descriptor: number;
  #isFilled = false;
  #isOpen = true;

  /**
   * Makes a journal on disk that is large enough, and that svc will read later. Leaves nothing
   * behind otherwise, no folder either.
   * @throws CliError `usage` if its file system keeps no modes or owners; the system's error
   */
  constructor(folder: string, machine: Machine) {
    const newFolders = makePrivateFolder(folder, machine);
    const name = `login-${getOwnerMark(machine)}-${randomBytes(6).toString('hex')}.json`;
    this.path = join(folder, name);
    try {
      this.#descriptor = openSync(this.path, CREATE_NEW, PRIVATE_FILE);
      try {
        // Spaces after a journal do not change its meaning as JSON.
        fillFile(this.#descriptor, Buffer.alloc(RESERVED_BYTES, ' '), PRIVATE_FILE);
        syncFolder(folder);
        checkMade(this.path, machine, true);
      } catch (error) {
        this.close();
        throw error;
      }
    } catch (error) {
      removeFolders(newFolders);
      throw error;
    }
  }

  /** Whether it is still there: another svc removes it once it has merged it. */
  isThere(): boolean {
    return existsSync(this.path);
  }

  /** Puts a sign-in on disk, and reads it back. Throws the system's error. */
  fill(record: CredentialRecord): void {
    const content = { version: JOURNAL_FORMAT, credential: record };
    const bytes = Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`);
    fillFile(this.#descriptor, bytes);
    const written = Buffer.alloc(bytes.length);
    // The name may be gone: another svc may have merged and removed the journal by now.
    readSync(this.#descriptor, written, 0, written.length, 0);
    if (!written.equals(bytes)) throw new Error(`${this.path} does not hold what was written`);
    this.#isFilled = true;
  }

  /** Closes the file, and removes it unless it was filled. Never throws. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#descriptor);
    // Its folder may be gone, or no longer one.
    if (!this.#isFilled) tryOr(() => removeJournal(this.path), undefined);
  }
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
  movesAside: boolean,
) {
  const { folder, machine, clock } = place;
  return changeDocument(
    { path: getCredentialsPath(place), machine, clock },
    CREDENTIALS,
    ({ content, asidePath, write, fileTime }: LockedDocument<Credentials>) => {
      const journals = listJournals(folder, machine);
      const journalRecords = listSignIns(journals);
      const { current, credentials } = edit(addJournaled(content, journalRecords));
      if (current !== content.current || credentials !== content.credentials) {
        write({ current, credentials });
      }
      // The oldest first: if the process is killed in between, the latest remains and wins again.
      sweepJournals(journals, fileTime(), machine);
      return { stored: credentials, known: [...content.credentials, ...journalRecords], asidePath };
    },
    { movesAside },
  );
}
