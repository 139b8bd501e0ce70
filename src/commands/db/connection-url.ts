import { tryOr } from '../../errors.ts';

export type UrlParameter = readonly [name: string, value: string];

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;
const AFTER_CREDENTIALS = /^([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?(?:#.*)?$/s;

/** A leading hyphen would be an option of a client. */
const HOST_FORM = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@[\]-][^\s:/?#@[\]]*)$/i;

const PORT_FORM = /^\d{0,5}$/;

/** The parameters by which drivers name parts of the URL. */
const PART_NAMES = [
  ['host', /^host$/i],
  ['port', /^port$/i],
  ['username', /^user(?:name)?$/i],
  ['password', /^password$/i],
  ['database', /^(?:db|dbname|database)$/i],
] as const;

type PartTexts = Readonly<Record<(typeof PART_NAMES)[number][0], string>>;

/**
 * Splits a connection URL into its parts, decoded; missing texts are empty. A part may be a
 * parameter as well: what stands before the question mark wins. Returns undefined for a text
 * without a host.
 * @param knownPassword the password of the answer; only with it the end of the credentials is
 * certain
 */
export function splitConnectionUrl(url: string, knownPassword: string | undefined) {
  const [, scheme = '', rest = ''] = URL_FORM.exec(url) ?? [];
  const at = findEndOfCredentials(rest, knownPassword);
  const [, addresses = '', database = '', query = ''] =
    AFTER_CREDENTIALS.exec(rest.slice(at + 1)) ?? [];
  const [username = '', password = ''] = rest.slice(0, Math.max(0, at)).split(/:(.*)/s);
  const written = {
    ...splitAddresses(addresses),
    username: decodePart(username),
    password: decodePart(password),
    database: decodePart(database),
  };
  const { parts, parameters } = fillFromParameters(written, splitQuery(query));

  const hosts = listHosts(parts);
  const [firstHost] = hosts;
  if (firstHost === undefined) return undefined;
  return {
    ...parts,
    ...firstHost,
    scheme: scheme.toLowerCase(),
    /** All hosts; `host` and `port` are those of the first. */
    hosts,
    /** The parameters that are none of the parts. */
    parameters,
  };
}

/** Splits `h1:5432,h2` into the hosts `h1,h2` and the ports `5432,`. */
function splitAddresses(text: string) {
  const addresses = text.split(',').map((address) => address.split(/:(\d*)$/));
  const ports = addresses.map(([, port]) => port).join();
  return {
    host: addresses.map(([host]) => host).join(),
    port: /\d/.test(ports) ? ports : '',
  };
}

/** Fills empty parts, and leaves the parameters that are none. */
function fillFromParameters(written: PartTexts, all: readonly UrlParameter[]) {
  const parts = { ...written };
  const parameters = all.filter(([name, value]) => {
    const [part] = PART_NAMES.find(([, names]) => names.test(name)) ?? [];
    if (part === undefined) return true;
    if (parts[part] === '') parts[part] = value;
    return parts[part] !== value;
  });
  return { parts, parameters };
}

/** Lists each host with its port; one port is that of all. Empty if a host or a port is none. */
function listHosts({ host, port }: PartTexts) {
  const names = host.split(',');
  const ports = port.split(',');
  const isUsable =
    names.every((name) => HOST_FORM.test(name)) && ports.every((text) => PORT_FORM.test(text));
  if (!isUsable) return [];
  return names.map((name, index) => ({
    host: name.replace(/^\[|\]$/g, ''),
    port: ports[index] ?? ports.at(-1) ?? '',
  }));
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

/** An authority that can only be a host, or several, each with its port. */
const HOSTS_AND_PORTS = /^[^:]*(:\d*)?$|^[^:,]+:\d+,[^:,]+:\d+(?:,[^:,]+:\d+){0,8}$/;

/** A parameter whose value may contain an @: it has a name, and no path follows. */
const IN_PARAMETER = /^[?&][^=&@]*=[^/]*$/;

/**
 * Finds the @ before the host, also if the password has an unescaped `/`, `?` or `#`; -1 without
 * credentials. A part of the password that is mistaken for the host would be shown, and passed on a
 * command line.
 */
function findEndOfCredentials(rest: string, knownPassword: string | undefined) {
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
