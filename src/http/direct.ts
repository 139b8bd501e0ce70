import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { startAttempt } from './attempt.ts';
import type { ProxyFor } from './proxy.ts';
import type { Send, WireAnswer, WireRequest } from './send.ts';
import { reach } from './tunnel.ts';

/** What the direct engine may be told. */
export interface DirectOptions {
  readonly proxyFor?: ProxyFor | undefined;
}

/** The engine that is quickest to start: Node's own HTTP, a connection of its own for every request. */
export function createDirectSend(options: DirectOptions = {}): Send {
  return async (request) => {
    const proxy = options.proxyFor?.(request.url);
    const attempt = startAttempt(request);
    let socket: Socket | undefined;
    try {
      const connection = await reach(request, attempt.signal, proxy);
      socket = connection;
      attempt.connected();
      attempt.signal.addEventListener('abort', () => connection.destroy(), { once: true });
      attempt.signal.throwIfAborted();
      const response = await exchange(await import('node:http'), connection, request);
      return answerOf(
        response,
        attempt.guard(response, () => connection.destroy()),
      );
    } catch (error) {
      socket?.destroy();
      throw attempt.fail(error);
    }
  };
}

function exchange(http: typeof import('node:http'), socket: Socket, request: WireRequest): Promise<IncomingMessage> {
  const { method, url, headers, body } = request;
  const carriesBody = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
  return new Promise((resolve, reject) => {
    http
      .request({
        createConnection: () => socket,
        method,
        path: url.pathname + url.search,
        setHost: false,
        headers: {
          host: url.host,
          ...headers,
          ...(carriesBody ? { 'content-length': String(body?.length ?? 0) } : {}),
        },
      })
      .on('response', resolve)
      .on('error', reject)
      // Node says nothing else when the other side switches to a protocol that nobody asked for.
      .on('close', () => reject(new Error('closed without an answer')))
      .end(body);
  });
}

function answerOf(response: IncomingMessage, body: WireAnswer['body']): WireAnswer {
  const headers: Record<string, string> = {};
  const { rawHeaders } = response;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return { status: response.statusCode ?? 0, headers, body };
}
