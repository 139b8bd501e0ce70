import { tryOr } from '../../once.ts';

/** The parts of a connection URL, decoded. Missing texts are empty. */
export interface UrlParts extends DatabaseHost {
  /** The scheme in small letters. */
  readonly scheme: string;
  /** Further hosts, of which a URL of PostgreSQL may name several. */
  readonly otherHosts: readonly DatabaseHost[];
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** The parameters but for those that are a part above. */
  readonly parameters: readonly UrlParameter[];
}

interface DatabaseHost {
  readonly host: string;
  readonly port: string;
}

export type UrlParameter = readonly [name: string, value: string];

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;
const AFTER_CREDENTIALS = /^([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?(?:#.*)?$/s;

/** A host with its port. A leading hyphen would be an option of a client. */
const HOST_FORM = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\],-][^\s:/?#@[\],]*)(?::(\d{0,5}))?$/i;

/** The names of parameters that stand for a part of the URL, as drivers take them. */
const PART_NAMES = {
  host: /^host$/i,
  port: /^port$/i,
  username: /^user(?:name)?$/i,
  password: /^password$/i,
  database: /^(?:db|dbname|database)$/i,
};

/**
 * Splits a connection URL; a part may also be a parameter, which what stands before the question
 * mark beats. Returns undefined for a text without a host.
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
  const [, hosts = '', database = '', query = ''] = tail;
  const parameters = splitQuery(query);
  const findPart = (part: keyof typeof PART_NAMES) =>
    parameters.find(([name]) => PART_NAMES[part].test(name))?.[1] ?? '';
  const texts = {
    host: hosts || findPart('host'),
    port: findPart('port'),
    username: decodePart(username) || findPart('username'),
    password: decodePart(password) || findPart('password'),
    database: decodePart(database) || findPart('database'),
  };

  const [first, ...otherHosts] = readHosts(texts.host, texts.port) ?? [];
  if (first === undefined) return undefined;
  const used = { ...texts, port: [first, ...otherHosts].map(({ port }) => port).join() };
  return {
    ...texts,
    ...first,
    scheme: scheme.toLowerCase(),
    otherHosts,
    parameters: parameters.filter((parameter) => !isPart(parameter, used)),
  };
}

/** Says whether a parameter has become a part of the URL, or repeats one. */
function isPart([name, value]: UrlParameter, texts: Record<keyof typeof PART_NAMES, string>) {
  const parts = Object.keys(PART_NAMES) as (keyof typeof PART_NAMES)[];
  return parts.some((part) => PART_NAMES[part].test(name) && texts[part] === value);
}

/**
 * Reads hosts that stand between commas. A host without a port gets its own of the other list, or
 * the last. Returns undefined if one is no host.
 */
function readHosts(hosts: string, ports: string): readonly DatabaseHost[] | undefined {
  const otherPorts = ports.split(',');
  const list = hosts.split(',').map((text, index) => {
    const [, host = '', port = ''] = HOST_FORM.exec(text) ?? [];
    const otherPort = otherPorts[index] ?? otherPorts.at(-1) ?? '';
    return { host: host.replace(/^\[|\]$/g, ''), port: port || otherPort };
  });
  const areHosts = list.every(({ host, port }) => host !== '' && /^\d{0,5}$/.test(port));
  return areHosts ? list : undefined;
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

/** An authority that can only be a host, or several, with or without their ports. */
const HOSTS_AND_PORTS = /^[^:]*(?::\d*)?$|^[^:,]+:\d+(?:,[^:,]+:\d+){1,9}$/;

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
  if (!beforeQuery.includes('@')) return HOSTS_AND_PORTS.test(authority) ? -1 : last;

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
