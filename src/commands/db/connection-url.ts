import { tryRead } from '../../once.ts';

/** The parts of a connection URL, decoded. Missing texts are empty. */
export interface UrlParts {
  /** The scheme in small letters. */
  readonly scheme: string;
  /** At least one; a URL of PostgreSQL may name several. */
  readonly hosts: readonly DatabaseHost[];
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** The parameters that are none of the parts above. */
  readonly parameters: readonly UrlParameter[];
  /** The names of parameters that say otherwise than the URL before its question mark. */
  readonly overridden: readonly string[];
}

interface DatabaseHost {
  readonly host: string;
  readonly port: string;
}

export type UrlParameter = readonly [name: string, value: string];

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;
const AFTER_CREDENTIALS = /^([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?(?:#.*)?$/s;
const HOST_FORM = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{0,5}))?$/i;

/** The parameters that may stand for a part of the URL, in small letters. */
const PART_NAMES = {
  host: ['host'],
  port: ['port'],
  username: ['user', 'username'],
  password: ['password'],
  database: ['db', 'dbname', 'database'],
} as const;

/**
 * Splits a connection URL, of which drivers take parts as parameters as well: what stands before
 * the question mark wins. Returns undefined for a text without a host.
 * @param knownPassword the password of the answer; only with it the end of the credentials is
 * certain
 */
export function splitConnectionUrl(
  url: string,
  knownPassword: string | undefined,
): UrlParts | undefined {
  const [, scheme = '', rest = ''] = URL_FORM.exec(url) ?? [];
  const at = findEndOfCredentials(rest, knownPassword);
  const [userText = '', passwordText = ''] = rest.slice(0, Math.max(0, at)).split(/:(.*)/s);
  const tail = AFTER_CREDENTIALS.exec(rest.slice(at + 1));
  if (tail === null) return undefined;

  const [, hostText = '', databaseText = '', query = ''] = tail;
  const parameters = splitQuery(query);
  const hosts = readHosts(hostText, parameters);
  if (hosts === undefined) return undefined;

  const parts = {
    host: hostText === '' ? '' : hosts.map(({ host }) => host).join(),
    port: hosts.map(({ port }) => port).join(),
    username: decodePart(userText),
    password: decodePart(passwordText),
    database: decodePart(databaseText),
  };
  const { rest: others, overridden, ...filled } = fillFromParameters(parts, parameters);
  return {
    scheme: scheme.toLowerCase(),
    hosts,
    ...filled,
    parameters: others,
    overridden,
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

/** Returns undefined if no host is named, or one is none; ports of parameters fill gaps. */
function readHosts(
  hostText: string,
  parameters: readonly UrlParameter[],
): readonly DatabaseHost[] | undefined {
  const texts = hostText === '' ? findParameter(parameters, 'host') : hostText;
  const ports = (findParameter(parameters, 'port') ?? '').split(',');
  const hosts = (texts ?? '').split(',').map((text, index) => {
    const [, host = '', port = ''] = HOST_FORM.exec(text) ?? [];
    const otherPort = ports[index] ?? ports.at(-1) ?? '';
    return {
      host: host.replace(/^\[|\]$/g, ''),
      port: port === '' ? otherPort.replace(/\D/g, '').slice(0, 5) : port,
    };
  });

  // A host that starts with a hyphen would be an option of the client.
  const isUsable = hosts.every(({ host }) => host !== '' && !host.startsWith('-'));
  return isUsable ? hosts : undefined;
}

function findParameter(
  parameters: readonly UrlParameter[],
  part: keyof typeof PART_NAMES,
): string | undefined {
  return parameters.find(([name]) => namesPart(name, part))?.[1];
}

function namesPart(name: string, part: keyof typeof PART_NAMES): boolean {
  const names: readonly string[] = PART_NAMES[part];
  return names.includes(name.toLowerCase());
}

type PartTexts = Readonly<Record<keyof typeof PART_NAMES, string>>;

function fillFromParameters(parts: PartTexts, parameters: readonly UrlParameter[]) {
  const fill = (part: keyof typeof PART_NAMES) =>
    parts[part] === '' ? (findParameter(parameters, part) ?? '') : parts[part];
  const filled: PartTexts = {
    host: fill('host'),
    port: fill('port'),
    username: fill('username'),
    password: fill('password'),
    database: fill('database'),
  };

  const partNames = Object.keys(PART_NAMES) as (keyof typeof PART_NAMES)[];
  const findPart = (name: string) => partNames.find((part) => namesPart(name, part));
  const isOverridden = ([name, value]: UrlParameter) => {
    const part = findPart(name);
    return part !== undefined && value !== filled[part];
  };

  return {
    username: filled.username,
    password: filled.password,
    database: filled.database,
    rest: parameters.filter(([name]) => findPart(name) === undefined),
    overridden: parameters.filter(isOverridden).map(([name]) => name),
  };
}

/** An authority that can only be a host, or several, each with its port. */
const HOSTS_AND_PORTS = /^[^:]*(:\d*)?$|^[^:,]+:\d+,[^:,]+:\d+(?:,[^:,]+:\d+){0,8}$/;

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
  return tryRead(() => decodeURIComponent(text), text);
}

/** Leaves a text with half a surrogate pair as it is. */
export function encodePart(text: string): string {
  return tryRead(() => encodeURIComponent(text), text);
}
