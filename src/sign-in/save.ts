import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, syncFolder } from '../store/folder.ts';
import { ownerMark } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';
import { explain } from '../store/problem.ts';
import { PRIVATE_FILE } from '../store/read.ts';
import { CREATE_NEW, fillFile } from '../store/write.ts';
import { changeCredentials, withoutTokensOf } from './change.ts';
import { credentialsPath, journalName, journalText, type Place, readCredentials } from './read.ts';
import { type CredentialRecord, isSameSignIn } from './records.ts';

/**
 * The outcome of saving a sign-in. Only `not_saved` loses the token. `reason` is a system error in words, and
 * `setAside` the new path of a damaged credentials file.
 */
export type SaveResult =
  | (Saved & { readonly kind: 'stored'; readonly path: string; readonly setAside: string | undefined })
  /** Saved, then removed: another svc signed in to the same profile, or signed out. */
  | (Saved & { readonly kind: 'displaced'; readonly setAside: string | undefined })
  /** Kept in a journal that every svc finds and uses, but not yet merged into the credentials file. */
  | (Saved & { readonly kind: 'journaled'; readonly path: string; readonly reason: string })
  /** Kept outside of the configuration folder; `isUsed` says whether svc finds it there. */
  | (Saved & { readonly kind: 'elsewhere'; readonly path: string; readonly reason: string; readonly isUsed: boolean })
  /** On no disk; the caller shows the token, or says how to revoke it. */
  | { readonly kind: 'not_saved'; readonly reason: string };

interface Saved {
  /** Sign-ins that are no longer stored; their tokens are still valid at the platform. */
  readonly replaced: readonly CredentialRecord[];
}

/** Saves a sign-in: first as a journal, which needs neither lock nor merge, then in the credentials file. */
export async function saveRecord(place: Place, record: CredentialRecord, reserved?: Reservation): Promise<SaveResult> {
  // Read now: another svc may merge the journal at once, and its replaced sign-ins must still be reported here.
  const former = recordsOf(place, record.profile);
  const { journal, problem } = writeJournal(place, record, reserved);
  if (journal !== reserved) reserved?.discard();
  const isMerged = (): boolean => journal !== undefined && !existsSync(journal.path);
  try {
    const { stored, displaced, setAside } = await changeCredentials(place, {
      added: () => (isMerged() ? undefined : record),
      onDamage: 'set aside',
    });
    journal?.discard();
    return resultOf(place, record, { now: stored.credentials, gone: [...former, ...displaced], setAside });
  } catch (error) {
    // Another svc kept the lock, and merged the journal meanwhile.
    if (isMerged()) return resultOf(place, record, { now: recordsOf(place, record.profile), gone: former });
    if (journal === undefined) return { kind: 'not_saved', reason: explain(problem ?? error) };
    const { path } = journal;
    const replaced = unique(withoutTokensOf(former, [record]));
    if (dirname(path) === place.folder) return { kind: 'journaled', path, reason: explain(error), replaced };
    const isUsed = dirname(path) === place.stateDir;
    return { kind: 'elsewhere', path, reason: explain(problem ?? error), isUsed, replaced: isUsed ? replaced : [] };
  } finally {
    journal?.release();
  }
}

type Records = readonly CredentialRecord[];

/** The result for a merged journal: whether the sign-in is stored now, and which former ones are not. */
function resultOf(
  place: Place,
  record: CredentialRecord,
  { now, gone, setAside }: { now: Records; gone: Records; setAside?: string | undefined },
): SaveResult {
  const replaced = unique(withoutTokensOf(gone, [...now, record]));
  return now.some((kept) => isSameSignIn(kept, record))
    ? { kind: 'stored', path: credentialsPath(place), replaced, setAside }
    : { kind: 'displaced', replaced, setAside };
}

/** The stored sign-ins of a profile; none if the file is damaged. */
function recordsOf(place: Place, profile: string): Records {
  try {
    return readCredentials(place).credentials.filter((record) => record.profile === profile);
  } catch {
    return [];
  }
}

/** Keeps one record of each token. */
function unique(records: Records): Records {
  return [...new Map(records.map((record) => [record.token, record])).values()];
}

/**
 * Writes the journal in the first place that takes it; `problem` is the first error. The places, best first: the
 * reserved file twice, the state folder, a temporary folder.
 */
function writeJournal(
  place: Place,
  record: CredentialRecord,
  reserved: Reservation | undefined,
): { journal: Reservation | undefined; problem: unknown } {
  const { folder, stateDir, machine } = place;
  const places: ReadonlyArray<() => Reservation | undefined> = [
    () => reserved ?? reserveFile(folder, folder, machine),
    () => (reserved && existsSync(reserved.path) ? reserved : reserveFile(folder, folder, machine, 0)),
    () => (stateDir === undefined ? undefined : reserveFile(stateDir, folder, machine, 0)),
    () => temporaryFile(place),
  ];
  let problem: unknown;
  for (const open of places) {
    let journal: Reservation | undefined;
    try {
      journal = open();
      journal?.fill(record);
      if (journal !== undefined) return { journal, problem };
    } catch (error) {
      problem ??= error;
      if (journal !== reserved) journal?.discard();
    }
  }
  return { journal: undefined, problem };
}

/** Reserves a file in a new temporary folder, which is removed along with the file. */
function temporaryFile({ folder, tempDir, machine }: Place): Reservation {
  const own = mkdtempSync(join(tempDir, 'svc-'));
  const removeFolder = (): void => rmSync(own, { recursive: true, force: true });
  try {
    const reserved = reserveFile(own, folder, machine, 0);
    return {
      ...reserved,
      discard() {
        reserved.discard();
        removeFolder();
      },
    };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

/** Bytes that a login reserves before it asks for approval; the largest token needs a quarter of them. */
const RESERVED_BYTES = 16 * 1024;

/** See {@link reserveFile}. */
export type Reservation = ReturnType<typeof reserveFile>;

/**
 * Reserves disk space in `inFolder` for one sign-in of the configuration folder `folder`, before anything is sent to the
 * platform. Once filled it is a journal: the token is safe without lock or merge, and every svc finds it. Throws the
 * system's error.
 */
export function reserveFile(inFolder: string, folder: string, machine: Machine, size = RESERVED_BYTES) {
  makePrivateFolder(inFolder, machine);
  const path = join(inFolder, journalName(ownerMark(machine), randomBytes(6).toString('hex')));
  const descriptor = openSync(path, CREATE_NEW, PRIVATE_FILE);
  let isFilled = false;
  let isOpen = true;
  const release = (): void => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(descriptor);
    if (!isFilled) rmSync(path, { force: true });
  };
  try {
    // Spaces after a journal do not change its meaning as JSON.
    fillFile(descriptor, Buffer.alloc(size, ' '), PRIVATE_FILE);
    syncFolder(inFolder);
  } catch (error) {
    release();
    throw error;
  }
  return {
    path,
    /** Closes the file and removes it unless it was filled. Must always be called. */
    release,
    /** Removes the file, even if it was filled. */
    discard(): void {
      isFilled = false;
      release();
      rmSync(path, { force: true });
    },
    /** Writes the sign-in to disk and reads it back. Throws the system's error. */
    fill(record: CredentialRecord): void {
      const bytes = Buffer.from(journalText(record, folder));
      // Set first: even after a failed write the file may have the token.
      isFilled = true;
      fillFile(descriptor, bytes);
      if (!readFileSync(path).equals(bytes)) throw new Error(`${path} does not hold what was written`);
    },
  };
}
