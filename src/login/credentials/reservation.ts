import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, syncFolder } from '../../store/folder.ts';
import { ownerMark } from '../../store/lock.ts';
import type { Machine } from '../../store/machine.ts';
import { PRIVATE_FILE } from '../../store/read.ts';
import { CREATE_NEW, fillFile } from '../../store/write.ts';
import { journalName, journalText } from './journal.ts';
import type { CredentialRecord } from './records.ts';

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
