import { quoted, usageError } from '../../errors.ts';
import { RESERVED_HEADERS } from '../../service/request.ts';
import { example } from './choice.ts';

/** The way out for a header that svc keeps to itself, where there is a better one than to leave it out. */
const WAYS: ReadonlyMap<string, string> = new Map([
  ['authorization', 'svc signs the request in itself; set SVC_TOKEN, or run `svc login`'],
  ['proxy-authorization', 'put the proxy and its password in HTTPS_PROXY'],
  ['cookie', 'set SVC_SESSION_TOKEN to use a dashboard session'],
  ['host', 'choose the address with --api-url'],
  ['accept-encoding', 'leave it out; svc reads answers as they are'],
]);
const LEAVE_OUT = 'leave it out; svc sets what the connection needs';

/** One header of a request. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads `Name: value`, printable ASCII only (RFC 9110, section 5). Throws a usage error for headers that svc keeps to
 * itself; messages never repeat a value, which may be a secret.
 */
export function parseHeader(text: string, flag: string): Header {
  const form = example(flag, "'Name: value'");
  const colon = text.indexOf(':');
  if (colon < 0) throw usageError(`${flag} takes a name and a value with a colon between them.`, form);
  const name = text.slice(0, colon);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    throw usageError(`${flag} ${quoted(name)} is not the name of a header.`, form);
  }
  const known = name.toLowerCase();
  if (RESERVED_HEADERS.has(known)) throw usageError(`${flag} cannot set ${name}.`, WAYS.get(known) ?? LEAVE_OUT);
  const value = text.slice(colon + 1).replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
  if (value === '') throw usageError(`${flag} ${quoted(name)} has no value.`, form);
  if (!/^[\x20-\x7e]+$/.test(value)) {
    throw usageError(`${flag} ${quoted(name)} has a value with characters other than printable ASCII.`, form);
  }
  return { name, value };
}

/** Reads several headers; the result has no prototype. Throws a usage error also for a header that is given twice. */
export function parseHeaders(list: readonly string[], flag: string): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>;
  const seen = new Set<string>();
  for (const text of list) {
    const { name, value } = parseHeader(text, flag);
    if (seen.has(name.toLowerCase()))
      throw usageError(`${flag} ${quoted(name)} is given twice.`, 'give every header once');
    seen.add(name.toLowerCase());
    headers[name] = value;
  }
  return headers;
}
