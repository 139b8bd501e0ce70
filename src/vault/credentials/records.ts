import { CliError, listed, quoted, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { asText, isObject, type JsonObject, parseJson } from '../../json/values.ts';
import { unicodePattern } from '../../once.ts';

/** The version of the file's form that this svc writes. */
const FORMAT_VERSION = 1;

/** The content of `credentials.json`. */
export interface CredentialsFile extends Credentials {
  readonly version: number;
  /** Top-level fields that this version does not know; they are kept. */
  readonly other: JsonObject;
}

/** What a missing file means. */
export const NO_CREDENTIALS: CredentialsFile = {
  version: FORMAT_VERSION,
  current: undefined,
  credentials: [],
  other: {},
};

/**
 * Understands the text of a credentials file; that of a newer svc as far as its form is the same.
 * @throws CliError `unauthenticated` that names the path, where the file is damaged.
 */
export function parseCredentials(text: string, path: string): CredentialsFile {
  const value = parseJson(text);
  if (!isObject(value)) throw damaged(path);
  const { version = FORMAT_VERSION, current, credentials = [], ...other } = value;
  if (typeof version !== 'number' || !Array.isArray(credentials)) throw damaged(path);
  const records = credentials.map((record) => parseRecord(record) ?? raise(damaged(path)));
  return { version, current: asText(current), credentials: records, other };
}

/** Understands one stored sign-in; `undefined` where its token or address is missing. Unknown fields are kept. */
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
    expiresAt: asText(value['expiresAt']),
    expiresAtEstimated: value['expiresAtEstimated'] === true,
    organizationId: asText(value['organizationId']),
    email: asText(value['email']),
    clientName: asText(value['clientName']),
    createdAt: asText(value['createdAt']) ?? '',
    org: asText(value['org']),
  };
}

/** The content as it is written. */
export function toJson(file: CredentialsFile): Record<string, unknown> {
  const { version, current, credentials, other } = file;
  return { ...other, version, ...(current === undefined ? {} : { current }), credentials };
}

/** Refuses to rewrite the file of a newer svc, whose meaning this one may not know. */
export function checkWritable(file: CredentialsFile, path: string): void {
  if (file.version <= FORMAT_VERSION) return;
  throw usageError(
    `${path} was written by a newer svc; this one only reads it.`,
    'the newer svc, or another SVC_CONFIG_DIR',
  );
}

/** Whether an error says that the credentials file is damaged. */
export function isDamage(error: unknown): error is CliError {
  return error instanceof CliError && error.details.cause === DAMAGE;
}

const DAMAGE = new Error('not a credentials file of svc');

function damaged(path: string): CliError {
  return new CliError('unauthenticated', `The credentials file is damaged: ${path}`, {
    hint: 'svc login, which sets the damaged file aside and starts a new one',
    cause: DAMAGE,
  });
}

function raise(error: CliError): never {
  throw error;
}

/** One stored sign-in. Fields that this version does not know are kept when the file is rewritten. */
export interface CredentialRecord {
  /** Its name among the stored sign-ins. */
  readonly profile: string;
  /** The one address that the token may be sent to, in its normal form. */
  readonly baseUrl: string;
  readonly token: string;
  readonly tokenId?: string | undefined;
  /** ISO 8601; absent where it is not known. */
  readonly expiresAt?: string | undefined;
  /** Whether the service did not say when the token expires, so that svc assumed its usual lifetime. */
  readonly expiresAtEstimated?: boolean | undefined;
  readonly organizationId?: string | undefined;
  readonly email?: string | undefined;
  /** The name of the token at the service, as far as it is known. */
  readonly clientName?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The organization that requests act in unless another is asked for. */
  readonly org?: string | undefined;
}

/** The stored sign-ins, and which of them is meant where nothing else says so. */
export interface Credentials {
  readonly current: string | undefined;
  readonly credentials: readonly CredentialRecord[];
}

/** The sign-in of a profile's name. */
export function findByProfile(stored: Credentials, profile: string): CredentialRecord | undefined {
  return stored.credentials.find((record) => record.profile === profile);
}

/** The sign-in of a base address; the current one where several share it. */
export function findByAddress(stored: Credentials, baseUrl: string): CredentialRecord | undefined {
  const there = stored.credentials.filter((record) => isAt(record, baseUrl));
  return there.find((record) => record.profile === stored.current) ?? there[0];
}

/** Whether two records are one sign-in: the same token, for the same address, under the same name. */
export function isSameSignIn(one: CredentialRecord, other: CredentialRecord): boolean {
  return one.token === other.token && one.profile === other.profile && one.baseUrl === other.baseUrl;
}

/** Whether a sign-in is for a base address, however either is spelled. */
export function isAt(record: CredentialRecord, baseUrl: string): boolean {
  return normalAddress(record.baseUrl) === normalAddress(baseUrl);
}

/** The sign-in that the last login or `profiles use` chose. */
export function findCurrent(stored: Credentials): CredentialRecord | undefined {
  return stored.current === undefined ? undefined : findByProfile(stored, stored.current);
}

/** The name of an address's profile unless another is given: `host[:port][/path]`. */
export function profileNameOf(baseUrl: string): string {
  return normalAddress(baseUrl).replace(/^https?:\/\//, '');
}

const usableName = unicodePattern('^[^\\s\\p{C}]{1,128}$');

/** Checks a name for a profile. Throws a usage error for one that could not be typed or read again. */
export function checkProfileName(name: string): string {
  if (usableName().test(name)) return name;
  throw usageError('The name of a profile is 1 to 128 characters, without spaces.', '--profile work');
}

/** The error for the name of a profile that there is not. */
export function unknownProfile(name: string, { credentials }: Credentials): CliError {
  const names = listed(credentials.map(({ profile }) => profile));
  const others = names === '' ? 'None is stored yet.' : `There are: ${names}.`;
  return usageError(`There is no profile ${quoted(name)}. ${others}`, names === '' ? 'svc login' : 'svc profiles');
}

/** The sign-ins with one more, which becomes the current one; it takes the place of its profile's former record. */
export function put(stored: Credentials, record: CredentialRecord): Credentials {
  const former = findByProfile(stored, record.profile);
  const others = stored.credentials.filter((other) => other.profile !== record.profile);
  return { current: record.profile, credentials: [...others, keepOrg(record, former)] };
}

/** A new sign-in of the same account keeps the organization that its user chose. */
function keepOrg(record: CredentialRecord, former: CredentialRecord | undefined): CredentialRecord {
  const isSameAccount = former?.email !== undefined && former.email === record.email;
  const isSamePlace = former?.baseUrl === record.baseUrl;
  if (record.org !== undefined || former?.org === undefined || !isSameAccount || !isSamePlace) return record;
  return { ...record, org: former.org };
}

function normalAddress(address: string): string {
  try {
    return parseBaseUrl(address, { allowHttp: true });
  } catch {
    return address;
  }
}
