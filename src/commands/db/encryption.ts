import { usageError } from '../../errors.ts';
import { findField, parseJson } from '../../json/values.ts';
import type { UrlParameter } from './connection-url.ts';

/**
 * The levels that a URL can ask for, the weakest first, with the words of MySQL, libpq, Prisma,
 * JDBC, Go and PHP for each; `-` stands for `_`. The order counts: `findLast` takes the strongest.
 */
const WORDS = {
  disabled: 'disabled disable false 0 no off none',
  allowed: 'allow',
  preferred: 'preferred prefer',
  required: 'required require true 1 yes on skip-verify no-verify trust accept-invalid-certs',
  verify_ca: 'verify-ca',
  verify_identity: 'verify-identity verify-full strict',
};

export type Encryption = keyof typeof WORDS;

const ENCRYPTION_LEVELS = Object.keys(WORDS) as Encryption[];

/** Parameters that ask for encryption, in small letters and without `-` and `_`. */
const MODE_PARAMETER = /^(?:sslmode|ssl|tls|usessl|sslaccept)$/;

/** Parameters that demand a level if they are on, and nothing if they are off. */
const DEMANDS = new Map<string, Encryption>([
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
    .map((parameter) => readLevel(parameter, id));
  return ENCRYPTION_LEVELS.findLast((level) => levels.includes(level));
}

/** Says whether a connection without encryption would be less than what the URL asks for. */
export function isEncryptionDemanded(level: Encryption | undefined): boolean {
  return ![undefined, 'disabled', 'allowed', 'preferred'].includes(level);
}

function readLevel([name, value]: UrlParameter, id: string) {
  const level = value.startsWith('{') ? readOptions(value) : readWord(value);
  if (level === undefined) {
    throw usageError(
      `The connection URL of ${id} asks for an encryption that svc does not know, in "${name}".`,
      {
        say: 'Nothing was connected. Show the URL, and start the client with it yourself:',
        run: [`svc db inspect ${id} --reveal`],
      },
    );
  }

  const demand = DEMANDS.get(toPlainName(name));
  if (demand === undefined) return level;
  return level === 'disabled' ? undefined : demand;
}

/** Reads the options of a driver of Node, which verifies certificates unless they say otherwise. */
function readOptions(json: string) {
  const options = parseJson(json);
  if (options === undefined) return undefined;
  return findField(options, 'rejectUnauthorized') === false ? 'required' : 'verify_ca';
}

function readWord(text: string) {
  const word = text.trim().toLowerCase().replaceAll('_', '-');
  return ENCRYPTION_LEVELS.find((level) => WORDS[level].split(' ').includes(word));
}

function toPlainName(name: string) {
  return name.toLowerCase().replace(/[-_]/g, '');
}
