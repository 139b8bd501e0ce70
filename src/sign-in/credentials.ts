import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError, listNames, quote, tryOr, usageError } from '../errors.ts';
import { parseBaseUrl } from '../http/address.ts';
import { asObject, asText, isObject, parseJson, toInstantText } from '../json/values.ts';
import { unicodePattern } from '../once.ts';
import { type DocumentKind, readDocument } from '../store/document.ts';
import { readFolder, readPrivateFile } from '../store/files.ts';
import type { Machine } from '../store/machine.ts';

/** A stored sign-in. Fields that this svc does not know are kept. */
export interface CredentialRecord {
  readonly profile: string;
  /** The only address that the token may be sent to. */
  readonly baseUrl: string;
  readonly token: string;
  readonly tokenId?: string | undefined;
  /** ISO 8601; absent if unknown. */
  readonly expiresAt?: string | undefined;
  /** Whether svc assumed the usual lifetime. */
  readonly expiresAtEstimated?: boolean;
  readonly organizationId?: string | undefined;
  readonly email?: string | undefined;
  readonly clientName?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly org?: string | undefined;
}

/** The stored sign-ins; `current` is the profile that is used by default. */
export interface Credentials {
  readonly current: string | undefined;
  readonly credentials: readonly CredentialRecord[];
}

/** The configuration folder in which sign-ins are kept. */
export interface CredentialsFolder {
  readonly folder: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** The stored sign-ins, with those in journals. */
export interface StoredCredentials extends Credentials {
  /** How many are only in journals; `settle` merges them. */
  readonly unmerged: number;
  /** Sentences for the user. */
  readonly warnings: readonly string[];
}

/** The file of the stored sign-ins, which is read without conf, and written by it. */
export const CREDENTIALS = {
  format: 1,
  empty: { current: undefined, credentials: [] },
  isConf: true,
  parse({ current, credentials = [] }) {
    const records = Array.isArray(credentials) ? credentials.map(parseRecord) : [undefined];
    if (!records.every((record) => record !== undefined)) return undefined;
    return { current: asText(current), credentials: records };
  },
  damaged: (path) =>
    new CliError('unauthenticated', `The credentials file is damaged: ${path}`, {
      hint: 'Sign in again with svc login --api-url <address>, which sets the file aside, or remove it with svc logout --all.',
    }),
} as const satisfies DocumentKind<Credentials>;

/** Parses a sign-in, and keeps unknown fields. Returns undefined without a token or an address. */
function parseRecord(value: unknown): CredentialRecord | undefined {
  if (!isObject(value)) return undefined;
  const token = asText(value['token']);
  const baseUrl = asText(value['baseUrl']);
  if (token === undefined || baseUrl === undefined) return undefined;
  return {
    ...value,
    profile: asText(value['profile']) ?? getProfileName(baseUrl),
    baseUrl,
    token,
    tokenId: asText(value['tokenId']),
    expiresAt: toInstantText(value['expiresAt']),
    expiresAtEstimated: value['expiresAtEstimated'] === true,
    organizationId: asText(value['organizationId']),
    email: asText(value['email']),
    clientName: asText(value['clientName']),
    createdAt: asText(value['createdAt']) ?? '',
    org: asText(value['org']),
  };
}

/** Finds the sign-in of a profile; no two have the same name. */
export function findByProfile(
  stored: Credentials,
  profile: string | undefined,
): CredentialRecord | undefined {
  return stored.credentials.find((record) => record.profile === profile);
}

/** Finds the sign-in for an address; of several the current one. */
export function findByAddress(stored: Credentials, baseUrl: string): CredentialRecord | undefined {
  const records = stored.credentials.filter((record) => isForAddress(record, baseUrl));
  return records.find((record) => record.profile === stored.current) ?? records[0];
}

/** Finds the sign-in that the last login or `profiles use` chose. */
export function findCurrent(stored: Credentials): CredentialRecord | undefined {
  return findByProfile(stored, stored.current);
}

/** Whether two sign-ins have the same token, address and profile. */
export function isSameSignIn(one: CredentialRecord, other: CredentialRecord): boolean {
  return (
    one.token === other.token && one.profile === other.profile && one.baseUrl === other.baseUrl
  );
}

/** Whether a sign-in is for an address, in any spelling. */
export function isForAddress(record: CredentialRecord, baseUrl: string): boolean {
  return normalizeAddress(record.baseUrl) === normalizeAddress(baseUrl);
}

/** Returns the default profile name of an address: `host[:port][/path]`. */
export function getProfileName(baseUrl: string): string {
  return normalizeAddress(baseUrl).replace(/^https?:\/\//, '');
}

function normalizeAddress(address: string): string {
  return tryOr(() => parseBaseUrl(address, { allowHttp: true }), address);
}

const usableName = unicodePattern('^[^\\s\\p{C}]{1,128}$');

/** Throws a usage error for a name that cannot be typed or read. */
export function checkProfileName(name: string): string {
  if (usableName().test(name)) return name;
  throw usageError(
    'The name of a profile is 1 to 128 characters, without spaces.',
    'For example: --profile work',
  );
}

export function unknownProfileError(name: string, { credentials }: Credentials): CliError {
  const problem = `There is no profile ${quote(name)}.`;
  if (credentials.length === 0) return usageError(`${problem} None is stored yet.`, 'svc login');
  const names = listNames(credentials.map(({ profile }) => profile));
  return usageError(`${problem} There are: ${names}.`, 'svc profiles');
}

/**
 * Adds a sign-in as the current one. The same account keeps the organization that the user chose.
 */
export function addSignIn(stored: Credentials, record: CredentialRecord): Credentials {
  const former = findByProfile(stored, record.profile);
  const isSameAccount =
    former?.email !== undefined &&
    former.email === record.email &&
    former.baseUrl === record.baseUrl;
  const keepsOrg = isSameAccount && former.org !== undefined && record.org === undefined;
  const others = stored.credentials.filter((other) => other.profile !== record.profile);
  return {
    current: record.profile,
    credentials: [...others, keepsOrg ? { ...record, org: former.org } : record],
  };
}

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
