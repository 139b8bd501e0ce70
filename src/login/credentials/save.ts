import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { explain } from '../../store/problem.ts';
import { changeCredentials } from './change.ts';
import { credentialsPath, type Place } from './read.ts';
import { type CredentialRecord, put } from './records.ts';
import { type Reservation, reserveRoom } from './reservation.ts';

/** What became of a sign-in that was to be saved. The token is lost in none of the cases but the last. */
export type SaveResult =
  | {
      readonly kind: 'stored';
      readonly path: string;
      /** The sign-in that had the same profile; its token is still valid at the service. */
      readonly replaced: CredentialRecord | undefined;
      /** Where a damaged credentials file is now. */
      readonly setAside: string | undefined;
    }
  /** Safe in a journal that every svc finds and uses; merging it into the credentials file has to wait. */
  | { readonly kind: 'journaled'; readonly path: string; readonly reason: string }
  /** Safe in a file outside of the configuration folder; `isUsed` says whether svc finds it there by itself. */
  | { readonly kind: 'elsewhere'; readonly path: string; readonly reason: string; readonly isUsed: boolean }
  /** Nowhere on this machine; the caller shows the token, or says how to revoke it. */
  | { readonly kind: 'not_saved'; readonly reason: string };

/** Saves a sign-in: first as a journal, which needs neither lock nor merge, then in the credentials file. */
export async function saveRecord(place: Place, record: CredentialRecord, reserved?: Reservation): Promise<SaveResult> {
  const { journal, problem } = writeJournal(place, record, reserved);
  if (journal !== reserved) reserved?.discard();
  try {
    const merged = await merge(place, record, journal);
    journal?.discard();
    return { kind: 'stored', path: credentialsPath(place), ...merged };
  } catch (error) {
    return unmerged(place, journal, error, problem);
  } finally {
    journal?.release();
  }
}

async function merge(
  place: Place,
  record: CredentialRecord,
  journal: Reservation | undefined,
): Promise<{ replaced: CredentialRecord | undefined; setAside: string | undefined }> {
  let replaced: CredentialRecord | undefined;
  const { setAside } = await changeCredentials(
    place,
    (stored, everyRecord) => {
      // Another svc has found the journal and merged it; a later change may already stand on top of that.
      if (journal !== undefined && !existsSync(journal.path)) return stored;
      replaced = everyRecord.findLast(({ profile, token }) => profile === record.profile && token !== record.token);
      return put(stored, record);
    },
    'set aside',
  );
  return { replaced, setAside };
}

function unmerged(place: Place, journal: Reservation | undefined, error: unknown, problem: unknown): SaveResult {
  if (journal === undefined) return { kind: 'not_saved', reason: explain(problem ?? error) };
  const { path } = journal;
  if (dirname(path) === place.folder) return { kind: 'journaled', path, reason: explain(error) };
  return { kind: 'elsewhere', path, reason: explain(problem ?? error), isUsed: dirname(path) === place.stateDir };
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
