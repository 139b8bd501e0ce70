import { join } from 'node:path';
import { isObject, parseJson } from '../json/values.ts';
import { tryRead } from '../once.ts';
import { readDocument } from '../store/document.ts';
import { readFolder, readPrivateFile } from '../store/files.ts';
import type { Machine } from '../store/machine.ts';
import { addSignIn, CREDENTIALS, isSameSignIn, parseRecord } from './record.ts';
import type {
  CredentialRecord,
  Credentials,
  CredentialsFolder,
  StoredCredentials,
} from './types.ts';

/**
 * Without a lock and without conf.
 * @throws CliError that names the path: `unauthenticated` if the file is damaged, `usage` if it
 * cannot be used.
 */
export function readCredentials(place: CredentialsFolder): StoredCredentials {
  const path = getCredentialsPath(place);
  const { content, openness } = readDocument<Credentials>(path, CREDENTIALS, place.machine);
  const { current, credentials } = addJournaled(
    content,
    listSignIns(listJournals(place.folder, place.machine)),
  );
  const unmerged = credentials.filter((record) => !content.credentials.includes(record)).length;
  const warnings = {
    closed: [],
    now_closed: [`Others could read ${path}; now only you can.`],
    open: [`Others can read ${path}, and svc cannot change that. Move it with SVC_CONFIG_DIR.`],
  }[openness];
  return { current, credentials, unmerged, warnings };
}

/** Of the stored sign-ins. */
export function getCredentialsPath({ folder }: CredentialsFolder): string {
  return join(folder, 'credentials.json');
}

/** The oldest first. */
export function listSignIns(journals: readonly FoundJournal[]): readonly CredentialRecord[] {
  return journals.flatMap(({ record }) => record ?? []);
}

/** Of two for the same profile, the later one stays. */
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

/** With the mark of its owner. */
export const JOURNAL_NAME = /^login-([0-9a-f]{8}-\d+)-[0-9a-f]+\.json$/;
/** The `version` of a journal. */
export const JOURNAL_FORMAT = 1;

/** `record` is absent while it is blank or only half written. */
export interface FoundJournal {
  readonly path: string;
  readonly record: CredentialRecord | undefined;
  readonly owner: string;
}

/** The oldest sign-in first. */
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
  const text = tryRead(() => readPrivateFile(path, machine)?.text, undefined);
  if (text === undefined) return [];
  const content = parseJson(text);
  // That of a newer svc is left to it.
  if (isObject(content) && Number(content['version']) > JOURNAL_FORMAT) return [];
  const record = isObject(content) ? parseRecord(content['credential']) : undefined;
  return [{ path, record, owner }];
}
