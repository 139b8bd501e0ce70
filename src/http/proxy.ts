import { usageError } from '../errors.ts';
import { tryRead } from '../once.ts';
import { parseUrl } from '../parse-url.ts';
import { isLoopback } from './address.ts';

/** The proxy for a URL, if it needs one. Throws a usage error for an invalid variable. */
export type ProxyFor = (url: URL) => URL | undefined;

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, the lower-case names first. Loopback addresses
 * never use a proxy. `NO_PROXY` lists `host` (and the names below it), `.suffix` or `*`, each with
 * an optional `:port`.
 */
export function readProxies(env: Readonly<Record<string, string | undefined>>): ProxyFor {
  return (url) => {
    if (isLoopback(url.hostname)) return undefined;
    const names =
      url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
    const name = names.find((candidate) => env[candidate]?.trim());
    const exceptions = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
    if (name === undefined || isException(url, exceptions)) return undefined;
    return parseProxy(name, env[name]?.trim() ?? '');
  };
}

/** Errors do not repeat the value, which may contain a password. */
function parseProxy(name: string, text: string): URL {
  const withScheme = /^[^/@]+:\d+\/?$/.test(text) ? `http://${text}` : text;
  const url = /^https?:\/\/[^/]/i.test(withScheme) ? parseUrl(withScheme) : undefined;
  const credentials =
    url && tryRead(() => decodeURIComponent(url.username + url.password), undefined);
  if (url === undefined || credentials === undefined) {
    const expected = `For example: ${name}=http://[user:password@]host[:port]`;
    throw usageError(`${name} is not the address of an HTTP proxy.`, expected);
  }
  return url;
}

/** The port of an http or https URL, also if it is the usual one. */
export function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80));
}

function isException(url: URL, exceptions: string): boolean {
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      return (
        (port === undefined || Number(port) === portOf(url)) && matchesHost(url.hostname, host)
      );
    });
}

function matchesHost(hostname: string, pattern: string): boolean {
  if (pattern === '' || pattern === '*') return pattern === '*';
  const suffix = pattern.replace(/^\*(?=\.)/, '');
  return suffix.startsWith('.')
    ? hostname.endsWith(suffix)
    : hostname === suffix || hostname.endsWith(`.${suffix}`);
}
