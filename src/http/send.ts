/** One HTTP request as it goes on the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  /** Complete: the engine adds nothing but `Host`, `Content-Length` and `Connection`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Built once, so that every attempt sends the same bytes. */
  readonly body?: Buffer | undefined;
  /** Milliseconds until the connection (TCP and TLS) must stand. */
  readonly connectTimeoutMs: number;
  /** Milliseconds until the whole attempt, body included, must be over. */
  readonly timeoutMs: number;
  /** Aborted when the user interrupts or the command's deadline passes; the engine then throws the signal's reason. */
  readonly signal: AbortSignal;
}

/** The answer to a request: the head, and the body as it arrives. */
export interface WireAnswer {
  readonly status: number;
  /** Lower-case names; a header that came several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws a {@link Fault} when the body is cut short. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The seam between the client and the network. Sends exactly one request: no redirect, no retry, no cookie.
 * @throws Fault for every break on the way; the signal's reason when aborted.
 */
export type Send = (request: WireRequest) => Promise<WireAnswer>;

/**
 * What broke on the way.
 * - `not_sent`: DNS failure, refused, unreachable, connect timeout. The service has seen nothing.
 * - `tls`: the certificate or the handshake was not accepted.
 * - `reset`: the connection broke after it stood, or the answer was cut or is not HTTP.
 * - `timeout`: no complete answer in time after the connection stood.
 * - `proxy`: the proxy refused the tunnel.
 */
export type FaultKind = 'not_sent' | 'tls' | 'reset' | 'timeout' | 'proxy';

/** A request that got no complete answer. */
export class Fault extends Error {
  readonly kind: FaultKind;
  /** The system's or library's code, such as `ECONNREFUSED`; for people behind the message. */
  readonly code: string;

  constructor(kind: FaultKind, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Fault';
    this.kind = kind;
    this.code = code;
  }
}
