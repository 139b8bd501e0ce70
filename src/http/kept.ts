import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { startAttempt } from './attempt.ts';
import { openConnection } from './connect.ts';
import type { ProxyFor } from './proxy.ts';
import type { Send } from './send.ts';
import { createSingleSend, exchange, joined } from './single.ts';

type Connected = (error: unknown, socket?: Socket) => void;

interface Opening {
  open(connected: Connected): void;
}

/** Creates the engine for many requests: `node:http`, on connections that earlier reads have left open. */
export function createKeptSend({ proxyFor }: { readonly proxyFor?: ProxyFor | undefined } = {}): {
  send: Send;
  close(): Promise<void>;
} {
  const single = createSingleSend({ proxyFor });
  let agent: Agent | undefined;
  const send: Send = async (request) => {
    // The service may be closing an idle connection; a request that must not be repeated takes a new one.
    if (request.method !== 'GET' && request.method !== 'HEAD') return single(request);
    const proxy = proxyFor?.(request.url);
    const http = await import('node:http');
    agent ??= Object.assign(new http.Agent({ keepAlive: true }), {
      // Each request opens its own connection, within its own time limits.
      createConnection: ({ open }: Opening, connected: Connected) => open(connected),
    });
    const attempt = startAttempt(request);
    const { hostname, port, protocol } = request.url;
    const open: Opening['open'] = (connected) =>
      void openConnection(request, attempt.signal, proxy).then((socket) => connected(null, socket), connected);
    const way = { agent, host: hostname, port: port || (protocol === 'https:' ? 443 : 80), open };
    try {
      const answer = await exchange(http, request, way, (sent) => {
        sent.on('socket', attempt.connected);
        attempt.signal.addEventListener('abort', () => (sent.socket ?? sent).destroy(), { once: true });
      });
      const body = attempt.guard(answer, (whole) => void (whole || answer.destroy()));
      return { status: answer.statusCode ?? 0, headers: joined(answer), body };
    } catch (error) {
      throw attempt.fail(error);
    }
  };
  return { send, close: async () => agent?.destroy() };
}
