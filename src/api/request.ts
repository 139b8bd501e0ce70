import {
  type Operation,
  ORG_HEADER,
  SANDBOX_TOKEN_PREFIX,
  SESSION_COOKIE,
} from '../contract/operations.ts';
import { hasControl, hasHalfCharacter } from '../contract/text.ts';
import { CliError, type Hint, usageError } from '../errors.ts';
import { isLoopback } from '../http/address.ts';
import type { HttpRequest } from '../http/send.ts';
import { survey } from '../json/scan.ts';
import { parseJson, RawJson, toJsonText } from '../json/values.ts';
import { parseUrl } from '../parse-url.ts';
import type { Call, Client, ClientCredential, ClientOptions } from './call.ts';

/** Creates the request of a call. Throws for every mistake before anything is sent. */
export function createRequest(
  call: Call,
  options: ClientOptions,
): Omit<HttpRequest, 'timeoutMs' | 'connectTimeoutMs'> {
  const { operation, body } = call;
  const url = buildUrl(options.baseUrl, call);
  const bytes = Buffer.from(body instanceof Uint8Array ? body : toJsonText(body));
  return {
    method: operation.method,
    url,
    headers: {
      ...buildHeaders(call, options),
      ...buildCredentialHeaders(operation, url, options),
    },
    body: body === undefined ? undefined : bytes,
    signal: options.signal,
  };
}

/** Creates what {@link Client.preview} returns. */
export function createPreview(call: Call, options: ClientOptions): ReturnType<Client['preview']> {
  return {
    method: call.operation.method,
    url: buildUrl(options.baseUrl, call).href,
    headers: buildHeaders(call, options),
    body: toPreviewBody(call.body),
  };
}

function toPreviewBody(body: unknown): unknown {
  if (!(body instanceof Uint8Array)) return body ?? null;
  const text = Buffer.from(body).toString('utf8');
  return survey(text).isTooDeep || parseJson(text) === undefined ? text : new RawJson(text);
}

/** Throws for a value that cannot be one path segment, and for a path that would lead elsewhere. */
export function buildUrl(baseUrl: string, call: Pick<Call, 'operation' | 'path' | 'query'>): URL {
  const { operation, path: values = {}, query = [] } = call;
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : encodeSegment(name, value);
  });
  const pairs = query.map(([name, value]) => {
    refuseBrokenText(name, name + value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  });
  const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  const url = path.startsWith('/') ? parseUrl(baseUrl + path + search) : undefined;
  if (url === undefined || url.origin + url.pathname !== baseUrl + path || url.hash !== '') {
    throw usageError(
      `The path ${JSON.stringify(path)} cannot be sent as it is written.`,
      'For example: /v1/user',
    );
  }
  return url;
}

function encodeSegment(name: string, value: string): string {
  if (value === '') throw usageError(`The value of ${name} is empty.`);
  if (value === '.' || value === '..') {
    throw usageError(`"${value}" cannot be the value of ${name}.`);
  }
  if (hasControl(value)) {
    throw usageError(`The value of ${name} must not contain control characters.`);
  }
  refuseBrokenText(name, value);
  return encodeURIComponent(value);
}

/** Text that was read in a wrong character set would name something else. */
function refuseBrokenText(name: string, text: string): void {
  if (text.includes('\ufffd') || hasHalfCharacter(text)) {
    throw usageError(`The value of ${name} is not readable as UTF-8 text.`);
  }
}

/** The headers that only svc itself may set, in lower case. */
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
  // With these, some servers take a request for one of another method.
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

function buildHeaders(
  { body, headers: givenHeaders = {} }: Call,
  { userAgent, org }: ClientOptions,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (org !== undefined) {
    headers[ORG_HEADER.toLowerCase()] = requirePrintable(org, 'The organization');
  }
  for (const [givenName, value] of Object.entries(givenHeaders)) {
    const name = givenName.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
      throw usageError(`"${givenName}" cannot be the name of a header.`);
    }
    if (RESERVED_HEADERS.has(name)) {
      throw usageError(`The header ${givenName} is set by svc itself and cannot be given.`);
    }
    headers[name] = requirePrintable(value, `The header ${givenName}`);
  }
  return headers;
}

function requirePrintable(value: string, what: string): string {
  if (/^[\x20-\x7e]+$/.test(value) && value.trim() === value) return value;
  throw usageError(`${what} must be printable ASCII without spaces around it.`);
}

/** The most characters of a token of the platform. */
export const MAX_TOKEN_LENGTH = 4096;

/** Whether a token is printable ASCII without spaces, in a cookie without semicolons either. */
export function isUsableToken(token: string, kind: ClientCredential['kind'] = 'bearer'): boolean {
  const form = kind === 'bearer' ? /^[\x21-\x7e]+$/ : /^[\x21-\x3a\x3c-\x7e]+$/;
  return token.length <= MAX_TOKEN_LENGTH && form.test(token);
}

const SIGN_IN = { say: 'Sign in, or set SVC_TOKEN.', run: ['svc login'] };

/** The sign-in must be one that the operation accepts, and must not travel unprotected. */
function buildCredentialHeaders(
  operation: Operation,
  url: URL,
  options: ClientOptions,
): Record<string, string> {
  const { credential, allowHttp, explainMissing } = options;
  if (operation.credentials === 'none') return {};
  if (credential === undefined) {
    throw explainMissing?.() ?? signInError(`Not signed in to ${url.host}.`, SIGN_IN);
  }
  const { kind, token, source } = credential;
  if (kind === 'session' && operation.credentials === 'token') {
    throw signInError(`This needs an API token; ${source} is a dashboard session.`, SIGN_IN);
  }
  if (!isUsableToken(token, kind)) {
    throw signInError(`The token from ${source} is damaged: it cannot be sent.`, 'svc login');
  }
  if (token.startsWith(SANDBOX_TOKEN_PREFIX) && !isLoopback(url.hostname)) {
    throw signInError(
      `The token from ${source} is one of the sandbox; it stays on this machine.`,
      `svc login --api-url ${url.origin}`,
    );
  }
  if (url.protocol !== 'https:' && !allowHttp && !isLoopback(url.hostname)) {
    throw usageError(
      `${url.origin} is plain http: the token from ${source} would travel unprotected.`,
      'Use an https address, or set SVC_ALLOW_HTTP=1.',
    );
  }
  return kind === 'bearer'
    ? { authorization: `Bearer ${token}` }
    : { cookie: `${SESSION_COOKIE}=${token}` };
}

function signInError(message: string, hint: Hint): CliError {
  return new CliError('unauthenticated', message, { hint });
}
