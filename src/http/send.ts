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
 * Sends exactly one request: no redirect, no retry, no cookie. Of the two engines `single.ts` opens
 * a connection for each request, and `pooled.ts` keeps them for many that read.
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
