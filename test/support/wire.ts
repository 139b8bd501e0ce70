import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { readRequest, type WireRecord } from './wire-record.ts';

export type { WireRecord } from './wire-record.ts';

/** A body that is not text or bytes is sent as JSON. */
export type WireBody = unknown;
/** Lower-case names; a list sends the header several times. */
export type WireHeaders = Readonly<Record<string, string | string[]>>;
type Act = (exchange: Exchange) => void | Promise<void>;

interface Exchange {
  readonly request: WireRecord;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

/** What happens to the next matching requests: each call plans one more exchange, used in the order planned. */
export interface WirePlan {
  reply(status: number, body?: WireBody, headers?: WireHeaders): WirePlan;
  /** Answers every further request alike; at least one must come. */
  always(status: number, body?: WireBody, headers?: WireHeaders): WirePlan;
  /** Decides when the request is there. */
  answer(decide: (request: WireRecord) => { status: number; body?: WireBody; headers?: WireHeaders }): WirePlan;
  /** The connection is reset before any byte of an answer. */
  reset(): WirePlan;
  /** The connection is closed in good order before any byte of an answer. */
  hangUp(): WirePlan;
  /** A head that promises the whole body, `keep` bytes of it, then a reset; `chunked` makes it a chunked body. */
  cut(status: number, body: WireBody, keep: number, options?: { chunked?: boolean; headers?: WireHeaders }): WirePlan;
  /** Exactly these bytes, then the end of the connection. */
  raw(bytes: string | Uint8Array): WirePlan;
  /** No answer; the connection stays open. */
  hang(): WirePlan;
  /** A whole head, then one byte of the body every `everyMs`. */
  drip(status: number, body: WireBody, everyMs: number): WirePlan;
  /** Anything else, on the response or its socket. */
  act(act: (exchange: Exchange) => void | Promise<void>): WirePlan;
}

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

interface Planned {
  readonly method: string;
  readonly path: string;
  readonly act: Act;
  readonly repeats: boolean;
  used: boolean;
}

/** A server certificate and its key, in PEM, for `startWire({ tls })`. */
export interface WireOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
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

/** Starts a scripted server; whoever starts it calls `close` and `verify`. */
export async function startWire(options: WireOptions = {}): Promise<Wire> {
  const planned: Planned[] = [];
  const unplanned: string[] = [];
  const requests: WireRecord[] = [];
  const waiting: Array<(request: WireRecord) => void> = [];
  const sockets = new Set<Socket>();
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
    await plan.act({ request, response, socket: incoming.socket });
  };
  const server: Server =
    options.tls === undefined ? createServer(listener) : createTlsServer({ ...options.tls }, listener);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: options.tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    port,
    requests,
    on: (method, path) => planFor(method, path, planned),
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    openConnections: () => sockets.size,
    connections: () => connections,
    dropConnections() {
      for (const socket of sockets) socket.destroy();
    },
    verify() {
      const unused = planned.filter((plan) => !plan.used).map((plan) => `${plan.method} ${plan.path}`);
      const complaints = [
        ...unplanned.map((name) => `a request came that was not planned: ${name}`),
        ...unused.map((name) => `a planned answer was not used: ${name}`),
      ];
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function matches(plan: Planned, request: WireRecord): boolean {
  const path = plan.path.includes('?') ? request.target : request.path;
  return (!plan.used || plan.repeats) && plan.method === request.method && plan.path === path;
}

function planFor(method: string, path: string, planned: Planned[]): WirePlan {
  const add = (act: Act, repeats = false): WirePlan => {
    planned.push({ method, path, act, repeats, used: false });
    return plan;
  };
  const plan: WirePlan = {
    reply: (status, body, headers) => add(({ response }) => send(response, status, body, headers)),
    always: (status, body, headers) => add(({ response }) => send(response, status, body, headers), true),
    answer: (decide) =>
      add(({ request, response }) => {
        const { status, body, headers } = decide(request);
        send(response, status, body, headers);
      }),
    reset: () => add(({ socket }) => resetConnection(socket)),
    hangUp: () => add(({ socket }) => void socket.end()),
    cut: (status, body, keep, options = {}) =>
      add(async ({ response, socket }) => {
        const bytes = bytesOf(body);
        const headers = { 'content-type': 'application/json', ...options.headers };
        response.writeHead(status, options.chunked ? headers : { ...headers, 'content-length': String(bytes.length) });
        response.flushHeaders();
        await new Promise((resolve) => response.write(bytes.subarray(0, keep), resolve));
        setTimeout(() => resetConnection(socket), 20);
      }),
    raw: (bytes) => add(({ socket }) => void socket.end(Buffer.from(bytes))),
    hang: () => add(() => {}),
    drip: (status, body, everyMs) => add(({ response }) => drip(response, status, bytesOf(body), everyMs)),
    act: (act) => add(act),
  };
  return plan;
}

function send(response: ServerResponse, status: number, body?: WireBody, headers: WireHeaders = {}): void {
  if (body === undefined) {
    response.writeHead(status, { ...headers }).end();
    return;
  }
  const bytes = bytesOf(body);
  const plain = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  response.writeHead(status, { ...plain, ...headers }).end(bytes);
}

function drip(response: ServerResponse, status: number, bytes: Buffer, everyMs: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length) response.write(bytes.subarray(sent, sent + 1));
    else response.end();
    sent += 1;
    if (sent > bytes.length) clearInterval(timer);
  }, everyMs);
  response.on('close', () => clearInterval(timer));
}

function bytesOf(body: WireBody): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Breaks the connection with a TCP reset; under TLS, that of the connection below. */
function resetConnection(socket: Socket): void {
  const below = (socket as Socket & { _parent?: Socket })._parent ?? socket;
  below.resetAndDestroy();
}
