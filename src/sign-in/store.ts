import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn, targetOf } from '../store/files.ts';
import { cannotSave } from '../store/problem.ts';
import { credentialsPath, journalsIn, readCredentials } from './credentials.ts';
import { changeCredentials, isLeftByLogin } from './journal.ts';
import { pendingPath } from './pending.ts';
import { findByProfile, unknownProfile } from './record.ts';
import { reserve } from './save.ts';
import type { CredentialRecord, Credentials, Place } from './types.ts';

type Records = readonly CredentialRecord[];

/** Opens the stored sign-ins of one configuration folder. Touches the disk only when a function is called. */
export function openCredentials(place: Place) {
  const change = (edit: (stored: Credentials) => Credentials, setsAside = false) =>
    changeCredentials(place, edit, { setsAside }).catch((error: unknown) => {
      throw cannotSave('credentials', place.folder, error, 'Set SVC_CONFIG_DIR to another folder.');
    });
  const read = () => readCredentials(place);
  return {
    path: credentialsPath(place),
    read,
    reserve: () => reserve(place),
    /** Forgets the matching sign-ins, in every file, and returns them. Writes nothing if none matches. */
    async remove(isMeant: (record: CredentialRecord) => boolean): Promise<Records> {
      const before = read();
      if (before.unmerged === 0 && !before.credentials.some(isMeant)) return [];
      let removed: Records = [];
      await change((stored) => {
        removed = stored.credentials.filter(isMeant);
        return without(stored, removed);
      });
      return removed;
    },
    /**
     * Forgets every sign-in, and removes every file that may have a token or a device code; damaged ones may have had
     * tokens that nobody knows.
     */
    async forgetAll() {
      let removed: Records = [];
      const forget = (stored: Credentials) => {
        removed = stored.credentials;
        return without(stored, removed);
      };
      if (mayHaveSignIns(place)) await change(forget, true);
      const files = leftFiles(place);
      for (const path of files) rmSync(path, { force: true });
      return { removed, files };
    },
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
    async settle(): Promise<void> {
      if (read().unmerged > 0) await change((stored) => stored);
    },
  };
}

function known(stored: Credentials, profile: string): CredentialRecord {
  const record = findByProfile(stored, profile);
  if (record === undefined) throw unknownProfile(profile, stored);
  return record;
}

function without(stored: Credentials, removed: Records): Credentials {
  if (removed.length === 0) return stored;
  const credentials = stored.credentials.filter((record) => !removed.includes(record));
  const hasCurrent = credentials.some((record) => record.profile === stored.current);
  return { current: hasCurrent ? stored.current : undefined, credentials };
}

function mayHaveSignIns(place: Place): boolean {
  if (journalsIn(place.folder, place.machine).length > 0) return true;
  try {
    return readCredentials(place).credentials.length > 0;
  } catch {
    // The change sets a damaged file aside, and reports any other error.
    return true;
  }
}

/** Every file that may have a token or a device code, but the credentials file and what a running login has reserved. */
function leftFiles(place: Place): readonly string[] {
  const path = credentialsPath(place);
  const pending = pendingPath(place);
  const pathsIn = (folder: string, isMeant: (name: string) => boolean) =>
    namesIn(folder)
      .filter(isMeant)
      .map((name) => join(folder, name));
  const beside = (file: string) =>
    pathsIn(dirname(file), (name) =>
      ['.tmp', '.corrupt-'].some((ending) => name.startsWith(`${basename(file)}${ending}`)),
    );
  const journals = pathsIn(place.folder, (name) => isLeftByLogin(name, place.machine));
  const files = [path, targetOf(path), pending].flatMap(beside);
  return [...new Set([...files, ...journals, ...(existsSync(pending) ? [pending] : [])])];
}
