import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, syncFolder } from '../folder.ts';
import { ownerMark } from '../lock.ts';
import type { Machine } from '../machine.ts';
import { explain } from '../problem.ts';
import { PRIVATE_FILE } from '../read.ts';
import { CREATE_NEW, fillFile } from '../write.ts';
import { changeCredentials, without } from './change.ts';
import { credentialsPath, journalName, journalText, type Place, readCredentials } from './read.ts';
import { type CredentialRecord, isSameSignIn } from './records.ts';

/** Bytes that a login takes before it asks for approval; the largest token needs a quarter of them. */
const RESERVED_BYTES = 16 * 1024;

/**
 * Room on the disk for one sign-in, taken before the service is asked for anything. Filled, it is a journal: the token
 * is safe in it without lock or merge, and every svc finds it.
 */
export interface Reservation {
  readonly path: string;
  /** Writes the sign-in into the reserved room, onto the disk, and reads it back. Throws what the system says. */
  fill(record: CredentialRecord): void;
  /** Gives blank room back; a filled journal stays. To be called on every way out. */
  release(): void;
  /** Removes the file, whatever is in it. */
  discard(): void;
}

/** Takes room in a place for a sign-in of a configuration folder. Throws what the system says. */
export function reserveRoom(place: string, folder: string, machine: Machine, size = RESERVED_BYTES): Reservation {
  makePrivateFolder(place, machine);
  const path = join(place, journalName(ownerMark(machine), randomBytes(6).toString('hex')));
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
    // Spaces, so that the room which a journal leaves over does not change its meaning as JSON.
    fillFile(descriptor, Buffer.alloc(size, ' '), PRIVATE_FILE);
    syncFolder(place);
  } catch (error) {
    release();
    throw error;
  }
  return {
    path,
    release,
    discard() {
      isFilled = false;
      release();
      rmSync(path, { force: true });
    },
    fill(record) {
      const bytes = Buffer.from(journalText(record, folder));
      // From here on the file may hold the token, even where the writing fails half-way.
      isFilled = true;
      fillFile(descriptor, bytes);
      if (!readFileSync(path).equals(bytes)) throw new Error(`${path} does not hold what was written`);
    },
  };
}

/** What became of a sign-in that was to be saved. The token is lost in none of the cases but the last. */
export type SaveResult =
  | (Saved & { readonly kind: 'stored'; readonly path: string; readonly setAside: string | undefined })
  /** Saved, and gone again: another svc has signed in to the same profile, or signed out. */
  | (Saved & { readonly kind: 'displaced'; readonly setAside: string | undefined })
  /** Safe in a journal that every svc finds and uses; merging it into the credentials file has to wait. */
  | (Saved & { readonly kind: 'journaled'; readonly path: string; readonly reason: string })
  /** Safe in a file outside of the configuration folder; `isUsed` says whether svc finds it there by itself. */
  | (Saved & { readonly kind: 'elsewhere'; readonly path: string; readonly reason: string; readonly isUsed: boolean })
  /** Nowhere on this machine; the caller shows the token, or says how to revoke it. */
  | { readonly kind: 'not_saved'; readonly reason: string };

/** What saving did beside; `setAside` is where a damaged credentials file is now. */
interface Saved {
  /** Sign-ins that gave way, to this one or along with it; their tokens are still valid at the service. */
  readonly replaced: readonly CredentialRecord[];
}

/**
 * Saves a sign-in: first as a journal, which needs neither lock nor merge, then in the credentials file.
 */
export async function saveRecord(place: Place, record: CredentialRecord, reserved?: Reservation): Promise<SaveResult> {
  // Another svc may merge the journal as soon as it is there; this one still has to name what it displaces.
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
    return judge(place, record, { now: stored.credentials, gone: [...former, ...displaced], setAside });
  } catch (error) {
    // The lock was not to be had, but whoever had it has merged the journal.
    if (isMerged()) return judge(place, record, { now: recordsOf(place, record.profile), gone: former });
    return unmerged(place, journal, { error, problem, replaced: unique(without(former, [record])) });
  } finally {
    journal?.release();
  }
}

type Records = readonly CredentialRecord[];

/** Whether the sign-in is among those that are stored now, and which of the former ones are not any more. */
function judge(
  place: Place,
  record: CredentialRecord,
  { now, gone, setAside }: { now: Records; gone: Records; setAside?: string | undefined },
): SaveResult {
  const replaced = unique(without(gone, [...now, record]));
  return now.some((kept) => isSameSignIn(kept, record))
    ? { kind: 'stored', path: credentialsPath(place), replaced, setAside }
    : { kind: 'displaced', replaced, setAside };
}

function recordsOf(place: Place, profile: string): readonly CredentialRecord[] {
  try {
    return readCredentials(place).credentials.filter((record) => record.profile === profile);
  } catch {
    // A damaged file tells nothing.
    return [];
  }
}

/** Each token once. */
function unique(records: readonly CredentialRecord[]): readonly CredentialRecord[] {
  return [...new Map(records.map((record) => [record.token, record])).values()];
}

function unmerged(
  place: Place,
  journal: Reservation | undefined,
  { error, problem, replaced }: Saved & { readonly error: unknown; readonly problem: unknown },
): SaveResult {
  if (journal === undefined) return { kind: 'not_saved', reason: explain(problem ?? error) };
  const { path } = journal;
  if (dirname(path) === place.folder) return { kind: 'journaled', path, reason: explain(error), replaced };
  const isUsed = dirname(path) === place.stateDir;
  return { kind: 'elsewhere', path, reason: explain(problem ?? error), isUsed, replaced: isUsed ? replaced : [] };
}

/** Writes the journal into the reserved room, else wherever there is room; `problem` is what went wrong first. */
function writeJournal(
  place: Place,
  record: CredentialRecord,
  reserved: Reservation | undefined,
): { journal: Reservation | undefined; problem: unknown } {
  let problem: unknown;
  for (const open of roomsFor(place, reserved)) {
    let room: Reservation | undefined;
    try {
      room = open();
      room?.fill(record);
      if (room !== undefined) return { journal: room, problem };
    } catch (error) {
      problem ??= error;
      if (room !== reserved) room?.discard();
    }
  }
  return { journal: undefined, problem };
}

/** The places for a journal, best first: the reserved room twice, the state folder, a temporary folder. */
function roomsFor(place: Place, reserved: Reservation | undefined): Array<() => Reservation | undefined> {
  const { folder, stateDir, machine } = place;
  return [
    () => reserved ?? reserveRoom(folder, folder, machine),
    () => (reserved && existsSync(reserved.path) ? reserved : reserveRoom(folder, folder, machine, 0)),
    () => (stateDir === undefined ? undefined : reserveRoom(stateDir, folder, machine, 0)),
    () => temporaryRoom(place),
  ];
}

/** Room in a new folder of its own among the temporary ones; both go together. */
function temporaryRoom({ folder, tempDir, machine }: Place): Reservation {
  const own = mkdtempSync(join(tempDir, 'svc-'));
  const removeFolder = (): void => rmSync(own, { recursive: true, force: true });
  try {
    const room = reserveRoom(own, folder, machine, 0);
    return {
      ...room,
      discard() {
        room.discard();
        removeFolder();
      },
    };
  } catch (error) {
    removeFolder();
    throw error;
  }
}
