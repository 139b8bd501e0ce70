import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CliError } from '../../errors.ts';
import { cannotSave } from '../problem.ts';
import { readPrivateFile, targetOf } from '../read.ts';
import { unfinishedName } from '../write.ts';
import { type Change, changeCredentials } from './change.ts';
import {
  CREDENTIALS_FILE,
  credentialsPath,
  isJournalName,
  journalsOf,
  namesIn,
  type Place,
  readCredentials,
  type StoredCredentials,
} from './read.ts';
import {
  type CredentialRecord,
  type Credentials,
  type CredentialsFile,
  checkWritable,
  findByProfile,
  isDamage,
  NO_CREDENTIALS,
  parseCredentials,
  unknownProfile,
} from './records.ts';
import { type Reservation, reserveRoom, type SaveResult, saveRecord } from './save.ts';

/** What was forgotten. */
export interface AllForgotten {
  readonly removed: readonly CredentialRecord[];
  /** Damaged files that were removed; svc cannot tell which tokens were in them. */
  readonly files: readonly string[];
}

/** What `svc` sets aside: a damaged credentials file, or a journal that was only half written. */
const SET_ASIDE = /^(.*)\.corrupt-/;

/**
 * Forgets every sign-in, and removes every file that may hold a token of one: journals, damaged files and what a killed
 * writer left. Writes nothing where there is none. What a login of a living process has reserved stays.
 */
async function forgetAll(place: Place): Promise<AllForgotten> {
  let removed: readonly CredentialRecord[] = [];
  if (needsChange(place)) {
    await changeCredentials(place, {
      edit: (stored) => {
        removed = stored.credentials;
        return removed.length === 0 ? stored : { current: undefined, credentials: [] };
      },
      onDamage: 'set aside',
    });
  }
  const files = setAsideFiles(place);
  for (const path of files) rmSync(path, { force: true });
  return { removed, files };
}

/** Whether the credentials file has a sign-in or is damaged, or a file beside it may have one. */
function needsChange(place: Place): boolean {
  if (existsSync(unfinishedName(targetOf(credentialsPath(place)))) || journalsOf(place).length > 0) return true;
  try {
    return readCredentials(place).credentials.length > 0;
  } catch {
    // Damaged; whatever else is wrong with it is the error of the change.
    return true;
  }
}

function setAsideFiles(place: Place): string[] {
  const target = targetOf(credentialsPath(place));
  const folders = new Set([place.folder, dirname(target), ...(place.stateDir === undefined ? [] : [place.stateDir])]);
  return [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => {
        const [, original = ''] = SET_ASIDE.exec(name) ?? [];
        return original === CREDENTIALS_FILE || original === basename(target) || isJournalName(original);
      })
      .map((name) => join(folder, name)),
  );
}

/** The stored sign-ins of one configuration folder. */
export interface CredentialStore {
  /** The path of the credentials file. */
  readonly path: string;
  /** See {@link readCredentials}. */
  read(): StoredCredentials;
  /**
   * Proves that a sign-in can be saved, and takes the room for it. To be called before a login asks for anything.
   * @throws CliError `usage` that says where and why not.
   */
  reserve(): Reservation;
  /** Saves a sign-in and makes it the current one; a damaged file is set aside. Throws nothing that files can cause. */
  save(record: CredentialRecord, reserved?: Reservation): Promise<SaveResult>;
  /** Forgets the sign-ins that are meant, in every file; returns them. Writes nothing where none is. */
  remove(isMeant: (record: CredentialRecord) => boolean): Promise<readonly CredentialRecord[]>;
  /** Forgets every sign-in and removes every file that may hold a token, a damaged credentials file as well. */
  forgetAll(): Promise<AllForgotten>;
  /** Makes a profile the current one. Throws a usage error for one that there is not. */
  use(profile: string): Promise<CredentialRecord>;
  /** Sets or clears the organization of a profile. Throws a usage error for a profile that there is not. */
  setOrg(profile: string, org: string | undefined): Promise<CredentialRecord>;
  /** Merges what journals hold into the credentials file. */
  settle(): Promise<void>;
}

/** Opens the stored sign-ins of a place; nothing is read or made yet. */
export function openCredentials(place: Place): CredentialStore {
  const path = credentialsPath(place);
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw cannotSave('credentials', place.folder, error, 'SVC_CONFIG_DIR=<another folder>');
    }
  };
  const change = (edit: Change['edit']) => explained(changeCredentials(place, { edit, onDamage: 'refuse' }));
  const read = (): StoredCredentials => readCredentials(place);
  return {
    path,
    read,
    reserve: () => reserve(place),
    save: (record, reserved) => saveRecord(place, record, reserved),
    async remove(isMeant) {
      const before = read();
      if (before.unmerged === 0 && !before.credentials.some(isMeant)) return [];
      let removed: readonly CredentialRecord[] = [];
      await change((stored) => {
        removed = stored.credentials.filter(isMeant);
        return removed.length === 0 ? stored : without(stored, removed);
      });
      return removed;
    },
    forgetAll: () => explained(forgetAll(place)),
    async use(profile) {
      await change((stored) => ({ ...stored, current: known(stored, profile).profile }));
      return known(read(), profile);
    },
    async setOrg(profile, org) {
      await change((stored) => {
        const record = known(stored, profile);
        return { ...stored, credentials: stored.credentials.map((one) => (one === record ? { ...one, org } : one)) };
      });
      return known(read(), profile);
    },
    async settle() {
      if (read().unmerged > 0) await change(undefined);
    },
  };
}

function reserve(place: Place): Reservation {
  const path = credentialsPath(place);
  try {
    const text = readPrivateFile(path, place.machine)?.text;
    if (text !== undefined) checkWritable(parseUnlessDamaged(text, path), path);
    const target = targetOf(path);
    // A link leads into another folder; that one must take a new file as well.
    if (target !== path) accessSync(dirname(target), constants.W_OK);
    return reserveRoom(place.folder, place.folder, place.machine);
  } catch (error) {
    if (error instanceof CliError) throw new CliError('usage', error.message, error.details);
    throw cannotSave('credentials', place.folder, error, 'SVC_CONFIG_DIR=<another folder>, or svc login --print-token');
  }
}

/** A damaged file is no obstacle to a login, which sets it aside. */
function parseUnlessDamaged(text: string, path: string): CredentialsFile {
  try {
    return parseCredentials(text, path);
  } catch (error) {
    if (isDamage(error)) return NO_CREDENTIALS;
    throw error;
  }
}

function known(stored: Credentials, profile: string): CredentialRecord {
  const record = findByProfile(stored, profile);
  if (record === undefined) throw unknownProfile(profile, stored);
  return record;
}

function without(stored: Credentials, removed: readonly CredentialRecord[]): Credentials {
  const credentials = stored.credentials.filter((record) => !removed.includes(record));
  const isThere = credentials.some((record) => record.profile === stored.current);
  return { current: isThere ? stored.current : undefined, credentials };
}
