import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { lazy } from '../lazy.ts';
import type { ProxyFor } from './address.ts';
import { type Attempt, HEAD_END, MAX_HEAD_BYTES, openConnection, startAttempt } from './connect.ts';
import { decompress } from './decompress.ts';
import { createCodedError, type HttpRequest, joinHeaders, type Send } from './send.ts';

/**
 * Creates the engine for one request, for what must not be repeated, and for the polls of a login,
 * between which idle connections die unnoticed: `node:http`, with a new connection for each.
 */
export function createSingleSend(proxyFor?: ProxyFor): Send {
  return async (request) => {
    const proxy = proxyFor?.(request.url);
    const attempt = startAttempt(request);
    // Loading it takes as long as a round trip, so start the connection first.
    const http = new Promise(setImmediate).then(() => import('node:http'));
    let socket: Socket | undefined;
    const close = () => socket?.destroy();
    try {
      socket = await openConnection(request.url, attempt, proxy);
      attempt.connected();
      attempt.signal.addEventListener('abort', close, { once: true });
      const loadedHttp = await http;
      attempt.signal.throwIfAborted();
      request.onSend?.();
      const answer = await exchange(loadedHttp, socket, request, attempt.answering);
      const headers = joinHeaders(answer.headersDistinct);
      return {
        status: answer.statusCode ?? 0,
        headers,
        body: attempt.guard(decompress(headers, answer), close),
      };
    } catch (error) {
      close();
      throw attempt.fail(error);
    }
  };
}

function exchange(
  http: typeof import('node:http'),
  connection: Socket,
  { method, url, headers, body }: HttpRequest,
  onAnswer: () => void,
): Promise<IncomingMessage> {
  const length = { 'content-length': body?.length ?? 0 };
  const carriesBody = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
  return new Promise((resolve, reject) => {
    const sent = http.request({
      method,
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers, ...(carriesBody && length), connection: 'close' },
      createConnection: () => connection,
      // Node's default, which NODE_OPTIONS could change.
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    // The socket of a tunnel is paused.
    sent.on('socket', (socket) => socket.once('data', onAnswer).resume());
    sent.on('response', (answer) => {
      sent.on('error', (error) => answer.destroy(error));
      resolve(answer);
    });
    // An answer that changes the protocol.
    sent.on('upgrade', () => reject(createCodedError('NOT_HTTP')));
    sent.on('error', reject);
    sent.end(body);
  });
}

type Undici = Awaited<ReturnType<typeof lazy.undici>>;

/** A connection that is kept, and the attempt that has it. */
interface PooledConnection {
  readonly origin: string;
  readonly client: InstanceType<Undici['Client']>;
  filter?: InterimFilter;
  attempt: Attempt;
  /** The error that prevented that it was opened. */
  problem?: unknown;
}

/**
 * Creates the engine for many requests: undici, which keeps its connections. The platform may be
 * closing an idle connection, so what must not be repeated gets a new one, from `single`.
 */
export function createPooledSend(
  single: Send,
  proxyFor?: ProxyFor,
): { send: Send; close(): Promise<void> } {
  const connections = new Set<PooledConnection>();
  const idle: PooledConnection[] = [];

  const drop = (connection: PooledConnection) => {
    connections.delete(connection);
    return connection.client.destroy();
  };
  const takeIdle = (origin: string, attempt: Attempt) => {
    // The latest one is the least likely to be closing.
    const index = idle.findLastIndex((connection) => connection.origin === origin);
    const [connection] = index === -1 ? [] : idle.splice(index, 1);
    if (connection === undefined) return undefined;
    attempt.connected();
    connection.filter?.expectAnswer();
    connection.attempt = attempt;
    return connection;
  };

  const send: Send = async (request) => {
    const { method, url, headers, body = null } = request;
    if (method !== 'GET' && method !== 'HEAD') return single(request);
    const proxy = proxyFor?.(url);
    // Load the library before the clock of the attempt starts.
    const undici = await lazy.undici();
    const attempt = startAttempt(request);
    const connection = takeIdle(url.origin, attempt) ?? openPooled(undici, url, attempt, proxy);
    connections.add(connection);

    try {
      const answer = await undici.request.call(connection.client, {
        method,
        path: url.pathname + url.search,
        headers,
        body,
        signal: attempt.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const joined = joinHeaders(answer.headers);
      const guarded = attempt.guard(decompress(joined, answer.body), (isWhole) => {
        if (isWhole) idle.push(connection);
        else void drop(connection);
      });
      return { status: answer.statusCode, headers: joined, body: guarded };
    } catch (error) {
      void drop(connection);
      throw attempt.fail(connection.problem ?? error);
    }
  };
  return { send, close: async () => void (await Promise.all([...connections].map(drop))) };
}

function openPooled(
  { Client }: Undici,
  url: URL,
  firstAttempt: Attempt,
  proxy: URL | undefined,
): PooledConnection {
  const client = new Client(url.origin, {
    connect: (_options, callback) => {
      openConnection(url, connection.attempt, proxy).then(
        (socket) => {
          connection.attempt.connected();
          connection.filter = new InterimFilter(socket, () => connection.attempt.answering());
          callback(null, socket);
        },
        (problem) => {
          connection.problem = problem;
          callback(new Error('no connection'), null);
        },
      );
    },
  });
  const connection: PooledConnection = { origin: url.origin, client, attempt: firstAttempt };
  return connection;
}

const STATUS_LINE = 'HTTP/1.x 1xx';
/** The head of an interim answer, except that of a change of protocol. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;

/**
 * Leaves out the interim answers (1xx) that a connection brings. A client must read any, also one
 * that it did not ask for (RFC 9110, 15.2), but undici ends the connection at a `100 Continue`.
 */
export class InterimFilter {
  readonly #onByte: () => void;
  #held = Buffer.alloc(0);
  #isFinal = false;

  /** @param onByte is called with each piece that arrives */
  constructor(socket: Socket, onByte: () => void) {
    this.#onByte = onByte;
    // undici takes what has arrived with `read`.
    const read = socket.read.bind(socket);
    socket.read = (size) => this.#filter(read(size));
  }

  /** Must be called before each request. */
  expectAnswer(): void {
    this.#isFinal = false;
  }

  #filter(chunk: Buffer | null): Buffer | null {
    if (chunk === null) return null;
    this.#onByte();
    if (this.#isFinal) return chunk;

    this.#held = Buffer.concat([this.#held, chunk]);
    while (INTERIM.test(this.#held.toString('latin1', 0, STATUS_LINE.length))) {
      const end = this.#held.indexOf(HEAD_END);
      if (end < 0) return this.#held.length > MAX_HEAD_BYTES ? this.#release() : null;
      this.#held = this.#held.subarray(end + HEAD_END.length);
    }
    return this.#held.length < STATUS_LINE.length ? null : this.#release();
  }

  #release(): Buffer {
    const bytes = this.#held;
    this.#held = Buffer.alloc(0);
    this.#isFinal = true;
    return bytes;
  }
}
