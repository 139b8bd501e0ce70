import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Attempt } from './attempt.ts';
import { portOf } from './proxy.ts';
import { TransportError, type TransportStage, toTransportError } from './transport-error.ts';

/** Node's default would drop distant addresses. */
const ADDRESS_TIMEOUT_MS = 1_000;

/**
 * TCP for http, TLS with a verified certificate for https, through a tunnel if there is a proxy.
 * Throws TransportError.
 */
export async function openConnection(
  url: URL,
  attempt: Attempt,
  proxy: URL | undefined,
): Promise<Socket> {
  if (proxy === undefined) return connect(url, attempt, url.host);
  const name = `the proxy ${proxy.host}`;
  const tunnel = await connect(proxy, attempt, name);
  attempt.connecting(url.host);
  await untilEnd(tunnel, attempt, async () => {
    try {
      await askForTunnel(tunnel, proxy, url);
    } catch (error) {
      throw toTransportError(error, 'connect', name);
    }
  });
  return connect(url, attempt, url.host, tunnel);
}

/** @param tunnel an open connection to the host that lacks only its TLS */
async function connect(url: URL, attempt: Attempt, name: string, tunnel?: Socket): Promise<Socket> {
  let stage: TransportStage = tunnel === undefined ? 'connect' : 'tls';
  attempt.connecting(name);
  const tcp = tunnel ?? (await open(url));
  return untilEnd(tcp, attempt, async () => {
    try {
      // Creating the context takes as long as a round trip, so do it while TCP connects.
      const context = url.protocol === 'https:' ? secureContext() : undefined;
      if (tunnel === undefined) await once(tcp, 'connect');
      if (context === undefined) return tcp;
      stage = 'tls';
      return await encrypt(tcp, url, await context);
    } catch (error) {
      throw toTransportError(error, stage, name);
    }
  });
}

async function open(url: URL): Promise<Socket> {
  const net = await import('node:net');
  const tcp = net.connect({
    host: hostOf(url),
    port: portOf(url),
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  });
  // An error event without a listener would end the process; the code that awaits the socket
  // reports the error.
  return tcp.on('error', () => {});
}

async function encrypt(tcp: Socket, url: URL, secureContext: SecureContext): Promise<Socket> {
  const [tls, { isIP }] = await Promise.all([import('node:tls'), import('node:net')]);
  const host = hostOf(url);
  const socket = tls.connect({
    socket: tcp,
    secureContext,
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED=0, which would send the token to any server.
    rejectUnauthorized: true,
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

let context: SecureContext | undefined;
async function secureContext(): Promise<SecureContext> {
  const { createSecureContext } = await import('node:tls');
  context ??= createSecureContext();
  return context;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

async function untilEnd<T>(
  socket: Socket,
  { signal }: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  const stop = () => socket.destroy(new Error('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const START = 'HTTP/1.';
const MAX_HEAD_BYTES = 16 * 1024;

/** Asks the proxy behind the socket for a connection to the URL's host (RFC 9110, CONNECT). */
async function askForTunnel(socket: Socket, proxy: URL, url: URL): Promise<void> {
  const authority = `${url.hostname}:${portOf(url)}`;
  const head = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`];
  if (proxy.username !== '' || proxy.password !== '') {
    const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    head.push(`proxy-authorization: Basic ${Buffer.from(pair).toString('base64')}`);
  }
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const status = await readStatus(socket);
  if (status >= 200 && status <= 299) return;
  throw new TransportError(
    'proxy',
    `PROXY_${status}`,
    `The proxy ${proxy.host} refused the tunnel (${status}).`,
  );
}

/**
 * Reads up to the end of the head. Nothing may follow it: whoever is behind the tunnel speaks
 * second.
 */
async function readStatus(socket: Socket): Promise<number> {
  let head = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    head += piece.toString('latin1');
    const status = finalStatus(head);
    if (status !== undefined) return status;
  }
  throw codedError('ECONNRESET');
}

/** Skips interim answers (1xx). Undefined if the final head is not complete. */
function finalStatus(text: string): number | undefined {
  if (!text.startsWith(START.slice(0, text.length))) throw codedError('NOT_HTTP');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0 && text.length > MAX_HEAD_BYTES) throw codedError('HEAD_TOO_LARGE');
  if (end < 0) return undefined;
  const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)[ \r]/.exec(text)?.[1]);
  if (Number.isNaN(status) || status === 101) throw codedError('NOT_HTTP');
  return status < 200 ? finalStatus(text.slice(end + 4)) : status;
}

function codedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
