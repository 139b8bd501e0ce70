import { lazy } from '../lazy.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import { openConnection } from './connect.ts';
import type { ProxyFor } from './proxy.ts';
import type { HttpRequest, Send } from './send.ts';

type Undici = Awaited<ReturnType<typeof lazy.undici>>;
type UndiciClient = InstanceType<Undici['Client']>;

/** What the undici engine may be told. */
export interface UndiciOptions {
  readonly proxyFor?: ProxyFor | undefined;
  /** A fresh connection for every request: for polling across minutes, in which connections die unseen. */
  readonly reset?: boolean;
}

/** One connection that is kept, and the request that it works for. */
interface Line {
  readonly client: UndiciClient;
  request: HttpRequest;
  attempt: Attempt;
  /** Why there is no connection. */
  problem: unknown;
}

/** The engine for polling, waiting and many requests: undici, which keeps its connections. */
export function createUndiciSend(options: UndiciOptions = {}): { send: Send; close(): Promise<void> } {
  const reset = options.reset ?? false;
  const pool = createPool(!reset);
  const send: Send = async (request) => {
    const proxy = options.proxyFor?.(request.url);
    // Loading the library is no time of the service's.
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
        reset,
      });
      const guarded = attempt.guard(body, (whole) => pool.release(line, whole));
      return { status: statusCode, headers: joined(headers), body: guarded };
    } catch (error) {
      void pool.drop(line);
      throw attempt.fail(line.problem ?? error);
    }
  };
  return { send, close: pool.close };
}

/** The connections of an engine, and those among them that wait for another request; none does unless they are kept. */
function createPool(areKept: boolean) {
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
    /** A kept connection for this request; `undefined` where it needs a new one. */
    take(request: HttpRequest, attempt: Attempt): Line | undefined {
      if (!mayUseKept(request)) return undefined;
      const index = idle.findIndex((line) => line.request.url.origin === request.url.origin);
      const [line] = index === -1 ? [] : idle.splice(index, 1);
      if (line === undefined) return undefined;
      attempt.connected();
      return Object.assign(line, { request, attempt, problem: undefined });
    },
    /** After an answer; `whole` says whether the connection may be used again. */
    release(line: Line, whole: boolean): void {
      if (whole && areKept) idle.push(line);
      else void drop(line);
    },
    async close(): Promise<void> {
      await Promise.all([...lines].map(drop));
    },
  };
}

/** A kept connection may be closed by the other side just then; a request that must not be repeated takes a new one. */
function mayUseKept(request: HttpRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function openLine(undici: Undici, request: HttpRequest, attempt: Attempt, proxy: URL | undefined): Line {
  const client = new undici.Client(request.url.origin, {
    connect: (_options, callback) => {
      openConnection(line.request, line.attempt.signal, proxy).then(
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

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}
