import { getErrorCode } from '../errors.ts';

/** One HTTP request as it goes on the wire. Times are in milliseconds. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** Complete: the engine adds nothing but `Host`, `Content-Length` and `Connection`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Built once, so that every attempt sends the same bytes. */
  readonly body?: Buffer | undefined;
  /** The limit for name lookup, TCP, tunnel and TLS. */
  readonly connectTimeoutMs: number;
  /** The limit for the whole attempt, reading the body included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called before the first byte of a change is sent. */
  readonly onSend?: () => void;
}

/** An answer whose head has arrived. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Decompressed. Throws a `TransportError` if the body is cut or damaged. Leaving the loop early
   * closes the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends exactly one request: no redirect, no retry, no cookie. Of the two engines in
 * `engines.ts` one opens a connection for each request, and the other keeps them for many that read.
 * @throws TransportError; the signal's reason when aborted
 */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** Joins repeated headers, for {@link HttpResponse.headers}. */
export function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): HttpResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

const MAX_ID_LENGTH = 200;

/** Finds the platform's id for the request, and cuts a long one. */
export function getRequestId(headers: HttpResponse['headers']): string | undefined {
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['x-correlation-id'];
  if (id === undefined || id === '') return undefined;
  return id.length > MAX_ID_LENGTH ? `${id.slice(0, MAX_ID_LENGTH)}…` : id;
}

/** Whether an answer is JSON of any kind, such as `application/problem+json`. */
export function isJson(headers: HttpResponse['headers']): boolean {
  return /\bjson\b/i.test(headers['content-type'] ?? '');
}

/**
 * `reset` and `timeout` are of an open connection; the others mean that the platform has seen
 * nothing.
 */
export type TransportErrorKind = 'not_sent' | 'tls' | 'reset' | 'timeout' | 'proxy';

