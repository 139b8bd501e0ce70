import { codeOf } from '../errors.ts';

/**
 * `reset` and `timeout` are of an open connection; the others mean that the platform has seen
 * nothing.
 */
export type TransportErrorKind = 'not_sent' | 'tls' | 'reset' | 'timeout' | 'proxy';

/** A request that got no complete answer. */
export class TransportError extends Error {
  readonly kind: TransportErrorKind;
  /** Such as `ECONNREFUSED`. */
  readonly code: string;

  constructor(kind: TransportErrorKind, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportError';
    this.kind = kind;
    this.code = code;
  }
}

/** Before `exchange` nothing was sent. */
export type TransportStage = 'connect' | 'tls' | 'exchange';

/**
 * Of Node, OpenSSL, llhttp and undici; one that ends with `*` is the beginning of others, unless a
 * row has them.
 */
type Meaning = readonly [kind: TransportErrorKind, words: string, codes: string];

const NOT_HTTP: Meaning = ['reset', 'the answer is not HTTP', 'NOT_HTTP HPE_*'];

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
  ['tls', 'its certificate does not come from an authority that this machine trusts',
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_* CERT_UNTRUSTED'],
  ['tls', 'its certificate is not acceptable', 'CERT_* INVALID_CA INVALID_PURPOSE'],
  ['tls', 'this port does not seem to speak HTTPS', 'EPROTO ERR_SSL_* ERR_TLS_*'],
  ['reset', 'the connection was closed', 'ECONNRESET ECONNABORTED EPIPE ERR_STREAM_PREMATURE_CLOSE UND_ERR_*'],
  ['reset', 'the head of the answer is too large', 'HEAD_TOO_LARGE HPE_HEADER_OVERFLOW UND_ERR_HEADERS_OVERFLOW'],
  ['reset', 'what is compressed is damaged', 'Z_* ERR__ERROR_*'],
  ['timeout', 'it took too long', 'ETIMEDOUT'],
];

/** An unknown code is a network error of its stage. */
export function toTransportError(
  error: unknown,
  stage: TransportStage,
  host: string,
): TransportError {
  if (error instanceof TransportError) return error;
  const code = faultCodeOf(error);
  const [meant, words = 'network error'] = meaningOf(code) ?? [];
  const kind = kindAt(stage, meant);
  return new TransportError(kind, code, `${lead(kind, host)}: ${words} (${code})`, error);
}

/** For both engines. */
export function isNotHttp({ code }: TransportError): boolean {
  return meaningOf(code) === NOT_HTTP;
}

/** A failed connect has sent nothing, a failed exchange may have. */
function kindAt(stage: TransportStage, kind: TransportErrorKind | undefined): TransportErrorKind {
  if (stage === 'connect') return 'not_sent';
  if (stage === 'tls') return kind === 'timeout' ? 'not_sent' : 'tls';
  return kind === 'timeout' ? 'timeout' : 'reset';
}

function lead(kind: TransportErrorKind, host: string): string {
  if (kind === 'not_sent') return `Cannot reach ${host}`;
  return kind === 'tls' ? `No secure connection to ${host}` : `No complete answer from ${host}`;
}

function meaningOf(code: string): Meaning | undefined {
  const rowWith = (fits: (one: string) => boolean) =>
    MEANINGS.find(([, , codes]) => codes.split(' ').some(fits));
  return (
    rowWith((one) => one === code) ??
    rowWith((one) => one.endsWith('*') && code.startsWith(one.slice(0, -1)))
  );
}

function faultCodeOf(error: unknown): string {
  const code = codeOf(error);
  if (/^[A-Z0-9_]{1,60}$/.test(code)) return code;
  // undici leaves the code of its parser's errors empty.
  return error instanceof Error && error.name === 'HTTPParserError' ? 'HPE_INVALID' : 'UNKNOWN';
}
