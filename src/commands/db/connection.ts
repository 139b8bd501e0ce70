import { required } from '../../command/parameters.ts';
import type { KnownNames } from '../../command/result.ts';
import { parseIdentifier } from '../../command/values/identifier.ts';
import { CliError } from '../../errors.ts';
import { asObject, asText, isObject } from '../../json/values.ts';
import type { DatabaseLookup } from '../../spec/types.ts';
import { maskSecrets } from '../../terminal/mask.ts';
import { MASK } from '../../terminal/mask-text.ts';

export const DATABASE = required('id of the database', {
  read: (text) => parseIdentifier(text, 'The database id'),
  offer: 'databases',
});

/** Returns the service of a database, for Tab. */
export function seenIn(answer: DatabaseLookup | undefined): KnownNames {
  const { id, name } = asObject(answer?.service);
  const service = asText(id);
  return service === undefined ? {} : { services: [{ name: service, about: asText(name) }] };
}

/** How to connect to a database, unmasked. Missing parts are empty. */
export interface Connection {
  /** As the service gave it. */
  readonly url: string;
  /** In lower case, such as `postgresql`. */
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
  /** Name or number. */
  readonly database: string;
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>;
}

/**
 * Reads the connection of a database. The fields `username` and `password` take precedence over those of the URL.
 * @throws CliError `forbidden` if the answer has no credentials, `unexpected` if they cannot be understood.
 */
export function connectionOf(answer: DatabaseLookup, id: string): Connection {
  const url = asText(answer.connectionUrl);
  if (url === undefined) throw noCredentials(answer, id);
  const parts = splitUrl(url, asText(answer.password));
  const username = asText(answer.username) ?? parts?.username ?? '';
  const password = asText(answer.password) ?? parts?.password ?? '';
  if (parts === undefined || [url, username, password, parts.database].some(isBroken)) {
    // The message leaves out the URL, which contains the password.
    throw new CliError('unexpected', `svc does not understand the connection URL of ${id}.`);
  }
  return { ...parts, url, username, password };
}

function noCredentials({ credentialsIncluded }: DatabaseLookup, id: string): CliError {
  if (credentialsIncluded === true) {
    return new CliError('unexpected', `The service says that it includes the credentials of ${id}, but gives no URL.`);
  }
  const message = `The service did not send the credentials of ${id}: only owners and admins get them.`;
  const hint = { say: 'Check your role in each organization; use another one with --org.', run: ['svc orgs'] };
  return new CliError('forbidden', message, { hint });
}

/** U+0000 and half a surrogate pair cannot be passed to a program. */
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
  // A host that starts with a hyphen would be an option of the client.
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

/** A parameter whose value may contain an @: it has a name, and no path follows. */
const IN_PARAMETER = /^[?&][^=&@]*=[^/]*$/;

/**
 * Finds the @ before the host; -1 without credentials. An unescaped `/`, `?` or `#` in a password seems to end the
 * authority too early; the @ after it is still the one before the host. A part of the password that is mistaken for the
 * host would be shown, and passed on a command line.
 * @param known the password of the answer; only with it the result is certain
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

/** Removes percent escapes. Returns invalid ones unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Adds percent escapes. Returns half a surrogate pair unchanged. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shorter passwords would mask ordinary words in other values. */
const SHORTEST_SOUGHT = 4;

/** Masks the password, also inside other values. */
export function maskDatabase(answer: DatabaseLookup): DatabaseLookup {
  return maskSecrets(without(passwordsOf(answer), answer)) as DatabaseLookup;
}

function without(passwords: readonly string[], value: unknown): unknown {
  if (typeof value === 'string') return passwords.reduce((text, word) => text.replaceAll(word, MASK), value);
  if (Array.isArray(value)) return value.map((item) => without(passwords, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, without(passwords, item)]));
}

/** Returns the spellings of the password, the longest first, so that none leaves a part of another unmasked. */
function passwordsOf({ password, connectionUrl }: DatabaseLookup): readonly string[] {
  const inUrl = asText(connectionUrl)?.match(/^[a-z][a-z0-9+.-]*:\/\/[^:]*:(.*)@/i)?.[1];
  const plain = [asText(password), inUrl].filter((text) => text !== undefined);
  const forms = plain.flatMap((text) => [text, decoded(text), encoded(text)]);
  return [...new Set(forms)].filter((text) => text.length >= SHORTEST_SOUGHT).sort((a, b) => b.length - a.length);
}
