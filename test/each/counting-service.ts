import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { resetConnection } from '../support/wire-plan.ts';

/** What a service does with a request: carries it out or not, then answers or breaks. */
export interface Deed {
  readonly carriesOut: boolean;
  /** `reset` breaks the connection, `hang` never answers. */
  readonly answer: number | 'reset' | 'hang';
  readonly retryAfter?: number;
  /** Holds back the answer until then. */
  readonly after?: Promise<void>;
}

export const FINE: Deed = { carriesOut: true, answer: 200 };

/** A service that counts how often each restart was carried out; ends with the test. */
export async function countingService(decide: (id: string) => Deed) {
  const times = new Map<string, number>();
  const sockets = new Set<Socket>();
  let requests = 0;
  const act = async (request: IncomingMessage, response: ServerResponse) => {
    requests += 1;
    const id = request.url?.split('/')[3] ?? '';
    const { carriesOut, answer, retryAfter, after } = decide(id);
    if (carriesOut) times.set(id, (times.get(id) ?? 0) + 1);
    await after;
    if (answer === 'hang') return;
    if (answer === 'reset') return resetConnection(request.socket);
    const body = JSON.stringify(answer === 200 ? { success: true } : { error: `status ${answer}` });
    const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': String(retryAfter) }) };
    response.writeHead(answer, headers).end(body);
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => void act(request, response));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often the restart of a service was carried out. */
    timesOf: (id: string) => times.get(id) ?? 0,
    requests: () => requests,
  };
}
