import { codeOf } from '../errors.ts';
import { once } from '../once.ts';

/**
 * - `not_sent`: DNS failure, refused, unreachable, connect timeout. The service has seen nothing.
 * - `tls`: the certificate or the handshake was not accepted.
 * - `reset`: an open connection broke, or the answer was cut or is not HTTP.
 * - `timeout`: an open connection brought no complete answer in time.
 * - `proxy`: the proxy refused the tunnel.
 */
export type TransportErrorKind = 'not_sent' | 'tls' | 'reset' | 'timeout' | 'proxy';

/** A request that got no complete answer. */
export class TransportError extends Error {
  readonly kind: TransportErrorKind;
  /** The code of the system or library, such as `ECONNREFUSED`. */
  readonly code: string;

  constructor(kind: TransportErrorKind, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportError';
    this.kind = kind;
    this.code = code;
  }
}

/** How far a request got. Before `exchange` the service has certainly seen nothing. */
export type Stage = 'connect' | 'tls' | 'exchange';

interface Meaning {
  readonly kind: TransportErrorKind;
  /** Follows "Cannot reach HOST: " and the like. */
  readonly words: string;
}

const offline: Meaning = { kind: 'not_sent', words: 'the network cannot be reached; is this machine online?' };
const blocked: Meaning = { kind: 'not_sent', words: 'this machine does not allow the connection' };
const exhausted: Meaning = { kind: 'not_sent', words: 'this machine has too many connections or files open' };
const nameUnknown: Meaning = { kind: 'not_sent', words: 'unknown host; check the spelling' };
const noNameServer: Meaning = { kind: 'not_sent', words: 'the name cannot be looked up; is this machine online?' };
const connectTimeout: Meaning = { kind: 'not_sent', words: 'the connection took too long' };
const untrusted: Meaning = {
  kind: 'tls',
  words: 'its certificate does not come from an authority that this machine trusts',
};
const badCertificate: Meaning = { kind: 'tls', words: 'its certificate is not acceptable' };
const noHandshake: Meaning = { kind: 'tls', words: 'this port does not seem to speak HTTPS' };
const broken: Meaning = { kind: 'reset', words: 'the connection was closed' };
const notHttp: Meaning = { kind: 'reset', words: 'the answer is not HTTP' };
const headTooLarge: Meaning = { kind: 'reset', words: 'the head of the answer is too large' };
const tooLong: Meaning = { kind: 'timeout', words: 'it took too long' };

/** The error codes of Node, OpenSSL, llhttp and undici. */
const meanings = once(
  (): Readonly<Record<string, Meaning>> => ({
    ENOTFOUND: nameUnknown,
    ENODATA: nameUnknown,
    EAI_NODATA: nameUnknown,
    EAI_NONAME: nameUnknown,
    EAI_AGAIN: noNameServer,
    EAI_FAIL: noNameServer,
    ECONNREFUSED: { kind: 'not_sent', words: 'connection refused' },
    ENETUNREACH: offline,
    ENETDOWN: offline,
    EHOSTUNREACH: { kind: 'not_sent', words: 'there is no route to it' },
    EHOSTDOWN: { kind: 'not_sent', words: 'it is down' },
    EADDRNOTAVAIL: offline,
    EACCES: blocked,
    EPERM: blocked,
    EMFILE: exhausted,
    ENFILE: exhausted,
    CONNECT_TIMEOUT: connectTimeout,
    UND_ERR_CONNECT_TIMEOUT: connectTimeout,
    ERR_SOCKET_CONNECTION_TIMEOUT: connectTimeout,
    CERT_HAS_EXPIRED: { kind: 'tls', words: 'its certificate has expired' },
    CERT_NOT_YET_VALID: { kind: 'tls', words: 'its certificate is not valid yet; is the clock of this machine right?' },
    CERT_REVOKED: { kind: 'tls', words: 'its certificate was revoked' },
    ERR_TLS_CERT_ALTNAME_INVALID: { kind: 'tls', words: 'its certificate belongs to another name' },
    HOSTNAME_MISMATCH: { kind: 'tls', words: 'its certificate belongs to another name' },
    DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
    SELF_SIGNED_CERT_IN_CHAIN: untrusted,
    UNABLE_TO_GET_ISSUER_CERT: untrusted,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
    CERT_UNTRUSTED: untrusted,
    CERT_REJECTED: badCertificate,
    CERT_SIGNATURE_FAILURE: badCertificate,
    CERT_CHAIN_TOO_LONG: badCertificate,
    INVALID_CA: badCertificate,
    INVALID_PURPOSE: badCertificate,
    EPROTO: noHandshake,
    ECONNRESET: broken,
    ECONNABORTED: broken,
    EPIPE: broken,
    ERR_STREAM_PREMATURE_CLOSE: broken,
    UND_ERR_SOCKET: broken,
    UND_ERR_ABORTED: broken,
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: broken,
    NOT_HTTP: notHttp,
    HEAD_TOO_LARGE: headTooLarge,
    HPE_HEADER_OVERFLOW: headTooLarge,
    UND_ERR_HEADERS_OVERFLOW: headTooLarge,
    ETIMEDOUT: tooLong,
    UND_ERR_HEADERS_TIMEOUT: tooLong,
    UND_ERR_BODY_TIMEOUT: tooLong,
  }),
);

