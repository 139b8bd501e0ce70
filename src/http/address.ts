import { type CliError, usageError } from '../errors.ts';
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