/** A request that got no complete answer. */
export class TransportError extends Error {
  readonly kind: TransportErrorKind;
  /** A code of Node, such as `ECONNREFUSED`. */
  readonly code: string;
  /** Those of the answer of a proxy, which may say when to come back. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    kind: TransportErrorKind,
    code: string,
    message: string,
    { cause, headers = {} }: Partial<Pick<TransportError, 'cause' | 'headers'>> = {},
  ) {
    super(message, { cause });
    this.name = 'TransportError';
    this.kind = kind;
    this.code = code;
    this.headers = headers;
  }
}

/** How far a request came: before `exchange` nothing was sent; in `answer` a part of it arrived. */
export type TransportStage = 'connect' | 'tls' | 'exchange' | 'answer';

/**
 * A row of the table of codes of Node, OpenSSL, llhttp and undici. A code that ends with `*` is the
 * beginning of others, unless a row has them.
 */
type Meaning = readonly [kind: TransportErrorKind, words: string, codes: string];

const UNKNOWN_AUTHORITY: Meaning = [
  'tls',
  'its certificate does not come from an authority that this machine trusts',
  'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_* CERT_UNTRUSTED',
];
const NOT_HTTP: Meaning = ['reset', 'the answer is not HTTP', 'NOT_HTTP HPE_*'];

/**
 * TLS 1.3 refuses a client after the client's part of the handshake, when the request is on its way
 * (RFC 8446, 4.4.2.4 and 6.2). Such a server has passed nothing on.
 */
// biome-ignore format: a table
const CLIENT_REFUSED: readonly Meaning[] = [
  ['tls', 'it wants a client certificate, and svc has none',
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED'],
  ['tls', 'it refuses svc as a client; it seems to want a client certificate',
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE ERR_SSL_TLSV1_ALERT_UNKNOWN_CA ERR_SSL_TLSV1_ALERT_ACCESS_DENIED'],
  ['tls', 'it has no cipher in common with svc, or wants a client certificate',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
];

// biome-ignore format: a table
const MEANINGS: readonly Meaning[] = [
  NOT_HTTP,
  ['not_sent', 'unknown host; check the spelling', 'ENOTFOUND ENODATA EAI_NODATA EAI_NONAME'],
  ['not_sent', 'the name cannot be looked up; is this machine online?', 'EAI_AGAIN EAI_FAIL'],
  ['not_sent', 'connection refused', 'ECONNREFUSED'],
  ['not_sent', 'the network cannot be reached; is this machine online?', 'ENETUNREACH ENETDOWN EADDRNOTAVAIL'],
  ['not_sent', 'there is no route to it', 'EHOSTUNREACH EHOSTDOWN'],
  ['not_sent', 'this machine does not allow the connection', 'EACCES EPERM'],
  ['not_sent', 'this machine has too many connections or files open', 'EMFILE ENFILE'],
  ['not_sent', 'the connection took too long', 'CONNECT_TIMEOUT ERR_SOCKET_CONNECTION_TIMEOUT'],
  ['tls', 'its certificate has expired', 'CERT_HAS_EXPIRED'],
  ['tls', 'its certificate is not valid yet; is the clock of this machine right?', 'CERT_NOT_YET_VALID'],
  ['tls', 'its certificate belongs to another name', 'ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH'],
  UNKNOWN_AUTHORITY,
  ['tls', 'its certificate is not acceptable', 'CERT_* INVALID_CA INVALID_PURPOSE'],
  ...CLIENT_REFUSED,
  ['tls', 'it speaks only an old version of TLS, which svc does not',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_VERSION_TOO_LOW'],
  ['tls', 'it has no cipher in common with svc',
    'ERR_SSL_NO_SHARED_CIPHER ERR_SSL_NO_CIPHERS_AVAILABLE ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY ' +
    'ERR_SSL_DH_KEY_TOO_SMALL ERR_SSL_EE_KEY_TOO_SMALL ERR_SSL_WRONG_CIPHER_RETURNED'],
  ['tls', 'it does not speak HTTP/1.1, only another protocol (ALPN)', 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'],
  ['tls', 'it does not know this host name', 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME'],
  ['tls', 'its TLS failed', 'ERR_SSL_TLSV1_ALERT_* ERR_SSL_SSLV3_ALERT_* ERR_SSL_TLSV13_ALERT_*'],
  ['tls', 'this port does not seem to speak HTTPS', 'EPROTO ERR_SSL_* ERR_TLS_*'],
  ['reset', 'the connection was closed', 'ECONNRESET ECONNABORTED EPIPE ERR_STREAM_PREMATURE_CLOSE UND_ERR_*'],
  ['reset', 'the head of the answer is too large', 'HEAD_TOO_LARGE HPE_HEADER_OVERFLOW UND_ERR_HEADERS_OVERFLOW'],
  ['reset', 'what is compressed is damaged', 'Z_* ERR__ERROR_*'],
  ['timeout', 'it took too long', 'ETIMEDOUT'],
];

/** Creates an error for {@link toTransportError}. */
export function createCodedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Makes the error of a stage; an unknown code is a network error. */
export function toTransportError(
  error: unknown,
  stage: TransportStage,
  host: string,
): TransportError {
  if (error instanceof TransportError) return error;
  const code = getCode(error);
  const meaning = findMeaning(code);
  const [, words = 'network error'] = meaning ?? [];
  const kind = getKind(stage, meaning);
  return new TransportError(kind, code, `${describeKind(kind, host)}: ${words} (${code})`, {
    cause: error,
  });
}

export function isNotHttp({ code }: TransportError): boolean {
  return findMeaning(code) === NOT_HTTP;
}

/** A failed connect has sent nothing, a failed exchange may have. */
function getKind(stage: TransportStage, meaning: Meaning | undefined): TransportErrorKind {
  const [kind] = meaning ?? [];
  if (stage === 'connect') return 'not_sent';
  if (stage === 'exchange' && isClientRefused(meaning)) return 'tls';
  if (stage === 'tls') return kind === 'timeout' ? 'not_sent' : 'tls';
  return kind === 'timeout' ? 'timeout' : 'reset';
}

function isClientRefused(meaning: Meaning | undefined): boolean {
  return CLIENT_REFUSED.some((row) => row === meaning);
}

/** Whether the server wants a certificate of the client, or may want one. */
export function wantsClientCertificate({ code }: TransportError): boolean {
  return isClientRefused(findMeaning(code));
}

/** Whether the certificate is good but for its authority, which this machine does not trust. */
export function isUnknownAuthority({ code }: TransportError): boolean {
  return findMeaning(code) === UNKNOWN_AUTHORITY;
}

function describeKind(kind: TransportErrorKind, host: string): string {
  if (kind === 'not_sent') return `Cannot reach ${host}`;
  return kind === 'tls' ? `No secure connection to ${host}` : `No complete answer from ${host}`;
}

function findMeaning(code: string): Meaning | undefined {
  const findRow = (fits: (listedCode: string) => boolean) =>
    MEANINGS.find(([, , codes]) => codes.split(' ').some(fits));
  return (
    findRow((listedCode) => listedCode === code) ??
    findRow((listedCode) => listedCode.endsWith('*') && code.startsWith(listedCode.slice(0, -1)))
  );
}

function getCode(error: unknown): string {
  // The OpenSSL of Node 24 writes `SSL/TLS` where older ones write `SSLV3`.
  const code = getErrorCode(error).replace('_SSL/TLS_', '_SSLV3_');
  if (/^[A-Z0-9_]{1,60}$/.test(code)) return code;
  // undici leaves the code of its parser's errors empty.
  return error instanceof Error && error.name === 'HTTPParserError' ? 'HPE_INVALID' : 'UNKNOWN';
}
