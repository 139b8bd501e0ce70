import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Planned, send, WirePlan } from './wire-plan.ts';
import { readRequest, type WireRecord } from './wire-record.ts';

export type { WirePlan } from './wire-plan.ts';
export type { WireRecord } from './wire-record.ts';

export type Wire = Awaited<ReturnType<typeof startWire>>;

interface WireOptions {
  /** A server certificate and its key, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly port?: number;
}

/**
 * Starts a wire that ends with the running test, and fails it unless everything went as planned.
 */
export async function testWire(options: WireOptions = {}): Promise<Wire> {
  const wire = await startWire(options);
  onTestFinished(async () => {
    await wire.close();
    wire.verify();
  });
  return wire;
}

/** The open connections of a server, which no error of theirs can end. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  server.on('clientError', (_error, socket) => socket.destroy());
  return sockets;
}

/** Starts a scripted server. The caller calls `close` and `verify`. */
export async function startWire({ tls, port: wanted = 0 }: WireOptions = {}) {
  const planned: Planned[] = [];
  const complaints: string[] = [];
  const failures: unknown[] = [];
  const requests: WireRecord[] = [];
  const waiting: Array<(request: WireRecord) => void> = [];
  let connections = 0;

  const listener: RequestListener = async (incoming, response) => {
    // Programs under test have clocks of their own; a test that wants a `Date` plans it.
    response.sendDate = false;
    const request = await readRequest(incoming);
    if (request === undefined) return;
    requests.push(request);
    for (const resolve of waiting.splice(0)) resolve(request);
    const plan = planned.find((candidate) => matches(candidate, request));
    if (plan === undefined) {
      const complaint = `not planned: ${request.method} ${request.target}`;
      complaints.push(complaint);
      return send(response, 501, { error: complaint });
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
    tls === undefined ? createServer(listener) : createTlsServer({ ...tls }, listener);
  server.on('connection', () => void ++connections);
  const sockets = socketsOf(server);
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    port,
    requests: requests as readonly WireRecord[],
    /** Plans exchanges for a method and a path; a path with `?` must match the query as well. */
    on: (method: string, path: string) => new WirePlan(method, path, planned),
    /** Resolves when the next request is there, whole. */
    nextRequest: () => new Promise<WireRecord>((resolve) => waiting.push(resolve)),
    openConnections: () => sockets.size,
    connections: () => connections,
    /** Throws when a request was not planned, or a planned answer was not used. */
    verify: () => verify(planned, complaints, failures),
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function verify(
  planned: readonly Planned[],
  complaints: readonly string[],
  failures: readonly unknown[],
): void {
  if (failures.length > 0) throw failures[0];
  const unused = planned
    .filter(({ used }) => !used)
    .map(({ method, path }) => `not used: ${method} ${path}`);
  const all = [...complaints, ...unused];
  if (all.length > 0) throw new Error(all.join('\n'));
}

function matches(plan: Planned, request: WireRecord): boolean {
  const path = plan.path.includes('?') ? request.target : request.path;
  return (!plan.used || plan.repeats) && plan.method === request.method && plan.path === path;
}
