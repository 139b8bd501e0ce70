import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tryOr } from '../errors.ts';
import { readDocument } from '../store/document.ts';
import { readFolder, resolveLink } from '../store/files.ts';
import { hasEnded } from '../store/lock.ts';
import { cannotSaveError, describeSystemError } from '../store/problem.ts';
import {
  CREDENTIALS,
  type CredentialRecord,
  type Credentials,
  type CredentialsFolder,
  findByProfile,
  getCredentialsPath,
  isSameSignIn,
  JOURNAL_NAME,
  listJournals,
  listSignIns,
  readCredentials,
  unknownProfileError,
} from './credentials.ts';
import { changeCredentials, Journal } from './journal.ts';
import { getPendingPath } from './pending.ts';

type Records = readonly CredentialRecord[];
type IsMeant = (record: CredentialRecord) => boolean;

/** Opens the sign-ins of one configuration folder. */
export function openCredentials(place: CredentialsFolder) {
  const read = () => readCredentials(place);
  const change = (edit: (stored: Credentials) => Credentials, movesAside = false) =>
    changeCredentials(place, edit, movesAside).catch((error: unknown) => {
      throw cannotSaveError(
        'credentials',
        place.folder,
        error,
        // Another folder would have other sign-ins.
        'Nothing was changed. Correct that, then repeat the command.',
      );
    });
  const forget = async (isMeant: IsMeant, movesAside: boolean): Promise<Records> => {
    let removed: Records = [];
    await change((stored) => {
      removed = stored.credentials.filter(isMeant);
      if (removed.length === 0) return stored;
      const credentials = stored.credentials.filter((record) => !removed.includes(record));
      const hasCurrent = credentials.some((record) => record.profile === stored.current);
      return { current: hasCurrent ? stored.current : undefined, credentials };
    }, movesAside);
    return removed;
  };
  return {
    path: getCredentialsPath(place),
    read,
    reserve: () => reserve(place),
    /** Removes sign-ins from every file, and returns them. Writes nothing if none is meant. */
    async remove(isMeant: IsMeant): Promise<Records> {
      const { unmerged, credentials } = read();
      return unmerged > 0 || credentials.some(isMeant) ? forget(isMeant, false) : [];
    },
    /** Removes all, with damaged files, which may have had unknown tokens, and device codes. */
    async forgetAll() {
      // What cannot be read is moved aside, or reported.
      const hasSignIns = tryOr(() => read().credentials.length > 0, true);
      const hasJournals = listJournals(place.folder, place.machine).length > 0;
      const removed = hasSignIns || hasJournals ? await forget(() => true, true) : [];
      const files = listLeftFiles(place);
      for (const file of files) rmSync(file, { force: true });
      return { removed, files };
    },
    /** Makes a profile the current one. Throws a usage error if it does not exist. */
    async use(profile: string): Promise<CredentialRecord> {
      await change((stored) => ({ ...stored, current: requireProfile(stored, profile).profile }));
      return requireProfile(read(), profile);
    },
    /** Keeps the organization of a profile. Throws a usage error if it does not exist. */
    setOrg: (profile: string, org: string | undefined) =>
      change((stored) => {
        const record = requireProfile(stored, profile);
        const credentials = stored.credentials.map((other) =>
          other === record ? { ...record, org } : other,
        );
        return { ...stored, credentials };
      }),
    /** Merges the journals. */
    async settle(): Promise<void> {
      if (read().unmerged > 0) await change((stored) => stored);
    },
  };
}

function requireProfile(stored: Credentials, profile: string): CredentialRecord {
  const record = findByProfile(stored, profile);
  if (record === undefined) throw unknownProfileError(profile, stored);
  return record;
}

/**
 * Lists the files that may have a token or a device code, besides the stored sign-ins and what a
 * running login has reserved.
 */
function listLeftFiles(place: CredentialsFolder): readonly string[] {
  const path = getCredentialsPath(place);
  const pending = getPendingPath(place);
  const documents = [path, resolveLink(path), pending];
  const isLeft = (file: string) =>
    file === pending ||
    documents.some(
      (name) => file.startsWith(`${name}.tmp`) || file.startsWith(`${name}.corrupt-`),
    ) ||
    hasEnded(JOURNAL_NAME.exec(basename(file))?.[1] ?? '', place.machine);
  const folders = new Set(documents.map((name) => dirname(name)));
  return [...folders]
    .flatMap((folder) => readFolder(folder).map((name) => join(folder, name)))
    .filter(isLeft);
}

