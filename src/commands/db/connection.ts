import { CliError } from '../../errors.ts';
import { asText } from '../../spec/read.ts';
import type { DatabaseLookup } from '../../spec/types.ts';

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
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text with percent escapes, as a part of a URL; as it is where it cannot be escaped: half a character. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
