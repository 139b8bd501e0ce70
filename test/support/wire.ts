import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Planned, planFor, send, type WirePlan } from './wire-plan.ts';
import { readRequest, type WireRecord } from './wire-record.ts';

export type { WirePlan } from './wire-plan.ts';
export type { WireRecord } from './wire-record.ts';

/** A scripted HTTP server on loopback. */
export interface Wire {
  /** `http://127.0.0.1:port`, or `https://localhost:port`. */
  readonly url: string;
  readonly port: number;
  /** Every request that came, in order. */
  readonly requests: readonly WireRecord[];
  /** Plans exchanges for a method and a path; a path with `?` must match the query as well. */
  on(method: string, path: string): WirePlan;
  /** Resolves when the next request is there, whole. */
  nextRequest(): Promise<WireRecord>;
  /** Connections that are open now. */
  openConnections(): number;
  /** How many connections there were. */
  connections(): number;
  /** Closes every connection, as a server does with those that idle. */
  dropConnections(): void;
  /** Throws when a request was not planned, or a planned answer was not used. */
  verify(): void;
  /** Ends the server and every connection. */
  close(): Promise<void>;
}

/** How a wire is started. */
export interface WireOptions {
  /** A server certificate and its key, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** A free one unless given. */
  readonly port?: number;
}

/** Starts a wire that ends with the running test, and fails it unless everything went as planned. */
export async function testWire(options: WireOptions = {}): Promise<Wire> {
  const wire = await startWire(options);
  onTestFinished(async () => {
    await wire.close();
    wire.verify();
  });
  return wire;
}

function verify(planned: readonly Planned[], unplanned: readonly string[], failures: readonly unknown[]): void {
  if (failures.length > 0) throw failures[0];
  const unused = planned.filter((plan) => !plan.used).map((plan) => `${plan.method} ${plan.path}`);
  const complaints = [
    ...unplanned.map((name) => `a request came that was not planned: ${name}`),
    ...unused.map((name) => `a planned answer was not used: ${name}`),
  ];
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}

/** The open connections of a server, which no error of theirs can end. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  server.on('clientError', (_error, socket) => socket.destroy());
  return sockets;
}

/** Starts a scripted server. The caller calls `close` and `verify`. */
export async function startWire(options: WireOptions = {}): Promise<Wire> {
  const planned: Planned[] = [];
  const unplanned: string[] = [];
  const failures: unknown[] = [];
  const requests: WireRecord[] = [];
  const waiting: Array<(request: WireRecord) => void> = [];
  let connections = 0;

  const listener: RequestListener = async (incoming, response) => {
    const request = await readRequest(incoming);
    if (request === undefined) return;
    requests.push(request);
    for (const resolve of waiting.splice(0)) resolve(request);
    const plan = planned.find((candidate) => matches(candidate, request));
    if (plan === undefined) {
      unplanned.push(`${request.method} ${request.target}`);
      return send(response, 501, { error: `not planned: ${request.method} ${request.target}` });
    }
    plan.used = true;
    try {
      await plan.act({ request, response, socket: incoming.socket });
    } catch (error) {
      failures.push(error);
      incoming.socket.destroy();
    }
  };
  const server: Server =
    options.tls === undefined ? createServer(listener) : createTlsServer({ ...options.tls }, listener);
  server.on('connection', () => void ++connections);
  const sockets = socketsOf(server);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: options.tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    port,
    requests,
    on: (method, path) => planFor(method, path, planned),
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    openConnections: () => sockets.size,
    connections: () => connections,
    dropConnections: () => destroyAll(sockets),
    verify: () => verify(planned, unplanned, failures),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      destroyAll(sockets);
      await closed;
    },
  };
}

function destroyAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

function matches(plan: Planned, request: WireRecord): boolean {
  const path = plan.path.includes('?') ? request.target : request.path;
  return (!plan.used || plan.repeats) && plan.method === request.method && plan.path === path;
}
