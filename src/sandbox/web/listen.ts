import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { CliError, usageError } from '../../errors.ts';
import type { Parts, SandboxApp } from '../parts.ts';
import { jsonHeaders, refusalReply } from './answer.ts';
import { Refusal } from './refusal.ts';

/** Guards every request of the server, and hands those that pass to the app. */
export function serve(server: Server, port: number, app: SandboxApp, parts: Parts): void {
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response(null, { status: 400 }),
  });
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const refusal = refusalOf(incoming, port);
    if (refusal === undefined) void answer(incoming, outgoing);
    else refuse(outgoing, refusal, parts);
  });
}

function refuse(outgoing: ServerResponse, refusal: Refusal, { clock, log }: Parts): void {
  const reply = refusalReply(refusal);
  log(`refused with ${reply.status}: ${refusal.message}`);
  outgoing.writeHead(reply.status, jsonHeaders(reply, clock.now())).end(JSON.stringify(reply.body));
}

/**
 * What speaks against a request before it is looked at: an address that is not this sandbox's own (a DNS name that
 * points here), or a page of another site that made a browser send it.
 */
function refusalOf(incoming: IncomingMessage, port: number): Refusal | undefined {
  const hosts = ownHosts(port);
  const host = incoming.headers.host?.toLowerCase() ?? '';
  if (!incoming.url?.startsWith('/')) return new Refusal(421, 'The request target must be a path.');
  if (!hosts.includes(host) || countOf(incoming, 'host') !== 1) {
    return new Refusal(421, `This is ${hosts[0]}; the request was for another host.`);
  }
  const { origin } = incoming.headers;
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    return new Refusal(403, 'Requests from pages of other origins are refused.');
  }
  const site = incoming.headers['sec-fetch-site'] ?? 'none';
  if (site !== 'none' && site !== 'same-origin') {
    return new Refusal(403, 'Requests from other sites are refused. Open the address yourself.');
  }
  return undefined;
}

function ownHosts(port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return port === 80 ? [...names, ...names.map((name) => `${name}:80`)] : names.map((name) => `${name}:${port}`);
}

/** How often a header came. Node keeps only the first `Host`; two of them are an attempt to confuse. */
function countOf(incoming: IncomingMessage, name: string): number {
  return incoming.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

/** What one client may take up. */
export interface Limits {
  /** Connections that are open at once. */
  readonly sockets: number;
  /** Milliseconds for a request to arrive whole, and for a connection to stay silent. */
  readonly timeoutMs: number;
}

/** What the sandbox allows one client unless told otherwise. */
export const LIMITS: Limits = { sockets: 64, timeoutMs: 10_000 };
/** The sandbox is for this machine only; there is no option for another address. */
const LOOPBACK = '127.0.0.1';
const HIGHEST_PORT = 65_535;

/**
 * Opens the port, 0 for a free one. Requests have to be listened to before the caller waits for anything else.
 * @throws CliError `usage` when the port is no port, is taken, or may not be used.
 */
export async function listen(port: number, { sockets, timeoutMs }: Limits): Promise<{ server: Server; port: number }> {
  if (!Number.isInteger(port) || port < 0 || port > HIGHEST_PORT) {
    throw usageError(`${port} is not a port.`, 'a number from 0 to 65535; 0 takes a free one');
  }
  const server = createServer({
    connectionsCheckingInterval: Math.min(1_000, timeoutMs),
    requestTimeout: timeoutMs,
    requireHostHeader: false,
  });
  limitConnections(server, sockets);
  server.timeout = timeoutMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(port, error)));
    server.listen(port, LOOPBACK, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/**
 * Closes a connection for each one too many: the one that has waited longest for a request, so that idle connections
 * cannot keep others out, or the new one while all others are being answered.
 */
function limitConnections(server: Server, most: number): void {
  const open = new Set<Socket>();
  const idle = new Set<Socket>();
  const forget = (socket: Socket): void => {
    open.delete(socket);
    idle.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size <= most) return;
    const [longest = socket] = idle;
    forget(longest);
    longest.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) idle.add(socket);
    });
  });
}

function portError(port: number, cause: NodeJS.ErrnoException): CliError {
  const hint = 'svc sandbox --port 0, which takes a free one';
  if (cause.code === 'EADDRINUSE') {
    return new CliError('usage', `Port ${port} is taken, perhaps by another sandbox.`, { hint, cause });
  }
  return new CliError('usage', `Port ${port} cannot be opened: ${cause.code ?? cause.message}`, { hint, cause });
}

/** How long requests that are being answered may go on after `close`, in milliseconds. */
const GRACE_MS = 200;

/** Stops listening, lets requests in flight end for a moment, then closes every connection. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
