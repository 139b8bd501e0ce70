import { type CliError, listed, quoted, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { unicodePattern } from '../../once.ts';

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
