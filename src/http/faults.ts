import { codeOf } from '../errors.ts';
import { once } from '../once.ts';
import { Fault, type FaultKind } from './send.ts';

/** How far a request had come when it broke. Only before `exchange` is it sure that the service saw nothing. */
export type Stage = 'connect' | 'tls' | 'exchange';

interface Meaning {
  readonly kind: FaultKind;
  /** What happened, for people; goes behind a colon. */
  readonly words: string;
}

const offline: Meaning = { kind: 'not_sent', words: 'the network cannot be reached; is this machine online?' };
const blocked: Meaning = { kind: 'not_sent', words: 'this machine does not allow the connection' };
const exhausted: Meaning = { kind: 'not_sent', words: 'this machine has too many connections or files open' };
const nameUnknown: Meaning = { kind: 'not_sent', words: 'the name is not known; is it spelled right?' };
const noNameServer: Meaning = { kind: 'not_sent', words: 'the name cannot be looked up; is this machine online?' };
const connectTimeout: Meaning = { kind: 'not_sent', words: 'the connection took too long' };
const untrusted: Meaning = {
  kind: 'tls',
  words: 'its certificate does not come from an authority that this machine trusts',
};
const badCertificate: Meaning = { kind: 'tls', words: 'its certificate is not acceptable' };
const noHandshake: Meaning = { kind: 'tls', words: 'no agreement on encryption; does it speak https at all?' };
const broken: Meaning = { kind: 'reset', words: 'the connection was closed' };
const notHttp: Meaning = { kind: 'reset', words: 'the answer is not HTTP' };
const headTooLarge: Meaning = { kind: 'reset', words: 'the head of the answer is too large' };
const tooLong: Meaning = { kind: 'timeout', words: 'it took too long' };

/** What the error codes of Node, OpenSSL, llhttp and undici mean; made for the first fault. */
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

/** The fault that an error of Node or undici means; a code that nobody knows is a network error of its stage. */
export function toFault(error: unknown, stage: Stage, host: string): Fault {
  const code = faultCodeOf(error);
  const meaning = meaningOf(code);
  const kind = kindAt(stage, meaning?.kind);
  return new Fault(kind, code, `${lead(kind, host)}: ${meaning?.words ?? 'network error'} (${code})`, error);
}

/** The connection, with its TLS, did not stand in time: nothing was sent. */
export function connectTimeoutFault(host: string): Fault {
  return toFault({ code: 'CONNECT_TIMEOUT' }, 'connect', host);
}

/** The attempt took too long as a whole. */
export function attemptTimeoutFault(host: string): Fault {
  return toFault({ code: 'ETIMEDOUT' }, 'exchange', host);
}

/** The proxy answered the request for a tunnel with something else than 2xx. */
export function proxyFault(proxyHost: string, status: number): Fault {
  return new Fault('proxy', `PROXY_${status}`, `The proxy ${proxyHost} refused the tunnel (${status}).`);
}

/** Whether something answered that does not speak HTTP, whichever engine noticed it. */
export function isNotHttp({ code }: Fault): boolean {
  return meaningOf(code) === notHttp;
}

/** What breaks while connecting is never a lost answer; what breaks after it is never surely unsent. */
function kindAt(stage: Stage, kind: FaultKind | undefined): FaultKind {
  if (kind === undefined || stage === 'connect') return KIND_OF_STAGE[stage];
  if (stage === 'tls') return kind === 'timeout' ? 'not_sent' : 'tls';
  return kind === 'timeout' ? 'timeout' : 'reset';
}

function lead(kind: FaultKind, host: string): string {
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
