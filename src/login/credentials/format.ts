import { CliError, usageError } from '../../errors.ts';
import { asText, isObject, type JsonObject, parseJson } from '../../spec/read.ts';
import { type CredentialRecord, type Credentials, profileNameOf } from './records.ts';

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
