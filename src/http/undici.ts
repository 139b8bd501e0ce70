import { lazy } from '../lazy.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import type { ProxyFor } from './proxy.ts';
import { reach } from './reach.ts';
import type { Send, WireRequest } from './send.ts';

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
  request: WireRequest;
  attempt: Attempt;
  /** Why there is no connection. */
  problem: unknown;
}

/** The engine for polling, waiting and many requests: undici, which keeps its connections. */
export function createUndiciSend(options: UndiciOptions = {}): { send: Send; close(): Promise<void> } {
  const lines = new Set<Line>();
  const idle: Line[] = [];
  const drop = (line: Line) => {
    lines.delete(line);
    return line.client.destroy();
  };

  const lineFor = (undici: Undici, request: WireRequest, attempt: Attempt, proxy: URL | undefined): Line => {
    const kept = keepsConnection(request)
      ? idle.findIndex((line) => line.request.url.origin === request.url.origin)
      : -1;
    const [found] = kept === -1 ? [] : idle.splice(kept, 1);
    if (found !== undefined) {
      attempt.connected();
      return Object.assign(found, { request, attempt, problem: undefined });
    }
    const line = openLine(undici, request, attempt, proxy);
    lines.add(line);
    return line;
  };

  const send: Send = async (request) => {
    const proxy = options.proxyFor?.(request.url);
    // Loading the library is no time of the service's.
    const undici = await lazy.undici();
    const attempt = startAttempt(request);
    const line = lineFor(undici, request, attempt, proxy);
    const release = (whole: boolean) => {
      if (whole && !options.reset) idle.push(line);
      else void drop(line);
    };
    try {
      const { statusCode, headers, body } = await undici.request.call(line.client, {
        method: request.method,
        path: request.url.pathname + request.url.search,
        headers: request.headers,
        body: request.body ?? null,
        signal: attempt.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
        reset: options.reset ?? false,
      });
      return { status: statusCode, headers: joined(headers), body: attempt.guard(body, release) };
    } catch (error) {
      void drop(line);
      throw attempt.fail(line.problem ?? error);
    }
  };
  return {
    send,
    async close() {
      await Promise.all([...lines].map(drop));
    },
  };
}

/** A kept connection may be closed by the other side just then; a request that must not be repeated takes a new one. */
function keepsConnection(request: WireRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function openLine(undici: Undici, request: WireRequest, attempt: Attempt, proxy: URL | undefined): Line {
  const client = new undici.Client(request.url.origin, {
    connect: (_options, callback) => {
      reach(line.request, line.attempt.signal, proxy).then(
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
