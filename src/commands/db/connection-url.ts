import { tryOr } from '../../once.ts';

/** The parts of a connection URL, decoded. Missing texts are empty. */
export interface UrlParts {
  /** The scheme in small letters. */
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly parameters: readonly UrlParameter[];
}

export type UrlParameter = readonly [name: string, value: string];

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;

/** A host, its port, a database and parameters. A leading hyphen would be an option of a client. */
const AFTER_CREDENTIALS =
  /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\],-][^\s:/?#@[\],]*)(?::(\d{0,5}))?(?:\/([^?#]*))?(?:\?([^#]*))?(?:#.*)?$/is;

/**
 * Splits a connection URL. Returns undefined for a text without a host, and for several hosts.
 * @param knownPassword the password of the answer; only with it the end of the credentials is
 * certain
 */
export function splitConnectionUrl(
  url: string,
  knownPassword: string | undefined,
): UrlParts | undefined {
  const [, scheme = '', rest = ''] = URL_FORM.exec(url) ?? [];
  const at = findEndOfCredentials(rest, knownPassword);
  const tail = AFTER_CREDENTIALS.exec(rest.slice(at + 1));
  if (tail === null) return undefined;

  const [username = '', password = ''] = rest.slice(0, Math.max(0, at)).split(/:(.*)/s);
  const [, host = '', port = '', database = '', query = ''] = tail;
  return {
    scheme: scheme.toLowerCase(),
    host: host.replace(/^\[|\]$/g, ''),
    port,
    username: decodePart(username),
    password: decodePart(password),
    database: decodePart(database),
    parameters: splitQuery(query),
  };
}

/** Reads `name=value` pairs. A plus sign is one: only percent signs escape, as for libpq. */
function splitQuery(query: string): readonly UrlParameter[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      return [decodePart(name), decodePart(value)];
    });
}

/** An authority that can only be a host, with or without its port. */
const HOST_AND_PORT = /^[^:]*(?::\d*)?$/;

/** A parameter whose value may contain an @: it has a name, and no path follows. */
const IN_PARAMETER = /^[?&][^=&@]*=[^/]*$/;

/**
 * Finds the @ before the host, also if the password has an unescaped `/`, `?` or `#`; -1 without
 * credentials. A part of the password that is mistaken for the host would be shown, and passed on a
 * command line.
 */
function findEndOfCredentials(rest: string, knownPassword: string | undefined): number {
  const forms = knownPassword === undefined ? [] : [knownPassword, encodePart(knownPassword)];
  for (const form of forms) {
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

/** Leaves a text with an invalid escape as it is. */
export function decodePart(text: string): string {
  return tryOr(() => decodeURIComponent(text), text);
}

/** Leaves a text with half a surrogate pair as it is. */
export function encodePart(text: string): string {
  return tryOr(() => encodeURIComponent(text), text);
}
