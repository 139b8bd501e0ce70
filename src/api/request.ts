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
import { RawJson, toJsonText } from '../json/raw-json.ts';
import { survey } from '../json/scan.ts';
import { parseJson } from '../json/values.ts';
import { parseUrl } from '../parse-url.ts';
import type { Call, Client, ClientCredential, ClientOptions } from './call.ts';

/** Throws for every mistake in a call before anything is sent. */
export function requestFor(
  call: Call,
  options: ClientOptions,
): Omit<HttpRequest, 'timeoutMs' | 'connectTimeoutMs'> {
  const { operation, body } = call;
  const url = buildUrl(options.baseUrl, call);
  const headers = { ...buildHeaders(call, options), ...credentialHeaders(operation, url, options) };
  const bytes = body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(toJsonText(body));
  const sent = body === undefined ? undefined : bytes;
  return { method: operation.method, url, headers, body: sent, signal: options.signal };
}

/** See {@link Client.preview}. */
export function previewFor(call: Call, options: ClientOptions): ReturnType<Client['preview']> {
  const headers = buildHeaders(call, options);
  const url = buildUrl(options.baseUrl, call).href;
  return { method: call.operation.method, url, headers, body: previewBody(call.body) };
}

function previewBody(body: unknown): unknown {
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
  const url = path.startsWith('/')
    ? parseUrl(baseUrl + path + (pairs.length === 0 ? '' : `?${pairs.join('&')}`))
    : undefined;
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
  if (value === '.' || value === '..')
    throw usageError(`"${value}" cannot be the value of ${name}.`);
  if (hasControl(value))
    throw usageError(`The value of ${name} must not contain control characters.`);
  refuseBrokenText(name, value);
  return encodeURIComponent(value);
}

/** Text that was read in a wrong character set would name something else. */
function refuseBrokenText(name: string, text: string): void {
  if (text.includes('\ufffd') || hasHalfCharacter(text)) {
    throw usageError(`The value of ${name} is not readable as UTF-8 text.`);
  }
}

/** In lower case. Only svc itself may set these headers. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  ...[
    'accept-encoding',
    'authorization',
    'connection',
    'content-length',
    'cookie',
    'expect',
    'host',
    'keep-alive',
  ],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  // With these, some servers take a request for one of another method.
  ...['x-http-method', 'x-http-method-override', 'x-method-override'],
]);

function buildHeaders(
  { body, headers: own = {} }: Call,
  { userAgent, org }: ClientOptions,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (org !== undefined) headers[ORG_HEADER.toLowerCase()] = printable(org, 'The organization');
  for (const [givenName, value] of Object.entries(own)) {
    const name = givenName.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
      throw usageError(`"${givenName}" cannot be the name of a header.`);
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

/** In characters; a longer text is no token of the platform. */
export const MAX_TOKEN_LENGTH = 4096;

/** Printable ASCII without spaces, in a cookie without semicolons either. */
export function isUsableToken(token: string, kind: ClientCredential['kind'] = 'bearer'): boolean {
  const form = kind === 'bearer' ? /^[\x21-\x7e]+$/ : /^[\x21-\x3a\x3c-\x7e]+$/;
  return token.length <= MAX_TOKEN_LENGTH && form.test(token);
}

const SIGN_IN = { say: 'Sign in, or set SVC_TOKEN.', run: ['svc login'] };

/** The sign-in must be one that the operation accepts, and must not travel unprotected. */
function credentialHeaders(
  operation: Operation,
  url: URL,
  options: ClientOptions,
): Record<string, string> {
  const { credential, allowHttp, explainMissing } = options;
  if (operation.credentials === 'none') return {};
  if (credential === undefined)
    throw explainMissing?.() ?? unusable(`Not signed in to ${url.host}.`, SIGN_IN);
  const { kind, token, source } = credential;
  if (kind === 'session' && operation.credentials === 'token') {
    throw unusable(`This needs an API token; ${source} is a dashboard session.`, SIGN_IN);
  }
  if (!isUsableToken(token, kind)) {
    throw unusable(`The token from ${source} is damaged: it cannot be sent.`, 'svc login');
  }
  if (token.startsWith(SANDBOX_TOKEN_PREFIX) && !isLoopback(url.hostname)) {
    const hint = `svc login --api-url ${url.origin}`;
    throw unusable(
      `The token from ${source} is one of the sandbox; it stays on this machine.`,
      hint,
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

function unusable(message: string, hint: Hint): CliError {
  return new CliError('unauthenticated', message, { hint });
}
