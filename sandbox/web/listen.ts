import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { CliError, usageError } from '../../src/errors.ts';
import type { Parts, SandboxApp } from '../parts.ts';
import { jsonHeaders, refusalReply } from './answer.ts';
import { Refusal } from './refusal.ts';

/** Refuses forged requests, and passes the others to the app. */
export function serve(server: Server, port: number, app: SandboxApp, parts: Parts): void {
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response(null, { status: 400 }),
  });
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const refusal = findRefusal(incoming, port);
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
 * Refuses a request for another host (such as a DNS name that points here), and one that a page of
 * another site made a browser send.
 */
function findRefusal(incoming: IncomingMessage, port: number): Refusal | undefined {
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
  return port === 80
    ? [...names, ...names.map((name) => `${name}:80`)]
    : names.map((name) => `${name}:${port}`);
}

/** Counts a header: Node hides a second `Host`, which only an attacker sends. */
function countOf(incoming: IncomingMessage, name: string): number {
  return incoming.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name)
    .length;
}

/** The longest time for a request to arrive, and for a connection to stay silent. */
export const TIMEOUT_MS = 10_000;
/** The address of this machine; there is no option for another. */
const LOOPBACK = '127.0.0.1';

/**
 * Opens the port, 0 for a free one. The caller must add its request listener before it awaits
 * anything.
 * @throws CliError `usage` if the port is invalid, taken or not allowed.
 */
export async function openPort(
  port: number,
  timeoutMs: number,
): Promise<{ server: Server; port: number }> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw usageError(
      `${port} is not a port.`,
      'Give a number from 0 to 65535; 0 takes a free port.',
    );
  }
  const server = createServer({
    connectionsCheckingInterval: Math.min(1_000, timeoutMs),
    requestTimeout: timeoutMs,
    requireHostHeader: false,
  });
  server.timeout = timeoutMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(port, error)));
    server.listen(port, LOOPBACK, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

function portError(port: number, cause: NodeJS.ErrnoException): CliError {
  const hint = { say: 'Use another port; 0 takes a free one.', run: ['svc sandbox --port 0'] };
  const isTaken = cause.code === 'EADDRINUSE';
  const why = isTaken
    ? 'is taken, perhaps by another sandbox.'
    : `cannot be opened: ${cause.code ?? cause.message}`;
  return new CliError('usage', `Port ${port} ${why}`, { hint, cause });
}

const GRACE_MS = 200;

/** Stops listening, waits briefly for requests in flight, then closes every connection. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
