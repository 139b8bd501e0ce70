import { lazy } from '../lazy.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import { openConnection } from './connect.ts';
import { decompressed } from './decompressed.ts';
import type { ProxyFor } from './proxy.ts';
import { type HttpRequest, joinedHeaders, type Send } from './send.ts';

type Undici = Awaited<ReturnType<typeof lazy.undici>>;
type UndiciClient = InstanceType<Undici['Client']>;

interface Line {
  readonly client: UndiciClient;
  request: HttpRequest;
  attempt: Attempt;
  /** The error if connecting failed. */
  problem: unknown;
}

/**
 * Creates the engine for many requests: undici, which keeps its connections. The platform may be closing an idle
 * connection, so what must not be repeated gets a new one, from `single`.
 */
export function createPooledSend(
  single: Send,
  proxyFor?: ProxyFor,
): {
  send: Send;
  close(): Promise<void>;
} {
  const pool = createPool();
  const send: Send = async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return single(request);
    const proxy = proxyFor?.(request.url);
    // Load the library before the clock of the attempt starts.
    const undici = await lazy.undici();
    const attempt = startAttempt(request);
    const line = pool.take(request, attempt) ?? pool.add(openLine(undici, request, attempt, proxy));
    try {
      const { statusCode, headers, body } = await undici.request.call(line.client, {
        method: request.method,
        path: request.url.pathname + request.url.search,
        headers: request.headers,
        body: request.body ?? null,
        signal: attempt.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const joined = joinedHeaders(headers);
      const guarded = attempt.guard(decompressed(joined, body), (whole) => pool.release(line, whole));
      return { status: statusCode, headers: joined, body: guarded };
    } catch (error) {
      void pool.drop(line);
      throw attempt.fail(line.problem ?? error);
    }
  };
  return { send, close: pool.close };
}

function createPool() {
  const lines = new Set<Line>();
  const idle: Line[] = [];
  const drop = (line: Line) => {
    lines.delete(line);
    return line.client.destroy();
  };
  return {
    drop,
    add(line: Line): Line {
      lines.add(line);
      return line;
    },
    /** Returns an idle connection, or undefined if the request needs a new one. */
    take(request: HttpRequest, attempt: Attempt): Line | undefined {
      // The latest one is the least likely to be closing.
      const index = idle.findLastIndex((line) => line.request.url.origin === request.url.origin);
      const [line] = index === -1 ? [] : idle.splice(index, 1);
      if (line === undefined) return undefined;
      attempt.connected();
      return Object.assign(line, { request, attempt, problem: undefined });
    },
    release(line: Line, whole: boolean): void {
      if (whole) idle.push(line);
      else void drop(line);
    },
    async close(): Promise<void> {
      await Promise.all([...lines].map(drop));
    },
  };
}

function openLine(undici: Undici, request: HttpRequest, attempt: Attempt, proxy: URL | undefined): Line {
  const client = new undici.Client(request.url.origin, {
    connect: (_options, callback) => {
      openConnection(line.request.url, line.attempt, proxy).then(
        (socket) => {
          line.attempt.connected();
          callback(null, socket);
        },
        (problem) => {
          line.problem = problem;
          callback(new Error('no connection'), null);
        },
      );
    },
  });
  const line: Line = { client, request, attempt, problem: undefined };
  return line;
}
