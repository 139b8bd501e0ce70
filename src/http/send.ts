/** One HTTP request as it goes on the wire. */
export interface HttpRequest {
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
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; a header that came several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws a `TransportError` when the body is cut short. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The seam between the client and the network. Sends exactly one request: no redirect, no retry, no cookie.
 * @throws TransportError for every break on the way; the signal's reason when aborted.
 */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** Characters of a request's name that are kept. */
const LONGEST_ID = 200;

/** The service's name for the request, in whichever header it came. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['x-correlation-id'];
  if (id === undefined || id === '') return undefined;
  return id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id;
}
