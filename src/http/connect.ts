import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { isLocalName } from './address.ts';
import type { Attempt } from './attempt.ts';
import { getPort } from './proxy.ts';
import { type HttpResponse, joinedHeaders } from './send.ts';
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
  const target = `${url.host} through ${name}`;
  const tunnel = await connect(proxy, attempt, name);
  attempt.connecting(target);
  await untilEnd(tunnel, attempt, async () => {
    try {
      await askForTunnel(tunnel, proxy, url);
    } catch (error) {
      throw toTransportError(error, 'connect', name);
    }
  });
  return connect(url, attempt, target, tunnel);
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
    port: getPort(url),
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    ...(isLocalName(url.hostname) && { lookup: lookUpThisMachine }),
  });
  // An error event without a listener would end the process; the code that awaits the socket
  // reports the error.
  return tcp.on('error', () => {});
}

const THIS_MACHINE = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Answers for `localhost` and the names below it without a resolver, which could lead elsewhere. */
const lookUpThisMachine: LookupFunction = (_name, { all }, answer) => {
  if (all === true) return answer(null, THIS_MACHINE);
  answer(null, '127.0.0.1', 4);
};

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
  const authority = `${url.hostname}:${getPort(url)}`;
  const head = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`];
  if (proxy.username !== '' || proxy.password !== '') {
    const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    head.push(`proxy-authorization: Basic ${Buffer.from(pair).toString('base64')}`);
  }
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const answer = await readHead(socket);
  const { status } = answer;
  if (status >= 200 && status <= 299) return;

  const code = `PROXY_${status}`;
  if (!BUSY_STATUSES.has(status)) {
    const message = `The proxy ${proxy.host} refused the tunnel (${status}).`;
    throw new TransportError('proxy', code, message);
  }
  const message = `The proxy ${proxy.host} could not open the tunnel to ${url.host} (${status}).`;
  throw new TransportError('not_sent', code, message, { headers: answer.headers });
}

/** The proxy does not reach the platform now: nothing was sent, so a repeat is safe. */
const BUSY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

interface Head {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
}

/**
 * Reads up to the end of the head. Nothing may follow it: whoever is behind the tunnel speaks
 * second.
 */
async function readHead(socket: Socket): Promise<Head> {
  let text = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += piece.toString('latin1');
    const head = findFinalHead(text);
    if (head !== undefined) return head;
  }
  throw codedError('ECONNRESET');
}

/** Skips interim answers (1xx). Undefined if the final head is not complete. */
function findFinalHead(text: string): Head | undefined {
  if (!text.startsWith(START.slice(0, text.length))) throw codedError('NOT_HTTP');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0 && text.length > MAX_HEAD_BYTES) throw codedError('HEAD_TOO_LARGE');
  if (end < 0) return undefined;
  const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)[ \r]/.exec(text)?.[1]);
  if (Number.isNaN(status) || status === 101) throw codedError('NOT_HTTP');
  if (status < 200) return findFinalHead(text.slice(end + 4));
  return { status, headers: readHeaders(text.slice(0, end)) };
}

function readHeaders(head: string): HttpResponse['headers'] {
  const headers: Record<string, string[]> = {};
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()];
  }
  return joinedHeaders(headers);
}

function codedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
