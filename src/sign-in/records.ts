import { CliError, listed, quoted, usageError } from '../errors.ts';
import { parseBaseUrl } from '../http/address.ts';
import { instantText } from '../json/instant.ts';
import { asText, isObject, type JsonObject, parseJson } from '../json/values.ts';
import { unicodePattern } from '../once.ts';
import { checkFormat } from '../store/problem.ts';

/** One stored sign-in. Fields that this version does not know are kept when the file is rewritten. */
export interface CredentialRecord {
  readonly profile: string;
  /** The only address that the token may be sent to, in its normal form. */
  readonly baseUrl: string;
  readonly token: string;
  readonly tokenId?: string | undefined;
  /** ISO 8601; absent if unknown. */
  readonly expiresAt?: string | undefined;
  /** Whether the platform did not say when the token expires, so that svc assumed its usual lifetime. */
  readonly expiresAtEstimated?: boolean | undefined;
  readonly organizationId?: string | undefined;
  readonly email?: string | undefined;
  /** The name of the token at the platform; absent if unknown. */
  readonly clientName?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The organization that requests act in by default. */
  readonly org?: string | undefined;
}

/** The stored sign-ins, and the profile that is used by default. */
export interface Credentials {
  readonly current: string | undefined;
  readonly credentials: readonly CredentialRecord[];
}

/** The content of `credentials.json`. */
export interface CredentialsFile extends Credentials {
  readonly version: number;
  /** Top-level fields that this version does not know; they are kept. */
  readonly other: JsonObject;
}

/** The file format that this svc writes. */
const FORMAT_VERSION = 1;

/** The content of a missing file. */
export const NO_CREDENTIALS: CredentialsFile = {
  version: FORMAT_VERSION,
  current: undefined,
  credentials: [],
  other: {},
};

/**
 * Parses a credentials file; one of a newer svc as far as its format is the same.
 * @throws CliError that names the path: `unauthenticated` if the file is damaged, `usage` if only a newer svc can read it.
 */
export function parseCredentials(text: string, path: string): CredentialsFile {
  const value = parseJson(text);
  if (!isObject(value)) throw damaged(path);
  const { version = FORMAT_VERSION, current, credentials = [], ...other } = value;
  const records = Array.isArray(credentials) ? credentials.map(parseRecord) : [undefined];
  if (typeof version === 'number' && records.every((record) => record !== undefined))
    return { version, current: asText(current), credentials: records, other };
  checkFormat(version, FORMAT_VERSION, path);
  throw damaged(path);
}

/** Parses one stored sign-in. Returns undefined without a token or an address. Keeps unknown fields. */
export function parseRecord(value: unknown): CredentialRecord | undefined {
  if (!isObject(value)) return undefined;
  const token = asText(value['token']);
  const baseUrl = asText(value['baseUrl']);
  if (token === undefined || baseUrl === undefined) return undefined;
  return {
    ...value,
    profile: asText(value['profile']) ?? profileNameOf(baseUrl),
    baseUrl,
    token,
    tokenId: asText(value['tokenId']),
    expiresAt: instantText(value['expiresAt']),
    expiresAtEstimated: value['expiresAtEstimated'] === true,
    organizationId: asText(value['organizationId']),
    email: asText(value['email']),
    clientName: asText(value['clientName']),
    createdAt: asText(value['createdAt']) ?? '',
    org: asText(value['org']),
  };
}

/** Refuses to rewrite the file of a newer svc, whose fields may have another meaning. */
export function checkWritable(file: CredentialsFile, path: string): void {
  checkFormat(file.version, FORMAT_VERSION, path);
}

const DAMAGE = new Error('not a credentials file of svc');

function damaged(path: string): CliError {
  return new CliError('unauthenticated', `The credentials file is damaged: ${path}`, {
    hint: { say: 'Sign in again. That sets the damaged file aside.', run: ['svc login'] },
    cause: DAMAGE,
  });
}

/** Whether an error says that the credentials file is damaged. */
export function isDamage(error: unknown): error is CliError {
  return error instanceof CliError && error.details.cause === DAMAGE;
}

/** Finds the sign-in with this name, which no two have. */
export function findByProfile(stored: Credentials, profile: string): CredentialRecord | undefined {
  return stored.credentials.find((record) => record.profile === profile);
}

/** Finds the sign-in of a base address; prefers the current one if several share it. */
export function findByAddress(stored: Credentials, baseUrl: string): CredentialRecord | undefined {
  const found = stored.credentials.filter((record) => isAt(record, baseUrl));
  return found.find((record) => record.profile === stored.current) ?? found[0];
}

/** Finds the sign-in that the last login or `profiles use` chose. */
export function findCurrent(stored: Credentials): CredentialRecord | undefined {
  return stored.current === undefined ? undefined : findByProfile(stored, stored.current);
}

/** Whether two records have the same token, address and profile. */
export function isSameSignIn(one: CredentialRecord, other: CredentialRecord): boolean {
  return one.token === other.token && one.profile === other.profile && one.baseUrl === other.baseUrl;
}

/** Whether a sign-in is for a base address, in any spelling. */
export function isAt(record: CredentialRecord, baseUrl: string): boolean {
  return normalAddress(record.baseUrl) === normalAddress(baseUrl);
}

/** The default profile name of an address: `host[:port][/path]`. */
export function profileNameOf(baseUrl: string): string {
  return normalAddress(baseUrl).replace(/^https?:\/\//, '');
}

function normalAddress(address: string): string {
  try {
    return parseBaseUrl(address, { allowHttp: true });
  } catch {
    return address;
  }
}

const usableName = unicodePattern('^[^\\s\\p{C}]{1,128}$');

/** Returns a profile name that can be typed and read. Throws a usage error for any other. */
export function checkProfileName(name: string): string {
  if (usableName().test(name)) return name;
  throw usageError('The name of a profile is 1 to 128 characters, without spaces.', 'For example: --profile work');
}

/** The usage error for a profile that does not exist. */
export function unknownProfile(name: string, { credentials }: Credentials): CliError {
  const names = listed(credentials.map(({ profile }) => profile));
  const others = names === '' ? 'None is stored yet.' : `There are: ${names}.`;
  return usageError(`There is no profile ${quoted(name)}. ${others}`, names === '' ? 'svc login' : 'svc profiles');
}

/**
 * Adds a sign-in, makes it the current one, and removes the former one of its profile. A new sign-in of the same account
 * keeps the organization that the user chose.
 */
export function put(stored: Credentials, record: CredentialRecord): Credentials {
  const former = findByProfile(stored, record.profile);
  const isSameAccount =
    former?.email !== undefined && former.email === record.email && former.baseUrl === record.baseUrl;
  const keepsOrg = isSameAccount && former.org !== undefined && record.org === undefined;
  const others = stored.credentials.filter((other) => other.profile !== record.profile);
  return { current: record.profile, credentials: [...others, keepsOrg ? { ...record, org: former.org } : record] };
}
