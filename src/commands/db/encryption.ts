import { usageError } from '../../errors.ts';
import { findField, parseJson } from '../../json/values.ts';
import type { UrlParameter } from './connection-url.ts';

/** What a URL can ask of an encrypted connection, the weakest first. */
const ENCRYPTION_LEVELS = [
  'disabled',
  'allowed',
  'preferred',
  'required',
  'verify_ca',
  'verify_identity',
] as const;

export type Encryption = (typeof ENCRYPTION_LEVELS)[number];

/** The words of MySQL, libpq, Prisma, JDBC, Go and PHP, with `-` for `_`. */
const WORDS: ReadonlyMap<string, Encryption> = new Map<string, Encryption>([
  ...toRows('disabled', 'disabled disable false 0 no off none'),
  ...toRows('allowed', 'allow'),
  ...toRows('preferred', 'preferred prefer'),
  ...toRows('required', 'required require true 1 yes on skip-verify no-verify trust'),
  ...toRows('required', 'accept-invalid-certs'),
  ...toRows('verify_ca', 'verify-ca'),
  ...toRows('verify_identity', 'verify-identity verify-full strict'),
]);

/** The parameters that ask for encryption, in small letters and without `-` and `_`. */
const MODE_PARAMETER = /^(?:sslmode|ssl|tls|usessl|sslaccept)$/;

/** The parameters that ask for more if they are on, and for nothing if they are off. */
const DEMANDS: ReadonlyMap<string, Encryption> = new Map<string, Encryption>([
  ['requiressl', 'required'],
  ['verifyservercertificate', 'verify_ca'],
  ['sslverifyservercert', 'verify_identity'],
]);

/** Says whether a parameter of a URL is read by {@link readEncryption}. */
export function isAboutEncryption(name: string): boolean {
  const plainName = toPlainName(name);
  return MODE_PARAMETER.test(plainName) || DEMANDS.has(plainName);
}

/**
 * Returns the strongest encryption that the parameters ask for, as no part of a URL weakens what
 * another demands; undefined if none asks.
 * @throws CliError `usage` for a word that svc does not know: a guess could send the password in
 * the clear.
 */
export function readEncryption(
  parameters: readonly UrlParameter[],
  id: string,
): Encryption | undefined {
  const levels = parameters
    .filter(([name]) => isAboutEncryption(name))
    .map((parameter) => readLevel(parameter, id))
    .filter((level) => level !== undefined);
  return ENCRYPTION_LEVELS.findLast((level) => levels.includes(level));
}

/** Says whether a connection without encryption would be less than what the URL asks for. */
export function isEncryptionDemanded(level: Encryption | undefined): boolean {
  return level !== undefined && ENCRYPTION_LEVELS.indexOf(level) >= REQUIRED;
}

const REQUIRED = ENCRYPTION_LEVELS.indexOf('required');

function readLevel([name, value]: UrlParameter, id: string): Encryption | undefined {
  const level = readWord(value);
  if (level === undefined) throw describeUnknownStatus(name, id);

  const demand = DEMANDS.get(toPlainName(name));
  if (demand === undefined) return level;
  return level === 'disabled' ? undefined : demand;
}

/** A driver of Node takes an object, whose certificates are verified unless it says otherwise. */
function readWord(value: string): Encryption | undefined {
  if (value.startsWith('{')) {
    const options = parseJson(value);
    if (options === undefined) return undefined;
    return findField(options, 'rejectUnauthorized') === false ? 'required' : 'verify_ca';
  }
  return WORDS.get(value.trim().toLowerCase().replaceAll('_', '-'));
}

function describeUnknownStatus(name: string, id: string) {
  return usageError(
    `The connection URL of ${id} asks for an encryption that svc does not know, in "${name}".`,
    {
      say: 'Nothing was connected. Show the URL, and start the client with it yourself:',
      run: [`svc db inspect ${id} --reveal`],
    },
  );
}

function toPlainName(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

function toRows(level: Encryption, words: string): (readonly [string, Encryption])[] {
  return words.split(' ').map((word) => [word, level] as const);
}
