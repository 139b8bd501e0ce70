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

/** The answer to a request that was carried out, by the id of its service. `times` is how often that was by now. */
type BodyOf = (id: string, request: IncomingMessage, times: number) => object;

/** A platform that counts how often each change was carried out; ends with the test. */
export async function countingService(decide: (id: string) => Deed, bodyOf: BodyOf = () => ({ success: true })) {
  const times = new Map<string, number>();
  const sockets = new Set<Socket>();
  let requests = 0;
  const act = async (request: IncomingMessage, response: ServerResponse) => {
    requests += 1;
    const id = request.url?.split('/')[3] ?? '';
    const { carriesOut, answer, retryAfter, after } = decide(id);
    if (carriesOut && request.method === 'POST') times.set(id, (times.get(id) ?? 0) + 1);
    await after;
    if (answer === 'hang') return;
    if (answer === 'reset') return resetConnection(request.socket);
    const isFine = answer === 200;
    const body = JSON.stringify(isFine ? bodyOf(id, request, times.get(id) ?? 0) : { error: `status ${answer}` });
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
    /** How often the change of a service was carried out. */
    timesOf: (id: string) => times.get(id) ?? 0,
    requests: () => requests,
  };
}

/** The answers about jobs that are done at the given look. */
export function jobsDoneAt(look: number): BodyOf {
  const looks = new Map<string, number>();
  return (id, { method, url = '' }, times) => {
    if (method === 'POST') return { jobId: `job_${id}_${times}`, status: 'queued', action: 'backup' };
    const jobId = url.split('/').at(-1) ?? '';
    looks.set(jobId, (looks.get(jobId) ?? 0) + 1);
    return { jobId, status: (looks.get(jobId) ?? 0) >= look ? 'completed' : 'running', action: 'backup' };
  };
}
