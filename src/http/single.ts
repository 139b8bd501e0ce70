import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { startAttempt } from './attempt.ts';
import { openConnection } from './connect.ts';
import type { ProxyFor } from './proxy.ts';
import type { HttpRequest, Send } from './send.ts';

/** Bytes that the head of an answer may have; Node's default, whatever NODE_OPTIONS says. */
const MAX_HEAD_BYTES = 16 * 1024;

/** What the engine for single requests may be told. */
export interface SingleOptions {
  readonly proxyFor?: ProxyFor | undefined;
}

/** The engine for one request or two: `node:http` on a connection of its own, closed after the answer. */
export function createSingleSend(options: SingleOptions = {}): Send {
  return async (request) => {
    const proxy = options.proxyFor?.(request.url);
    const attempt = startAttempt(request);
    // To load it takes as long as a round trip, so the connection is on its way first.
    const http = new Promise(setImmediate).then(() => import('node:http'));
    let socket: Socket | undefined;
    try {
      const connection = await openConnection(request, attempt.signal, proxy);
      socket = connection;
      attempt.connected();
      attempt.signal.addEventListener('abort', () => connection.destroy(), { once: true });
      attempt.signal.throwIfAborted();
      const answer = await exchange(await http, connection, request);
      const body = attempt.guard(answer, () => connection.destroy());
      return { status: answer.statusCode ?? 0, headers: joined(answer), body };
    } catch (error) {
      socket?.destroy();
      throw attempt.fail(error);
    }
  };
}

function exchange(
  http: typeof import('node:http'),
  connection: Socket,
  { method, url, headers, body }: HttpRequest,
): Promise<IncomingMessage> {
  const carriesBody = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const sent = http.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        ...headers,
        ...(carriesBody ? { 'content-length': body?.length ?? 0 } : {}),
        connection: 'close',
      },
      createConnection: () => connection,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    // A tunnel comes paused.
    sent.on('socket', (socket) => socket.resume());
    sent.on('response', (received) => {
      answer = received;
      resolve(received);
    });
    // Nobody asked for another protocol.
    sent.on('upgrade', () => reject(Object.assign(new Error('the answer changes the protocol'), { code: 'NOT_HTTP' })));
    sent.on('error', (error) => {
      answer?.destroy(error);
      reject(error);
    });
    sent.end(body);
  });
}

/** The headers of an answer; one that comes several times is joined with `, `. */
function joined(answer: IncomingMessage): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) headers[name] = values.join(', ');
  return headers;
}