/**
 * How a sign-in was saved. The tokens of `replaced` are no longer stored, but still valid at the
 * platform. `reason` is in words.
 */
export type SaveResult = { readonly replaced: Records } & (
  | { readonly kind: 'stored'; readonly path: string; readonly asidePath: string | undefined }
  /** The sign-in is in a journal, which every svc uses unless another file prevents it. */
  | {
      readonly kind: 'journaled';
      readonly path: string;
      readonly reason: string;
      readonly isUsable: boolean;
    }
  /** The sign-in is on no disk. */
  | { readonly kind: 'not_saved'; readonly reason: string }
);

/** The space on disk for a sign-in that is still to come. */
export type Reservation = ReturnType<typeof reserve>;

/**
 * Reserves the space of a sign-in, before the platform is asked for it.
 * @throws CliError `usage` if it could not be saved
 */
function reserve(place: CredentialsFolder) {
  const { folder, machine } = place;
  const path = getCredentialsPath(place);
  try {
    // A damaged file is no obstacle: the change moves it aside.
    const kind = { ...CREDENTIALS, damaged: undefined };
    const { content } = readDocument<Credentials>(path, kind, machine);
    const before = [...content.credentials, ...listSignIns(listJournals(folder, machine))];
    const target = resolveLink(path);
    // The folder behind a link must take a private file as well.
    if (target !== path) new Journal(dirname(target), machine).close();
    return createReservation(place, new Journal(folder, machine), before);
  } catch (error) {
    throw cannotSaveError('credentials', folder, error, {
      say: 'Set SVC_CONFIG_DIR to another folder, or print the token instead.',
      run: ['svc login --print-token'],
    });
  }
}

function createReservation(place: CredentialsFolder, reserved: Journal, before: Records) {
  let journal = reserved;
  const fill = (record: CredentialRecord): void => {
    try {
      if (!journal.isThere()) throw new Error('its folder is gone');
      journal.fill(record);
    } catch {
      // Its folder was removed, or replaced, while the login waited.
      journal.close();
      journal = new Journal(place.folder, place.machine);
      journal.fill(record);
    }
  };
  return {
    /** Puts a sign-in on disk at once. Returns what makes it the current one. Neither throws. */
    keep(record: CredentialRecord): () => Promise<SaveResult> {
      try {
        fill(record);
      } catch (error) {
        const reason = describeSystemError(error);
        return async () => ({ kind: 'not_saved', reason, replaced: [] });
      }
      return () => merge(place, record, journal, before);
    },
    /** Gives the space back, unless a sign-in is in it. */
    release: () => journal.close(),
  };
}

/** Adds a sign-in that is in its journal to the others. Never throws. */
async function merge(
  place: CredentialsFolder,
  record: CredentialRecord,
  journal: Journal,
  before: Records,
): Promise<SaveResult> {
  const former = before.filter(({ profile }) => profile === record.profile);
  const finish = (stored: Records, known: Records, asidePath?: string): SaveResult => {
    const replaced = removeTokens([...former, ...known], [...stored, record]);
    if (hasSignIn(stored, record)) {
      return { kind: 'stored', path: getCredentialsPath(place), asidePath, replaced };
    }
    return {
      kind: 'not_saved',
      reason: 'another svc signed in to this profile, or out of it, at the same time',
      replaced,
    };
  };
  try {
    const { stored, known, asidePath } = await changeCredentials(place, (merged) => merged, true);
    return finish(stored, known, asidePath);
  } catch (error) {
    // Looks before it reads: another svc that removes the journal, while this one waits for the
    // lock, has merged it.
    const isJournaled = journal.isThere();
    const stored = tryOr(() => readCredentials(place).credentials, undefined);
    if (stored !== undefined && !isJournaled) return finish(stored, []);

    const reason = describeSystemError(error);
    const replaced = removeTokens(former, [...(stored ?? []), record]);
    if (!isJournaled) return { kind: 'not_saved', reason, replaced };
    return {
      kind: 'journaled',
      path: journal.path,
      reason,
      isUsable: hasSignIn(stored ?? [], record),
      replaced,
    };
  }
}

function hasSignIn(records: Records, record: CredentialRecord): boolean {
  return records.some((other) => isSameSignIn(other, record));
}

/** Returns the records whose token no other has, each token once. */
function removeTokens(records: Records, others: Records): Records {
  const tokens = new Set(others.map(({ token }) => token));
  const rest = records.filter(({ token }) => !tokens.has(token));
  return [...new Map(rest.map((record) => [record.token, record])).values()];
}