const FAMILIES: ReadonlyArray<readonly [prefix: string, meaning: Meaning]> = [
  ['HPE_', notHttp],
  ['ERR_SSL_', noHandshake],
  ['ERR_TLS_', noHandshake],
];

const KIND_OF_STAGE = { connect: 'not_sent', tls: 'tls', exchange: 'reset' } as const;

/** Translates an error of Node or undici. An unknown code is a network error of its stage. */
export function toTransportError(error: unknown, stage: Stage, host: string): TransportError {
  const code = faultCodeOf(error);
  const meaning = meaningOf(code);
  const kind = kindAt(stage, meaning?.kind);
  return new TransportError(kind, code, `${lead(kind, host)}: ${meaning?.words ?? 'network error'} (${code})`, error);
}

export function connectTimeoutError(host: string): TransportError {
  return toTransportError({ code: 'CONNECT_TIMEOUT' }, 'connect', host);
}

export function attemptTimeoutError(host: string, timeoutMs: number): TransportError {
  const message = `${host} did not answer within ${Math.ceil(timeoutMs / 1000)} s (ETIMEDOUT)`;
  return new TransportError('timeout', 'ETIMEDOUT', message);
}

export function proxyError(proxyHost: string, status: number): TransportError {
  return new TransportError('proxy', `PROXY_${status}`, `The proxy ${proxyHost} refused the tunnel (${status}).`);
}

/** Whether the answer was not HTTP, for both engines. */
export function isNotHttp({ code }: TransportError): boolean {
  return meaningOf(code) === notHttp;
}

/** Limits the kind to the stage: a failed connect has sent nothing, a failed exchange may have. */
function kindAt(stage: Stage, kind: TransportErrorKind | undefined): TransportErrorKind {
  if (kind === undefined || stage === 'connect') return KIND_OF_STAGE[stage];
  if (stage === 'tls') return kind === 'timeout' ? 'not_sent' : 'tls';
  return kind === 'timeout' ? 'timeout' : 'reset';
}

function lead(kind: TransportErrorKind, host: string): string {
  if (kind === 'not_sent') return `Cannot reach ${host}`;
  return kind === 'tls' ? `No secure connection to ${host}` : `No complete answer from ${host}`;
}

function meaningOf(code: string): Meaning | undefined {
  if (Object.hasOwn(meanings(), code)) return meanings()[code];
  return FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1];
}

function faultCodeOf(error: unknown): string {
  const code = codeOf(error);
  if (/^[A-Z0-9_]{1,60}$/.test(code)) return code;
  // undici leaves the code of its parser's errors empty.
  return error instanceof Error && error.name === 'HTTPParserError' ? 'HPE_INVALID' : 'UNKNOWN';
}
