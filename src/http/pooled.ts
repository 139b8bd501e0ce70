import { lazy } from '../lazy.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import { openConnection } from './connect.ts';
import { decompress } from './decompress.ts';
import { InterimFilter } from './interim.ts';
import type { ProxyFor } from './proxy.ts';
import { joinedHeaders, type Send } from './send.ts';

type Undici = Awaited<ReturnType<typeof lazy.undici>>;

/** A connection that is kept, and the attempt that has it. */
interface Line {
  readonly origin: string;
  readonly client: InstanceType<Undici['Client']>;
  filter: InterimFilter | undefined;
  attempt: Attempt;
  problem: unknown;
}

/**
 * Creates the engine for many requests: undici, which keeps its connections. The platform may be
 * closing an idle connection, so what must not be repeated gets a new one, from `single`.
 */
export function createPooledSend(
  single: Send,
  proxyFor?: ProxyFor,
): { send: Send; close(): Promise<void> } {
  const lines = new Set<Line>();
  const idle: Line[] = [];
  const drop = (line: Line) => {
    lines.delete(line);
    return line.client.destroy();
  };
  const reuse = (origin: string, attempt: Attempt) => {
    // The latest one is the least likely to be closing.
    const index = idle.findLastIndex((line) => line.origin === origin);
    const [line] = index === -1 ? [] : idle.splice(index, 1);
    if (line !== undefined) attempt.connected();
    line?.filter?.expectAnswer();
    return line && Object.assign(line, { attempt, problem: undefined });
  };
  const send: Send = async (request) => {
    const { method, url, headers, body = null } = request;
    if (method !== 'GET' && method !== 'HEAD') return single(request);
    const proxy = proxyFor?.(url);
    // Load the library before the clock of the attempt starts.
    const undici = await lazy.undici();
    const attempt = startAttempt(request);
    const line = reuse(url.origin, attempt) ?? openLine(undici, url, attempt, proxy);
    lines.add(line);
    try {
      const path = url.pathname + url.search;
      const options = {
        method,
        path,
        headers,
        body,
        signal: attempt.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const answer = await undici.request.call(line.client, options);
      const joined = joinedHeaders(answer.headers);
      const guarded = attempt.guard(decompress(joined, answer.body), (whole) => {
        if (whole) idle.push(line);
        else void drop(line);
      });
      return { status: answer.statusCode, headers: joined, body: guarded };
    } catch (error) {
      void drop(line);
      throw attempt.fail(line.problem ?? error);
    }
  };
  return { send, close: async () => void (await Promise.all([...lines].map(drop))) };
}

function openLine({ Client }: Undici, url: URL, attempt: Attempt, proxy: URL | undefined): Line {
  const client = new Client(url.origin, {
    connect: (_options, callback) => {
      openConnection(url, line.attempt, proxy).then(
        (socket) => {
          line.attempt.connected();
          line.filter = new InterimFilter(socket, () => line.attempt.answering());
          callback(null, socket);
        },
        (problem) => {
          line.problem = problem;
          callback(new Error('no connection'), null);
        },
      );
    },
  });
  const line: Line = {
    origin: url.origin,
    client,
    filter: undefined,
    attempt,
    problem: undefined,
  };
  return line;
}
