import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathsIn } from '../store/folder.ts';
import { asUsage, cannotSave } from '../store/problem.ts';
import { readPrivateFile, targetOf } from '../store/read.ts';
import { unfinishedName } from '../store/write.ts';
import { type Change, changeCredentials } from './change.ts';
import {
  CREDENTIALS_FILE,
  credentialsPath,
  isJournalName,
  journalsOf,
  type Place,
  readCredentials,
  type StoredCredentials,
} from './read.ts';
import {
  type CredentialRecord,
  type Credentials,
  checkWritable,
  findByProfile,
  isDamage,
  parseCredentials,
  unknownProfile,
} from './records.ts';
import { type Reservation, reserveFile, saveRecord } from './save.ts';

/** The result of forgetting every sign-in. */
export interface AllForgotten {
  readonly removed: readonly CredentialRecord[];
  /** Damaged files that were removed, with unknown tokens. */
  readonly files: readonly string[];
}

/** See {@link openCredentials}. */
export type CredentialStore = ReturnType<typeof openCredentials>;

/** Opens the stored sign-ins of one configuration folder. Touches the disk only when a function is called. */
export function openCredentials(place: Place) {
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw cannotSave('credentials', place.folder, error, 'Set SVC_CONFIG_DIR to another folder.');
    }
  };
  const change = (edit: Change['edit']) => explained(changeCredentials(place, { edit, onDamage: 'refuse' }));
  const read = (): StoredCredentials => readCredentials(place);
  return {
    /** The path of the credentials file. */
    path: credentialsPath(place),
    read,
    reserve: () => reserve(place),
    /** Saves a sign-in and makes it the current one; sets a damaged file aside. File errors are in the result. */
    save: (record: CredentialRecord, reserved?: Reservation) => saveRecord(place, record, reserved),
    /** Forgets the matching sign-ins, in every file, and returns them. Writes nothing if none matches. */
    async remove(isMeant: (record: CredentialRecord) => boolean): Promise<readonly CredentialRecord[]> {
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
    /** Makes a profile the current one. Throws a usage error if it does not exist. */
    async use(profile: string): Promise<CredentialRecord> {
      await change((stored) => ({ ...stored, current: known(stored, profile).profile }));
      return known(read(), profile);
    },
    /** Sets or clears the organization of a profile. Throws a usage error if the profile does not exist. */
    async setOrg(profile: string, org: string | undefined): Promise<CredentialRecord> {
      await change((stored) => {
        const record = known(stored, profile);
        return { ...stored, credentials: stored.credentials.map((one) => (one === record ? { ...one, org } : one)) };
      });
      return known(read(), profile);
    },
    /** Merges the sign-ins in journals into the credentials file. */
    async settle(): Promise<void> {
      if (read().unmerged > 0) await change(undefined);
    },
  };
}

/**
 * Checks that a sign-in can be saved and reserves the space for it, before the platform is asked for a login.
 * @throws CliError `usage` that says where and why not.
 */
function reserve(place: Place): Reservation {
  const path = credentialsPath(place);
  try {
    checkNotNewer(path, readPrivateFile(path, place.machine)?.text);
    const target = targetOf(path);
    // The folder behind a link must take a new file as well.
    if (target !== path) accessSync(dirname(target), constants.W_OK);
    return reserveFile(place.folder, place.folder, place.machine);
  } catch (error) {
    const hint = {
      say: 'Set SVC_CONFIG_DIR to another folder, or print the token instead.',
      run: ['svc login --print-token'],
    };
    throw asUsage(cannotSave('credentials', place.folder, error, hint));
  }
}

/** Throws for the file of a newer svc. Accepts a damaged one, because a login sets it aside. */
function checkNotNewer(path: string, text: string | undefined): void {
  try {
    if (text !== undefined) checkWritable(parseCredentials(text, path), path);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function known(stored: Credentials, profile: string): CredentialRecord {
  const record = findByProfile(stored, profile);
  if (record === undefined) throw unknownProfile(profile, stored);
  return record;
}

function without(stored: Credentials, removed: readonly CredentialRecord[]): Credentials {
  const credentials = stored.credentials.filter((record) => !removed.includes(record));
  const hasCurrent = credentials.some((record) => record.profile === stored.current);
  return { current: hasCurrent ? stored.current : undefined, credentials };
}

/**
 * Forgets every sign-in and removes every file that may have a token: journals, damaged files and unfinished ones. Writes
 * nothing if there is none. Keeps what the login of a running process has reserved.
 */
async function forgetAll(place: Place): Promise<AllForgotten> {
  let removed: readonly CredentialRecord[] = [];
  if (mayHaveSignIns(place)) {
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

function mayHaveSignIns(place: Place): boolean {
  if (existsSync(unfinishedName(targetOf(credentialsPath(place)))) || journalsOf(place).length > 0) return true;
  try {
    return readCredentials(place).credentials.length > 0;
  } catch {
    // The change sets a damaged file aside, and reports any other error.
    return true;
  }
}

/** Finds damaged credentials files and half-written journals that svc has set aside. */
function setAsideFiles(place: Place): readonly string[] {
  const target = targetOf(credentialsPath(place));
  return pathsIn([place.folder, dirname(target), place.stateDir], (name) => {
    const original = /^(.*)\.corrupt-/.exec(name)?.[1] ?? '';
    return original === CREDENTIALS_FILE || original === basename(target) || isJournalName(original);
  });
}
