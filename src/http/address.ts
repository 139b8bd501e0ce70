import { type CliError, usageError } from '../errors.ts';
import { parseUrl } from '../parse-url.ts';
import { hasControl } from '../spec/text.ts';

interface AddressOptions {
  /** Names the source of the address in errors, such as `SVC_API_URL`. */
  readonly field?: string;
  /** Whether plain http to another machine is allowed. */
  readonly allowHttp?: boolean;
}

/**
 * Returns the normal form of a base URL: lower-case host, no default port, the path without a trailing slash.
 * @throws CliError `usage`; its message never repeats a part that may be a password.
 */
export function parseBaseUrl(text: string, options: AddressOptions = {}): string {
  const refuse = (reason: string): CliError =>
    usageError(`${options.field ?? 'The platform address'} ${reason}`, 'For example: https://api.example.com');
  const trimmed = text.trim();
  if (trimmed === '') throw refuse('is empty.');
  if (/\s/.test(trimmed) || hasControl(trimmed)) throw refuse('must not contain spaces or control characters.');
  if (trimmed.includes('\\')) throw refuse('must not contain a backslash.');
  if (!/^https?:\/\//i.test(trimmed)) throw refuse('must start with https://.');
  // `URL` skips further slashes and would read the text after them as the host.
  if (/^https?:\/{3}/i.test(trimmed)) throw refuse('must not contain more than two slashes after https:.');
  const [, authority = ''] = trimmed.split(/:\/\/([^/?#]*)/);
  if (authority.includes('@')) throw refuse('must not contain a user name or password.');
  if (trimmed.includes('?')) throw refuse('must not contain a query (?…).');
  if (trimmed.includes('#')) throw refuse('must not contain a fragment (#…).');
  const url = parseUrl(trimmed);
  if (url === undefined) throw refuse(`is not an address: "${trimmed}".`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !options.allowHttp) {
    throw refuse(
      `is plain http ("${url.host}"): a token would travel unprotected. Use https, or set SVC_ALLOW_HTTP=1.`,
    );
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/** Whether the host is this machine: 127.0.0.0/8, `::1` (with or without brackets) or exactly `localhost`. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[?::1\]?|localhost)$/i.test(host);
}
