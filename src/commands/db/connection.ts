import { required } from '../../command/parameters.ts';
import type { KnownNames } from '../../command/result.ts';
import { parseIdentifier } from '../../command/values/identifier.ts';
import { CliError } from '../../errors.ts';
import { asObject, asText, isObject } from '../../json/values.ts';
import type { DatabaseLookup } from '../../spec/types.ts';
import { maskSecrets } from '../../terminal/mask.ts';
import { MASK } from '../../terminal/mask-text.ts';

/** Which database a command works on. */
export const DATABASE = required('id of the database', {
  read: (text) => parseIdentifier(text, 'The database id'),
  offer: 'databases',
});

/** The service of a database, for Tab; nothing if the answer names none, or was streamed. */
export function seenIn(answer: DatabaseLookup | undefined): KnownNames {
  const { id, name } = asObject(answer?.service);
  const service = asText(id);
  return service === undefined ? {} : { services: [{ name: service, about: asText(name) }] };
}

/** How to reach a database, in the clear. */
export interface Connection {
  /** The connection URL as the service gave it. */
  readonly url: string;
  /** Its scheme in lower case, such as `postgresql`. */
  readonly scheme: string;
  readonly host: string;
  /** TCP port; empty where the URL names none. */
  readonly port: string;
  readonly username: string;
  readonly password: string;
  /** What follows the host: the name or number of the database. */
  readonly database: string;
  /** Parameters of the URL, in their order. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>;
}

/**
 * The connection of a database answer; its `username` and `password` fields are exact and win over those of the URL.
 * @throws CliError `forbidden` where the service keeps the credentials back, `unexpected` where they make no connection.
 */
export function connectionOf(answer: DatabaseLookup, id: string): Connection {
  const url = asText(answer.connectionUrl);
  if (url === undefined) throw noCredentials(answer, id);
  const parts = splitUrl(url, asText(answer.password));
  const username = asText(answer.username) ?? parts?.username ?? '';
  const password = asText(answer.password) ?? parts?.password ?? '';
  // The URL itself is not repeated: it holds the password.
  if (parts === undefined || [url, username, password, parts.database].some(isBroken))
    throw new CliError('unexpected', `The connection URL of ${id} is none that svc understands.`);
  return { ...parts, url, username, password };
}

function noCredentials({ credentialsIncluded }: DatabaseLookup, id: string): CliError {
  if (credentialsIncluded === true) {
    return new CliError('unexpected', `The service says that it includes the credentials of ${id}, but gives no URL.`);
  }
  return new CliError(
    'forbidden',
    `The service keeps the credentials of ${id} back: only owners and admins get them.`,
    {
      hint: 'svc orgs, to see your role in each organization, and --org to act in another',
    },
  );
}

/** Half a character and U+0000 cannot be handed to a program, and are no credential. */
function isBroken(text: string): boolean {
  return /[\0\ud800-\udfff]/u.test(text);
}

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;
const AFTER_CREDENTIALS = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?(?:\/([^?#]*))?(?:\?([^#]*))?(?:#.*)?$/is;

function splitUrl(url: string, known: string | undefined): Omit<Connection, 'url'> | undefined {
  const [, scheme = '', rest = ''] = URL_FORM.exec(url) ?? [];
  const at = endOfCredentials(rest, known);
  const [userText = '', passwordText = ''] = rest.slice(0, Math.max(0, at)).split(/:(.*)/s);
  const [, host, port = '', database = '', query = ''] = AFTER_CREDENTIALS.exec(rest.slice(at + 1)) ?? [];
  // A host with a hyphen in front would be an option to the client.
  if (host === undefined || host.startsWith('-')) return undefined;
  return {
    scheme: scheme.toLowerCase(),
    host: host.replace(/^\[|\]$/g, ''),
    port,
    username: decoded(userText),
    password: decoded(passwordText),
    database: decoded(database),
    parameters: [...new URLSearchParams(query)],
  };
}

const HOST_AND_PORT = /^[^:]*(:\d*)?$/;

/** An @ that a parameter may have in its value: behind a name, and without a path after it. */
const IN_PARAMETER = /^[?&][^=&@]*=[^/]*$/;

/**
 * Where the @ before the host stands; -1 where there are no credentials. A password should be escaped, but where `/`,
 * `?` or `#` in one is not, they seem to end the authority too early: an @ behind them then belongs to the password. A
 * part of it that is taken for the host would be shown, and end up on a command line.
 * @param known the password, where the answer has it: nothing else tells for sure.
 */
function endOfCredentials(rest: string, known: string | undefined): number {
  for (const form of known === undefined ? [] : [known, encoded(known)]) {
    const at = rest.indexOf(`:${form}@`);
    if (at >= 0) return at + form.length + 1;
  }
  const [beforeQuery = ''] = rest.split(/[?#]/, 1);
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const last = rest.lastIndexOf('@');
  if (last < beforeQuery.length) return last;
  if (!beforeQuery.includes('@')) return HOST_AND_PORT.test(authority) ? -1 : last;
  const parameter = rest.slice(Math.max(beforeQuery.length, rest.lastIndexOf('&', last)));
  return IN_PARAMETER.test(parameter) ? beforeQuery.lastIndexOf('@') : last;
}

/** A part of a URL without its percent escapes; as it is where they make no text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text with percent escapes, as a part of a URL; as it is where it cannot be escaped: half a character. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The shortest password that is looked for inside other values; a shorter one would mask ordinary words. */
const SHORTEST_SOUGHT = 4;

/** A database answer as people may see it, with the password masked wherever else its text recurs. */
export function maskDatabase(answer: DatabaseLookup): DatabaseLookup {
  return maskSecrets(without(passwordsOf(answer), answer)) as DatabaseLookup;
}

function without(passwords: readonly string[], value: unknown): unknown {
  if (typeof value === 'string') return passwords.reduce((text, word) => text.replaceAll(word, MASK), value);
  if (Array.isArray(value)) return value.map((item) => without(passwords, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, without(passwords, item)]));
}

/** Every spelling of the password that may recur, the longest first, so that none leaves a part of another behind. */
function passwordsOf({ password, connectionUrl }: DatabaseLookup): readonly string[] {
  const inUrl = asText(connectionUrl)?.match(/^[a-z][a-z0-9+.-]*:\/\/[^:]*:(.*)@/i)?.[1];
  const plain = [asText(password), inUrl].filter((text) => text !== undefined);
  const forms = plain.flatMap((text) => [text, decoded(text), encoded(text)]);
  return [...new Set(forms)].filter((text) => text.length >= SHORTEST_SOUGHT).sort((a, b) => b.length - a.length);
}
