import type { Clock } from '../clock.ts';
import { CliError, listNames, quote, tryOr, usageError } from '../errors.ts';
import { parseBaseUrl } from '../http/address.ts';
import { toInstantText } from '../json/instant.ts';
import { asText, isObject } from '../json/values.ts';
import { unicodePattern } from '../lazy.ts';
import type { DocumentKind } from '../store/document.ts';
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
export function parseRecord(value: unknown): CredentialRecord | undefined {
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
