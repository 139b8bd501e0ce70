import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { startAttempt } from './attempt.ts';
import { openConnection } from './connect.ts';
import { decompress } from './decompress.ts';
import type { ProxyFor } from './proxy.ts';
import { type HttpRequest, joinHeaders, type Send } from './send.ts';
import { createCodedError } from './transport-error.ts';

/** Node's default, which NODE_OPTIONS could change. */
const MAX_HEAD_BYTES = 16 * 1024;

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
      attempt.signal.throwIfAborted();
      const answer = await exchange(await http, socket, request, attempt.answering);
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
