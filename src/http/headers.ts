import { usageError } from '../errors.ts';
import { ORG_HEADER } from '../spec/operations.ts';
import type { Call } from './call.ts';

/** Headers that describe the connection or carry credentials: they are the client's and the engine's alone; lower case. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What is said in every request. */
export interface CommonHeaders {
  readonly userAgent: string;
  readonly org?: string | undefined;
}

/**
 * The headers of a call without its credentials; names in lower case.
 * @throws CliError `usage` for a header or organization that cannot be sent.
 */
export function buildHeaders(call: Call, common: CommonHeaders): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': common.userAgent,
  };
  if (call.body !== undefined) headers['content-type'] = 'application/json';
  if (common.org !== undefined) headers[ORG_HEADER.toLowerCase()] = printable(common.org, 'The organization');
  for (const [givenName, value] of Object.entries(call.headers ?? {})) {
    const name = givenName.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw usageError(`"${givenName}" cannot be the name of a header.`);
    if (RESERVED_HEADERS.has(name))
      throw usageError(`The header ${givenName} is set by svc itself and cannot be given.`);
    headers[name] = printable(value, `The header ${givenName}`);
  }
  return headers;
}

function printable(value: string, what: string): string {
  if (/^[\x20-\x7e]+$/.test(value) && value.trim() === value) return value;
  throw usageError(`${what} must be printable ASCII without spaces around it.`);
}
