import { getBuiltinModule } from 'node:process';
import { type CliError, tryOr, usageError } from '../errors.ts';
import { parseUrl } from '../parse-url.ts';

/**
 * The forms that no address may have. `URL` skips further slashes and would read the text after them as the
 * host.
 */
const REFUSED: ReadonlyArray<readonly [form: RegExp, reason: string]> = [
  [/^$/, 'is empty.'],
  [
    /[\s\\]|[^\x20-\x7e\u00a0-\uffff]/,
    'must not contain spaces, backslashes or control characters.',
  ],
  [/^(?!https?:\/\/)/i, 'must start with https://.'],
  [/^https?:\/{3}/i, 'must not contain more than two slashes after https:.'],
  [/:\/\/[^/?#]*@/, 'must not contain a user name or password.'],
  [/[?#]/, 'must not contain a query (?…) or a fragment (#…).'],
];

/**
 * Returns the normal form of a base URL: lower-case host, no default port, the path without a
 * trailing slash. Errors name `field`, such as `SVC_API_URL`, and never repeat a part that may be a
 * password.
 */
export function parseBaseUrl(
  text: string,
  options: { readonly field?: string; readonly allowHttp?: boolean } = {},
): string {
  const { field = 'The platform address', allowHttp } = options;
  const refuse = (reason: string): CliError =>
    usageError(`${field} ${reason}`, 'For example: https://api.example.com');

  const trimmed = text.trim();
  const [, problem] = REFUSED.find(([form]) => form.test(trimmed)) ?? [];
  if (problem !== undefined) {
    const isHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+){1,126}(?:[:/][\w./-]*)?$/i.test(trimmed);
    throw refuse(problem).withMeantText(text, isHost ? `https://${trimmed}` : undefined);
  }
  const url = parseUrl(trimmed);
  if (url === undefined) throw refuse(`is not an address: "${trimmed}".`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp) {
    throw refuse(
      `is plain http ("${url.host}"): a token would travel unprotected. Use https, or set SVC_ALLOW_HTTP=1.`,
    );
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/** Returns the host of a URL without a port, and without the brackets of an IPv6 address. */
export function getHostname(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether the host is this machine: 127.0.0.0/8, `::1` (with or without brackets), `localhost` or a
 * name below it.
 */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host) || isLocalName(host);
}

/**
 * Whether the name is that of this machine, `localhost` or below it (RFC 6761, 6.3). Resolvers
 * differ: some ask the network for `api.localhost`.
 */
export function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Finds the proxy for a URL, if it needs one. Throws a usage error for an invalid variable. */
export type ProxyFor = (url: URL) => URL | undefined;

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, the lower-case names first. Loopback addresses
 * never use a proxy. `NO_PROXY` lists `host` (and the names below it), `.suffix`, an address or `*`,
 * each with an optional `:port`, or a range such as `10.0.0.0/8`.
 */
export function readProxies(env: Readonly<Record<string, string | undefined>>): ProxyFor {
  return (url) => {
    if (isLoopback(url.hostname)) return undefined;
    const names =
      url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
    const name = names.find((candidate) => env[candidate]?.trim());
    const exceptions = env['no_proxy']?.trim() || env['NO_PROXY'] || '';
    if (name === undefined || isException(url, exceptions)) return undefined;
    return parseProxy(name, env[name]?.trim() ?? '');
  };
}

/** Errors do not repeat the value, which may contain a password. */
function parseProxy(name: string, text: string): URL {
  const withScheme = /^[^/@]+:\d+\/?$/.test(text) ? `http://${text}` : text;
  const [, scheme = '', user = '', address = ''] =
    /^(https?:\/\/)(?:(.*)@)?([^@/\\?#]+)(?:[/?#][^@]*)?$/i.exec(withScheme) ?? [];
  const url = parseUrl(scheme + address);
  // `URL` would take the user `CORP\\name` for the host `corp` and a path.
  const [username = '', ...rest] = user.split(':');
  if (url !== undefined) Object.assign(url, { username, password: rest.join(':') });
  const credentials =
    url && tryOr(() => decodeURIComponent(url.username + url.password), undefined);
  if (url === undefined || credentials === undefined) {
    const example = `For example: ${name}=http://proxy.example.com:3128`;
    throw usageError(
      `${name} is not the address of an HTTP proxy.`,
      `${example}. A user stands in front of the host, as <user>:<password>@, with an @ inside as %40.`,
    );
  }
  return url;
}

/** Returns the port of an http or https URL, also if it is the usual one. */
export function getPort(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80));
}

function isException(url: URL, exceptions: string): boolean {
  return exceptions.split(/[\s,]+/).some((entry) => {
    // An IPv6 address has colons of its own, and a port only behind its brackets.
    const [, bracketed, bare, port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
    const isItsPort = port === undefined || Number(port) === getPort(url);
    return isItsPort && matchesHost(getHostname(url), bracketed ?? bare ?? entry);
  });
}

function matchesHost(hostname: string, pattern: string): boolean {
  if (pattern === '*') return true;
  const { isIP } = getBuiltinModule('node:net');
  const host = hostname.replace(/\.$/, '');
  if (isIP(host) !== 0) return matchesAddress(host, pattern);

  const [, dot = '', name = ''] = /^\*?(\.?)(.*?)\.?$/.exec(pattern) ?? [];
  const ascii = /^[^/@?#\\:]+$/.test(name) ? parseUrl(`http://${name}`)?.hostname : undefined;
  if (ascii === undefined) return false;
  return host.endsWith(`.${ascii}`) || (dot === '' && host === ascii);
}

/** Whether an address is the one of the pattern, or in its range. */
function matchesAddress(host: string, pattern: string): boolean {
  const { BlockList, isIP } = getBuiltinModule('node:net');
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d+))?$/.exec(pattern) ?? [];
  const getFamily = (text: string) => (isIP(text) === 6 ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  // The list refuses what is no address, and a prefix out of its range.
  return tryOr(() => {
    if (prefix === undefined) list.addAddress(address, getFamily(address));
    else list.addSubnet(address, Number(prefix), getFamily(address));
    return list.check(host, getFamily(host));
  }, false);
}
