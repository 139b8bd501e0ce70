import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tryRead } from '../once.ts';
import { readDocument } from '../store/document.ts';
import { readFolder, resolveLink } from '../store/files.ts';
import { hasEnded } from '../store/lock.ts';
import { cannotSaveError, describeSystemError } from '../store/problem.ts';
import {
  getCredentialsPath,
  JOURNAL_NAME,
  listJournals,
  listSignIns,
  readCredentials,
} from './credentials.ts';
import { changeCredentials, type Journal, reserveJournal } from './journal.ts';
import { getPendingPath } from './pending.ts';
import { CREDENTIALS, findByProfile, isSameSignIn, unknownProfileError } from './record.ts';
import type { CredentialRecord, Credentials, CredentialsFolder } from './types.ts';

type Records = readonly CredentialRecord[];

/** The sign-ins of one configuration folder. */
export function openCredentials(place: CredentialsFolder) {
  const path = getCredentialsPath(place);
  const read = () => readCredentials(place);
  const change = (edit: (stored: Credentials) => Credentials, movesAside = false) =>
    changeCredentials(place, edit, { movesAside }).catch((error: unknown) => {
      throw cannotSaveError(
        'credentials',
        place.folder,
        error,
        'Set SVC_CONFIG_DIR to another folder.',
      );
    });
  const changeOne = async (
    profile: string,
    edit: (record: CredentialRecord, stored: Credentials) => Credentials,
  ) => {
    await change((stored) => edit(requireProfile(stored, profile), stored));
    return requireProfile(read(), profile);
  };
  const forget = async (
    isMeant: (record: CredentialRecord) => boolean,
    movesAside: boolean,
  ): Promise<Records> => {
    let removed: Records = [];
    await change((stored) => {
      removed = stored.credentials.filter(isMeant);
      return removeSignIns(stored, removed);
    }, movesAside);
    return removed;
  };
  return {
    path,
    read,
    reserve: () => reserve(place),
    /** In every file. Returns them, and writes nothing if none matches. */
    async remove(isMeant: (record: CredentialRecord) => boolean): Promise<Records> {
      const { unmerged, credentials } = read();
      return unmerged > 0 || credentials.some(isMeant) ? forget(isMeant, false) : [];
    },
    /** Also removes damaged files, which may have had unknown tokens, and device codes. */
    async forgetAll() {
      // What cannot be read is set aside, or reported.
      const hasSignIns = tryRead(() => read().credentials.length > 0, true);
      const hasJournals = listJournals(place.folder, place.machine).length > 0;
      const removed = hasSignIns || hasJournals ? await forget(() => true, true) : [];
      const files = listLeftFiles(place);
      for (const file of files) rmSync(file, { force: true });
      return { removed, files };
    },
    /** Throws a usage error if the profile does not exist, as `setOrg` does. */
    use: (profile: string) =>
      changeOne(profile, (_record, stored) => ({ ...stored, current: profile })),
    setOrg: (profile: string, org: string | undefined) =>
      changeOne(profile, (record, stored) => ({
        ...stored,
        credentials: stored.credentials.map((one) => (one === record ? { ...one, org } : one)),
      })),
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

function removeSignIns(stored: Credentials, removed: Records): Credentials {
  if (removed.length === 0) return stored;
  const credentials = stored.credentials.filter((record) => !removed.includes(record));
  const hasCurrent = credentials.some((record) => record.profile === stored.current);
  return { current: hasCurrent ? stored.current : undefined, credentials };
}

/**
 * May have a token or a device code; without the stored sign-ins and what a running login has
 * reserved.
 */
function listLeftFiles(place: CredentialsFolder): readonly string[] {
  const path = getCredentialsPath(place);
  const pending = getPendingPath(place);
  const pathsIn = (folder: string) => readFolder(folder).map((name) => join(folder, name));
  const beside = [path, resolveLink(path), pending].flatMap((file) =>
    pathsIn(dirname(file)).filter(
      (one) => one.startsWith(`${file}.tmp`) || one.startsWith(`${file}.corrupt-`),
    ),
  );
  const isDeadJournal = (one: string) =>
    hasEnded(JOURNAL_NAME.exec(basename(one))?.[1] ?? '', place.machine);
  const own = pathsIn(place.folder).filter((one) => isDeadJournal(one) || one === pending);
  return [...new Set([...beside, ...own])];
}

/**
 * The tokens of `replaced` are no longer stored, but still valid at the platform. `reason` is in
 * words.
 */
export type SaveResult = { readonly replaced: Records } & (
  | { readonly kind: 'stored'; readonly path: string; readonly asidePath: string | undefined }
  /** In a journal, which every svc finds, and uses unless another file prevents it. */
  | {
      readonly kind: 'journaled';
      readonly path: string;
      readonly reason: string;
      readonly isUsable: boolean;
    }
  /** On no disk. */
  | { readonly kind: 'not_saved'; readonly reason: string }
);

/** For a sign-in that is still to come. */
export type Reservation = ReturnType<typeof reserve>;

/** Before the platform is asked for a sign-in. Throws CliError `usage` if it could not be saved. */
function reserve(place: CredentialsFolder) {
  const { folder, machine } = place;
  const path = getCredentialsPath(place);
  try {
    // A damaged file is no obstacle: the change sets it aside.
    const { content } = readDocument<Credentials>(
      path,
      { ...CREDENTIALS, damaged: undefined },
      machine,
    );
    const before = [...content.credentials, ...listSignIns(listJournals(folder, machine))];
    const target = resolveLink(path);
    // The folder behind a link must take a private file as well.
    if (target !== path) reserveJournal(dirname(target), machine).close();
    return createReservation(place, reserveJournal(folder, machine), before);
  } catch (error) {
    const say = 'Set SVC_CONFIG_DIR to another folder, or print the token instead.';
    throw cannotSaveError('credentials', folder, error, { say, run: ['svc login --print-token'] });
  }
}

function createReservation(place: CredentialsFolder, reserved: Journal, before: Records) {
  let journal = reserved;
  const fill = (record: CredentialRecord): void => {
    try {
      if (!journal.isThere()) {
        throw new Error('its folder was removed, or replaced, while the login waited');
      }
      journal.fill(record);
    } catch {
      journal.close();
      journal = reserveJournal(place.folder, place.machine);
      journal.fill(record);
    }
  };
  return {
    /** On disk at once. Returns what makes it the current one. Neither ever throws. */
    keep(record: CredentialRecord): () => Promise<SaveResult> {
      try {
        fill(record);
      } catch (error) {
        return async () => ({
          kind: 'not_saved',
          reason: describeSystemError(error),
          replaced: [],
        });
      }
      return () => merge(place, record, journal, before);
    },
    /** Gives the space back, unless a sign-in is in it. */
    release: () => journal.close(),
  };
}

async function merge(
  place: CredentialsFolder,
  record: CredentialRecord,
  journal: Journal,
  before: Records,
): Promise<SaveResult> {
  const former = before.filter(({ profile }) => profile === record.profile);
  const failed = (error: unknown) => {
    // Looks before it reads: another svc that removes the journal, while this one waits for the
    // lock, has merged it.
    const isJournaled = journal.isThere();
    const stored = tryRead(() => readCredentials(place).credentials, undefined);
    const problem = isJournaled || stored === undefined ? describeSystemError(error) : undefined;
    return { stored: stored ?? [], known: [], asidePath: undefined, problem, isJournaled };
  };
  const changed = await changeCredentials(place, (merged) => merged, { movesAside: true }).catch(
    failed,
  );
  const { stored, known, asidePath } = changed;
  const replaced = removeTokens([...former, ...known], [...stored, record]);
  const isUsable = stored.some((one) => isSameSignIn(one, record));
  if ('problem' in changed && changed.problem !== undefined) {
    const reason = changed.problem;
    if (!changed.isJournaled) return { kind: 'not_saved', reason, replaced };
    return { kind: 'journaled', path: journal.path, reason, isUsable, replaced };
  }
  if (isUsable) {
    return { kind: 'stored', path: getCredentialsPath(place), asidePath, replaced };
  }
  const reason = 'another svc signed in to this profile, or out of it, at the same time';
  return { kind: 'not_saved', reason, replaced };
}

function removeTokens(records: Records, others: Records): Records {
  const tokens = new Set(others.map(({ token }) => token));
  const rest = records.filter(({ token }) => !tokens.has(token));
  return [...new Map(rest.map((record) => [record.token, record])).values()];
}
