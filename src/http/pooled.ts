import { lazy } from '../lazy.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import { openConnection } from './connect.ts';
import { decompress } from './decompress.ts';
import { InterimFilter } from './interim.ts';
import type { ProxyFor } from './proxy.ts';
import { joinHeaders, type Send } from './send.ts';

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
