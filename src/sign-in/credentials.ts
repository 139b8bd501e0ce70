import { join } from 'node:path';
import { tryOr } from '../errors.ts';
import { asObject, parseJson } from '../json/values.ts';
import { readDocument } from '../store/document.ts';
import { readFolder, readPrivateFile } from '../store/files.ts';
import type { Machine } from '../store/machine.ts';
import {
  addSignIn,
  CREDENTIALS,
  type CredentialRecord,
  type Credentials,
  type CredentialsFolder,
  isSameSignIn,
  parseRecord,
  type StoredCredentials,
} from './record.ts';

/**
 * Reads the sign-ins, without a lock and without conf.
 * @throws CliError that names the path: `unauthenticated` if the file is damaged, `usage` if it
 * cannot be used.
 */
export function readCredentials(place: CredentialsFolder): StoredCredentials {
  const path = getCredentialsPath(place);
  const { content, openness } = readDocument<Credentials>(path, CREDENTIALS, place.machine);
  const journals = listJournals(place.folder, place.machine);
  const { current, credentials } = addJournaled(content, listSignIns(journals));
  const warnings = {
    closed: [],
    now_closed: [`Others could read ${path}; now only you can.`],
    open: [`Others can read ${path}, and svc cannot change that. Move it with SVC_CONFIG_DIR.`],
  }[openness];
  return {
    current,
    credentials,
    unmerged: credentials.filter((record) => !content.credentials.includes(record)).length,
    warnings,
  };
}

/** Returns the path of the stored sign-ins. */
export function getCredentialsPath({ folder }: CredentialsFolder): string {
  return join(folder, 'credentials.json');
}

/** Lists the sign-ins of journals. */
export function listSignIns(journals: readonly FoundJournal[]): readonly CredentialRecord[] {
  return journals.flatMap(({ record }) => record ?? []);
}

/**
 * Adds sign-ins of journals to the stored ones. Of two for the same profile the later one stays.
 */
export function addJournaled(
  stored: Credentials,
  journaled: readonly CredentialRecord[],
): Credentials {
  return journaled.reduce((merged, record) => {
    const isLater = (known: CredentialRecord) =>
      isSameSignIn(known, record) && known.createdAt >= record.createdAt;
    return merged.credentials.some(isLater) ? merged : addSignIn(merged, record);
  }, stored);
}

/** The name of a journal, with the mark of its owner. */
export const JOURNAL_NAME = /^login-([0-9a-f]{8}-\d+)-[0-9a-f]+\.json$/;
/** The `version` of a journal. */
export const JOURNAL_FORMAT = 1;

/** A journal; `record` is absent while it is blank or only half written. */
export interface FoundJournal {
  readonly path: string;
  readonly record: CredentialRecord | undefined;
  readonly owner: string;
}

/** Lists the journals in a folder, the oldest sign-in first. */
export function listJournals(folder: string, machine: Machine): readonly FoundJournal[] {
  return readFolder(folder)
    .flatMap((name): readonly FoundJournal[] => {
      const owner = JOURNAL_NAME.exec(name)?.[1];
      return owner === undefined ? [] : readJournal(join(folder, name), owner, machine);
    })
    .sort((a, b) => ((a.record?.createdAt ?? '') < (b.record?.createdAt ?? '') ? -1 : 1));
}

function readJournal(path: string, owner: string, machine: Machine): readonly FoundJournal[] {
  // A file of another user, or an unreadable one, must not stop the command.
  const text = tryOr(() => readPrivateFile(path, machine)?.text, undefined);
  if (text === undefined) return [];
  const { version, credential } = asObject(parseJson(text));
  // The journal of a newer svc is left to it.
  if (Number(version) > JOURNAL_FORMAT) return [];
  return [{ path, record: parseRecord(credential), owner }];
}
