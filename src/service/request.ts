import { CliError, usageError } from '../errors.ts';
import { isLoopback } from '../http/address.ts';
import { parseUrl } from '../parse-url.ts';
import { type Operation, ORG_HEADER, SANDBOX_TOKEN_PREFIX, SESSION_COOKIE } from '../spec/operations.ts';
import { hasControl, hasHalfCharacter } from '../spec/text.ts';
import type { Call } from './call.ts';

const SIGN_IN = { say: 'Sign in, or set SVC_TOKEN.', run: ['svc login'] };

/** @throws CliError `usage` for a value that cannot be one path segment, and for a path that would lead elsewhere. */
export function buildUrl(baseUrl: string, call: Pick<Call, 'operation' | 'path' | 'query'>): URL {
  const base = new URL(baseUrl);
  const values = call.path ?? {};
  const path = call.operation.path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : encodeSegment(name, value);
  });
  const pathname = base.pathname.replace(/(?<!\/)\/+$/, '') + path;
  const text = base.origin + pathname + encodeQuery(call.query ?? []);
  const url = path.startsWith('/') ? parseUrl(text) : undefined;
  if (url === undefined || url.origin !== base.origin || url.pathname !== pathname || url.hash !== '') {
    throw usageError(`The path ${JSON.stringify(path)} cannot be sent as it is written.`, 'For example: /v1/user');
  }
  return url;
}

function encodeSegment(name: string, value: string): string {
  if (value === '') throw usageError(`The value of ${name} is empty.`);
  if (value === '.' || value === '..') throw usageError(`"${value}" cannot be the value of ${name}.`);
  if (hasControl(value)) throw usageError(`The value of ${name} must not contain control characters.`);
  refuseBrokenText(name, value);
  return encodeURIComponent(value);
}

function encodeQuery(query: NonNullable<Call['query']>): string {
  const pairs = query.map(([name, value]) => {
    refuseBrokenText(name, name + value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Text read in a wrong character set contains U+FFFD or half of a surrogate pair; it would name something else. */
function refuseBrokenText(name: string, text: string): void {
  if (text.includes('\ufffd') || hasHalfCharacter(text)) {
    throw usageError(`The value of ${name} is not readable as UTF-8 text.`);
  }
}

/** Headers, in lower case, that describe the connection or carry credentials: only svc itself may set them. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  ...['accept-encoding', 'authorization', 'connection', 'content-length', 'cookie', 'expect', 'host', 'keep-alive'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  // With these, some servers take a request for one of another method.
  ...['x-http-method', 'x-http-method-override', 'x-method-override'],
]);

/**
 * Returns the headers of a call without its credentials; names in lower case.
 * @throws CliError `usage` for a header or organization that cannot be sent.
 */
export function buildHeaders(
  call: Call,
  common: { readonly userAgent: string; readonly org?: string | undefined },
): Record<string, string> {
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
    if (RESERVED_HEADERS.has(name)) {
      throw usageError(`The header ${givenName} is set by svc itself and cannot be given.`);
    }
    headers[name] = printable(value, `The header ${givenName}`);
  }
  return headers;
}

function printable(value: string, what: string): string {
  if (/^[\x20-\x7e]+$/.test(value) && value.trim() === value) return value;
  throw usageError(`${what} must be printable ASCII without spaces around it.`);
}

/** A token, or the session of a dashboard, which goes into a cookie. */
export interface ClientCredential {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  /** For people, such as `SVC_TOKEN`. */
  readonly source: string;
}

/** In characters; a longer text is no token of the platform. */
export const MAX_TOKEN_LENGTH = 4096;

/** Whether a token fits in its header: printable ASCII without spaces, in a cookie without semicolons either. */
export function isUsableToken(token: string, kind: ClientCredential['kind'] = 'bearer'): boolean {
  const form = kind === 'bearer' ? /^[\x21-\x7e]+$/ : /^[\x21-\x3a\x3c-\x7e]+$/;
  return token.length <= MAX_TOKEN_LENGTH && form.test(token);
}

/**
 * Returns the header that carries the sign-in, or no header for an operation without one.
 * @throws CliError `unauthenticated` without a sign-in that the operation accepts, `usage` if the sign-in would travel
 * unprotected.
 */
export function credentialHeaders(
  operation: Operation,
  credential: ClientCredential | undefined,
  url: URL,
  allowHttp: boolean,
  explainMissing = (): CliError => new CliError('unauthenticated', `Not signed in to ${url.host}.`, { hint: SIGN_IN }),
): Record<string, string> {
  if (operation.credentials === 'none') return {};
  if (credential === undefined) throw explainMissing();
  const { kind, token, source } = credential;
  if (kind === 'session' && operation.credentials === 'token') {
    throw new CliError('unauthenticated', `This needs an API token; ${source} is a dashboard session.`, {
      hint: SIGN_IN,
    });
  }
  if (!isUsableToken(token, kind)) {
    throw new CliError('unauthenticated', `The token from ${source} is damaged: it cannot be sent.`, {
      hint: 'svc login',
    });
  }
  checkDestination(credential, url, allowHttp);
  return kind === 'bearer' ? { authorization: `Bearer ${token}` } : { cookie: `${SESSION_COOKIE}=${token}` };
}

function checkDestination({ token, source }: ClientCredential, url: URL, allowHttp: boolean): void {
  if (isLoopback(url.hostname)) return;
  if (token.startsWith(SANDBOX_TOKEN_PREFIX)) {
    throw new CliError('unauthenticated', `The token from ${source} is one of the sandbox; it stays on this machine.`, {
      hint: `svc login --api-url ${url.origin}`,
    });
  }
  if (url.protocol !== 'https:' && !allowHttp) {
    throw usageError(
      `${url.origin} is plain http: the token from ${source} would travel unprotected.`,
      'Use an https address, or set SVC_ALLOW_HTTP=1.',
    );
  }
}
