import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { readDocument } from '../store/document.ts';
import { targetOf } from '../store/files.ts';
import { cannotSave, explain } from '../store/problem.ts';
import { credentialsPath, journalsIn, readCredentials, recordsIn } from './credentials.ts';
import { changeCredentials, type Journal, reserveJournal } from './journal.ts';
import { CREDENTIALS, isSameSignIn } from './record.ts';
import type { CredentialRecord, Credentials, Place } from './types.ts';

type Records = readonly CredentialRecord[];

/**
 * The outcome of saving a sign-in. Only `not_saved` loses the token. `reason` is a system error in words; the tokens of
 * `replaced` are no longer stored, but still valid at the platform.
 */
export type SaveResult = { readonly replaced: Records } & (
  | { readonly kind: 'stored'; readonly path: string; readonly setAside: string | undefined }
  /** In a journal that every svc finds and uses, but not yet in the credentials file. */
  | { readonly kind: 'journaled'; readonly path: string; readonly reason: string }
  /** On no disk; the caller shows the token, or says how to revoke it. */
  | { readonly kind: 'not_saved'; readonly reason: string }
);

/** See {@link reserve}. */
export type Reservation = ReturnType<typeof reserve>;

/**
 * Checks that a sign-in can be saved and reserves the space for it, before the platform is asked for a login.
 * @throws CliError `usage` that says where and why not.
 */
export function reserve(place: Place) {
  const { folder, machine } = place;
  const path = credentialsPath(place);
  try {
    // A damaged file is no obstacle: the change sets it aside.
    const { content } = readDocument<Credentials>(path, { ...CREDENTIALS, damaged: undefined }, machine);
    const before = [...content.credentials, ...recordsIn(journalsIn(folder, machine))];
    const target = targetOf(path);
    // The folder behind a link must take a new file as well.
    if (target !== path) accessSync(dirname(target), constants.W_OK);
    return reservationIn(place, reserveJournal(folder, machine), before);
  } catch (error) {
    const hint = {
      say: 'Set SVC_CONFIG_DIR to another folder, or print the token instead.',
      run: ['svc login --print-token'],
    };
    throw cannotSave('credentials', folder, error, hint);
  }
}

function reservationIn(place: Place, reserved: Journal, before: Records) {
  let journal = reserved;
  const fill = (record: CredentialRecord): void => {
    try {
      if (journal.isThere()) {
        journal.fill(record);
        return;
      }
    } catch {
      // Another file may take it.
    }
    // The folder may have been removed, or replaced, while the login waited.
    journal.close();
    journal = reserveJournal(place.folder, place.machine);
    journal.fill(record);
  };
  return {
    /** Where the sign-in is until it is in the credentials file. */
    path: () => journal.path,
    /** Puts a sign-in on disk at once. Returns a function that makes it the current one. Neither ever throws. */
    keep(record: CredentialRecord): () => Promise<SaveResult> {
      try {
        fill(record);
      } catch (error) {
        return async () => ({ kind: 'not_saved', reason: explain(error), replaced: [] });
      }
      return () => merge(place, record, journal, before);
    },
    /** Gives the space back, unless a sign-in is in it. Must always be called. */
    release: () => journal.close(),
  };
}

/** Merges the journal of a sign-in, unless another svc has done that. */
async function merge(place: Place, record: CredentialRecord, journal: Journal, before: Records): Promise<SaveResult> {
  const path = credentialsPath(place);
  const former = before.filter(({ profile }) => profile === record.profile);
  const isIn = (stored: Records): boolean => stored.some((one) => isSameSignIn(one, record));
  try {
    const { stored, known, setAside } = await changeCredentials(place, (merged) => merged, { setsAside: true });
    const replaced = withoutTokensOf([...former, ...known], [...stored, record]);
    return isIn(stored) ? { kind: 'stored', path, setAside, replaced } : { ...OUTDONE, replaced };
  } catch (error) {
    const reason = explain(error);
    const replaced = withoutTokensOf(former, [record]);
    if (journal.isThere()) return { kind: 'journaled', path: journal.path, reason, replaced };
    // Another svc has merged it while this one waited for the lock.
    return isIn(storedNow(place)) ? { kind: 'stored', path, setAside: undefined, replaced } : { ...OUTDONE, replaced };
  }
}

const OUTDONE = {
  kind: 'not_saved',
  reason: 'another svc signed in to this profile, or out of it, at the same time',
} as const;

/** The stored sign-ins; none if they cannot be read. */
function storedNow(place: Place): Records {
  try {
    return readCredentials(place).credentials;
  } catch {
    return [];
  }
}

/** One record for each token that is not among those of the others. */
function withoutTokensOf(records: Records, others: Records): Records {
  const tokens = new Set(others.map(({ token }) => token));
  const rest = records.filter(({ token }) => !tokens.has(token));
  return [...new Map(rest.map((record) => [record.token, record])).values()];
}
