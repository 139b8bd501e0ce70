import type { Socket } from 'node:net';
import { startAttempt } from './attempt.ts';
import { readMessage, writeRequest } from './message.ts';
import type { ProxyFor } from './proxy.ts';
import { reach } from './reach.ts';
import type { Send } from './send.ts';

/** What the direct engine may be told. */
export interface DirectOptions {
  readonly proxyFor?: ProxyFor | undefined;
}

/**
 * The engine that is quickest to start: a connection of its own for every request, without Node's HTTP, which takes
 * longer to get going than all else that a command does.
 */
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
      writeRequest(connection, request);
      const answer = await readMessage(connection, request.method);
      return { ...answer, body: attempt.guard(answer.body, () => connection.destroy()) };
    } catch (error) {
      socket?.destroy();
      throw attempt.fail(error);
    }
  };
}
